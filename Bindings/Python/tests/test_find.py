"""Tests that Python finds what the command and a batch find."""

from __future__ import annotations

import json
import struct
import subprocess
import wave
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import trim_media
from trim_media import Engine, Finding, Task


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three seconds at 8 kHz: a square wave, quiet from sample 6001 until 14003."""
    path = tmp_path_factory.mktemp("find") / "talk.wav"
    levels = [8000 if place // 20 % 2 else -8000 for place in range(24000)]
    levels[6001:14003] = [0] * 8002
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(struct.pack("<24000h", *levels))
    return path


def command(engine: Engine, *words: str | Path) -> dict[str, Any]:
    line = [engine.executable, "find", "--json", *map(str, words)]
    found: dict[str, Any] = json.loads(subprocess.run(line, capture_output=True, check=True).stdout)
    return found


def test_a_silence_is_exact_to_the_sample(engine: Engine, talk: Path) -> None:
    found = engine.find(talk, silence=True)
    assert [(one.kind, one.start, one.end) for one in found.findings] == [
        ("silence", Fraction(6001, 8000), Fraction(14003, 8000))
    ]
    assert found.findings[0].length == Fraction(8002, 8000)
    assert (found.start, found.end) == (Fraction(0), Fraction(3))
    assert found.kinds == ("silence",)
    assert found.of_kind("black") == ()


def test_thresholds_are_those_of_the_command(engine: Engine, talk: Path) -> None:
    usual = engine.find(talk, silence=True).thresholds["silence"]
    assert (usual["level_dbfs"], usual["shortest"]["value"]) == (-40, "1/2")
    assert not engine.find(talk, silence=Fraction(8003, 8000)).findings
    assert len(engine.find(talk, silence=Fraction(8002, 8000)).findings) == 1
    # The square wave is at -12.2 dBFS.
    loud = engine.find(talk, silence=True, silence_level=-12).findings
    assert [(one.start, one.end) for one in loud] == [(Fraction(0), Fraction(3))]
    assert len(engine.find(talk, silence=True, silence_level="-12.3").findings) == 1
    part = engine.find(talk, silence=0, start=1, length=Fraction(1, 2))
    assert [(one.start, one.end) for one in part.findings] == [(Fraction(1), Fraction(3, 2))]


def test_a_level_below_the_loudness_and_each_channel_are_those_of_the_command(
    engine: Engine, talk: Path
) -> None:
    words = ("--silence", "--silence-level", "loud-20", "--channels", "each")
    found = engine.find(talk, silence=True, silence_level="loud-20", channels="each")
    stated = command(engine, *words, talk)
    assert found.findings == tuple(map(Finding.of, stated["findings"]))
    assert [one.channel for one in found.findings] == [1]
    assert found.thresholds == stated["thresholds"]
    # A square wave of 8000 of 32768 is at -12.2 dBFS, or -12.3 in whole tenths.
    assert found.thresholds["silence"]["level_dbfs"] == pytest.approx(-32.3)


def test_what_a_file_lacks_is_stated_or_an_error(engine: Engine, talk: Path) -> None:
    found = engine.find(talk)
    assert found.kinds == ("silence",)
    assert {one.kind for one in found.not_looked_for} == {"black", "still", "scene", "fade"}
    assert {one.reason for one in found.not_looked_for} == {"noPicture"}
    with pytest.raises(trim_media.MediaError, match="no video") as caught:
        engine.find(talk, black=True, scenes=True)
    assert caught.value.code == "noPicture"
    with pytest.raises(trim_media.TaskError, match="applies only with"):
        engine.find(talk, scenes=True, silence_level=-30)
    with pytest.raises(trim_media.TaskError, match="from -120 to 0"):
        engine.find(talk, silence=True, silence_level=3)


@pytest.mark.parametrize("name", ["b-frames.mp4", "truncated.mp4", "late-start.mp4"])
def test_command_batch_and_python_find_the_same(engine: Engine, samples: Path, name: str) -> None:
    path = samples / name
    stated = command(engine, "--silence", "--scenes", "--still", "--still-for", "0.1", path)
    task = Task.find(path, silence=True, scenes=True, still=0.1)
    (row,) = engine.map([task])
    found = row.unwrap()
    assert found.findings == tuple(map(Finding.of, stated["findings"]))
    assert found.findings
    for key in ("range", "tracks", "thresholds", "findings", "not_examined", "not_looked_for"):
        assert row.raw["result"][key] == stated[key]
    line = {"op": "find", "path": str(path), "silence": True, "scenes": True, "still": True}
    line["still_for"] = "0.1"
    batch = subprocess.run(
        [engine.executable, "batch"],
        input=json.dumps(line).encode(),
        capture_output=True,
        check=True,
    )
    (answer,) = map(json.loads, batch.stdout.splitlines())
    assert answer["result"]["findings"] == stated["findings"]


def test_a_table_has_counts_totals_and_each_finding(talk: Path, samples: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    from trim_media.adapters import _work

    names = [str(talk), str(samples / "not-media.mp4")]
    table = _work.Work("find", silence=True, scenes=True)(pa.table({"path": names}))
    heard, failed = table.to_pylist()
    assert (heard["silence_count"], heard["silence_num"], heard["silence_den"]) == (1, 4001, 4000)
    assert (heard["scene_count"], heard["black_count"]) == (None, None)
    assert (heard["not_looked_for"], heard["not_examined_num"]) == ("scene", 0)
    (finding,) = json.loads(heard["findings"])
    assert (finding["kind"], finding["start"], finding["end"]) == (
        "silence",
        "6001/8000",
        "14003/8000",
    )
    assert (failed["error_code"], failed["findings"]) == ("notMedia", None)
