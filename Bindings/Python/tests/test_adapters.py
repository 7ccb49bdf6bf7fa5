"""Tests the tables of the adapters with one worker; Ray, Spark and Dask themselves run in
`tools/soak fleet`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")

from trim_media.adapters import _tables, _work  # noqa: E402


def rows(work: _work.Work, **columns: list[Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = work(pa.table(columns)).to_pylist()
    return found


def test_facts_are_exact_and_a_failure_is_a_row(samples: Path) -> None:
    names = [str(samples / name) for name in ("ntsc.mp4", "not-media.mp4", "vbr.mp3")]
    found = rows(_work.Work("probe"), path=names)
    assert [row["path"] for row in found] == names
    assert (found[0]["presented_num"], found[0]["presented_den"]) == (1001, 250)
    assert found[0]["error_code"] is None
    assert (found[1]["error_code"], found[1]["presented_num"]) == ("notMedia", None)
    assert found[2]["audio_codec"] == "mp3"


def test_verdicts_take_the_options_of_a_check(samples: Path) -> None:
    names = [str(samples / "at-limit.mp4")]
    assert [row["passes"] for row in rows(_work.Work("check"), path=names)] == [False]
    wider = _work.Work("check", max_length=61)
    assert [row["passes"] for row in rows(wider, path=names)] == [True]


def test_an_existing_cut_is_not_made_again(samples: Path, tmp_path: Path) -> None:
    clip = str(samples / "b-frames.mp4")
    table = {"path": [clip] * 2, "start": ["0.5", "1"], "end": ["2", "2"], "id": ["a", "b"]}
    work = _work.Work("cut", str(tmp_path))
    first = rows(work, **table)
    assert [(row["length_num"], row["length_den"]) for row in first] == [(3, 2), (1, 1)]
    times = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    again = rows(work, **table)
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == times
    for one, other in zip(first, again, strict=True):
        assert (one["existed"], other["existed"]) == (False, True)
        for key in ("output", "output_bytes", "length_num", "length_den", "error_code"):
            assert one[key] == other[key]


def test_different_cuts_have_different_names(samples: Path, tmp_path: Path) -> None:
    clip = str(samples / "b-frames.mp4")
    names = set()
    given: list[dict[str, Any]] = [{}, {"audio": "reencode"}]
    for options in given:
        work = _work.Work("cut", str(tmp_path), **options)
        names |= {row["output"] for row in rows(work, path=[clip], end=["1"])}
    assert len(names) == 2


@pytest.mark.parametrize("op", ["probe", "check", "find", "cut"])
def test_every_adapter_has_the_same_columns(op: str) -> None:
    pytest.importorskip("pandas")
    frame = _tables.pandas(_tables.table(op, []))
    spark = [word.split("`")[1] for word in _tables.spark_schema(op).split(", ")]
    assert list(frame.columns) == spark == _tables.SCHEMAS[op].names
