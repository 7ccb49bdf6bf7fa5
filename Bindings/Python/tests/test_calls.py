"""Tests each call on one file."""

from __future__ import annotations

import dataclasses
import os
import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import trim_media
from trim_media import Engine, Task, _locate


def test_a_probe_reports_exact_times(engine: Engine, samples: Path) -> None:
    facts = engine.probe(samples / "late-start.mp4")
    assert facts.length == Fraction(2)
    assert facts.durations.declared is not None
    assert facts.durations.declared.length == Fraction(4)
    assert facts.durations.verdict == "declared_too_long"
    assert {note.id for note in facts.notes} >= {"starts-late", "declared-too-long"}
    assert facts.tracks[0].time_base == Fraction(1, 12800)
    assert facts.tracks[0].frame_rate == Fraction(25)
    with pytest.raises(dataclasses.FrozenInstanceError):
        facts.path = "other"  # type: ignore[misc]


@pytest.mark.parametrize("address", ["rtsp://example.org/a.mp4", "hdfs://host/a.mp4"])
def test_an_address_is_refused_as_the_command_does(
    engine: Engine, tmp_path: Path, address: str
) -> None:
    with pytest.raises(trim_media.InputError, match="only local paths are opened") as caught:
        engine.probe(address)
    assert (caught.value.code, caught.value.status) == ("onlyLocalPaths", 66)
    assert str(caught.value).startswith(address + ": ")
    with pytest.raises(trim_media.InputError, match="Download it first"):
        engine.cut(address, tmp_path / "a.mp4")


def test_an_address_of_this_machine_is_refused_without_a_connection(engine: Engine) -> None:
    with pytest.raises(trim_media.InputError, match="a loopback address") as caught:
        engine.probe("http://127.0.0.1:9/a.mp4?sig=secret")
    assert (caught.value.code, caught.value.status) == ("addressRefused", 77)
    assert "secret" not in str(caught.value)


def test_a_local_file_whose_name_looks_like_an_address_is_opened(
    engine: Engine, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "http:").mkdir()
    (tmp_path / "http:" / "a.mp4").write_bytes((samples / "late-start.mp4").read_bytes())
    monkeypatch.chdir(tmp_path)
    assert engine.probe("http://a.mp4").length == Fraction(2)


def test_a_probe_lists_frames_and_keyframes(engine: Engine, samples: Path) -> None:
    track = engine.probe(samples / "ntsc.mp4", frames=True, keyframes=True).tracks[0]
    assert track.frame_list is not None and track.keyframes is not None
    assert track.frame_list[1].time - track.frame_list[0].time == Fraction(1001, 30000)
    assert len(track.frame_list) == track.frames


def test_a_check_is_exact_at_the_limit(engine: Engine, samples: Path) -> None:
    under, at = samples / "under-limit.mp4", samples / "at-limit.mp4"
    assert engine.check(under).passes
    verdict = engine.check(at)
    assert (verdict.verdict, verdict.by, verdict.status) == ("too_long", Fraction(0), 1)
    assert engine.check(at, max_length=Fraction(121, 2) + Fraction(1, 10**9)).passes
    assert not engine.check(at, max_length=60.5).passes
    damaged = engine.check(samples / "truncated.mp4")
    assert (damaged.status, damaged.passes) == (65, False)


def test_a_plan_writes_nothing_and_a_cut_follows_it(
    engine: Engine, samples: Path, tmp_path: Path
) -> None:
    source, output = samples / "b-frames.mp4", tmp_path / "part.mp4"
    plan = engine.plan(source, output, start=0.6, end="2.5")
    assert not output.exists()
    cut = engine.cut(source, output, start=0.6, end="2.5")
    assert (cut.length, cut.frames) == (plan.length, plan.frames) == (Fraction(19, 10), 48)
    assert cut.bytes == output.stat().st_size
    assert engine.probe(output).length == cut.length


def test_parts_are_joined_in_the_given_order(engine: Engine, samples: Path, tmp_path: Path) -> None:
    output = tmp_path / "joined.mp4"
    cut = engine.cut(samples / "b-frames.mp4", output, keep=["2..2.5", "0.5..1"], join=True)
    assert [part.start for part in cut.parts] == [Fraction(2), Fraction(1, 2)]
    assert cut.length == 1
    with pytest.raises(TypeError, match="list of ranges"):
        Task.cut("a", "b", keep="1..2")
    with pytest.raises(TypeError, match="remove is a list"):
        Task.cut("a", "b", remove="1..2")


def test_unknown_options_are_passed_to_the_engine(
    engine: Engine, samples: Path, tmp_path: Path
) -> None:
    options: Any = {"sideways": True}
    with pytest.raises(trim_media.TaskError, match="has no member"):
        engine.cut(samples / "b-frames.mp4", tmp_path / "a.mp4", **options)


def test_a_strip_is_a_picture_of_exact_frames(
    engine: Engine, samples: Path, tmp_path: Path
) -> None:
    output = tmp_path / "strip.png"
    strip = engine.strip(samples / "b-frames.mp4", output, count=3, width=40)
    assert output.read_bytes().startswith(b"\x89PNG")
    assert (strip.width, len(strip.pictures)) == (120, 3)
    assert strip.pictures[0].start <= strip.pictures[0].asked


def test_a_waveform_is_a_view_without_a_copy(engine: Engine, samples: Path) -> None:
    wave = engine.waveform(samples / "b-frames.mp4", samples_per_pixel=512)
    low, high = wave.levels(3)
    assert low < 0 < high
    numpy = pytest.importorskip("numpy")
    view = wave.numpy()
    assert view.shape == (len(wave), wave.channels, 2)
    assert (int(view[3, 0, 0]), int(view[3, 0, 1])) == (low, high)
    assert view.dtype == numpy.int16
    assert not view.flags.owndata


@pytest.mark.parametrize(
    ("name", "kind", "code", "status"),
    [
        ("nowhere.mp4", trim_media.InputError, "inputMissing", 66),
        ("not-media.mp4", trim_media.MediaError, "notMedia", 65),
        ("", trim_media.InputError, "notRegularFile", 66),
    ],
)
def test_an_error_says_what_to_do(
    engine: Engine,
    samples: Path,
    name: str,
    kind: type[trim_media.TrimError],
    code: str,
    status: int,
) -> None:
    with pytest.raises(kind) as caught:
        engine.probe(samples / name)
    error = caught.value
    assert (error.code, error.status, error.retryable) == (code, status, False)
    assert error.hint and error.path == str(samples / name)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.status) == (kind, str(error), status)


def test_an_output_is_replaced_only_with_force(
    engine: Engine, samples: Path, tmp_path: Path
) -> None:
    source, output = samples / "b-frames.mp4", tmp_path / "part.mp4"
    output.write_bytes(b"mine")
    with pytest.raises(trim_media.OutputError):
        engine.cut(source, output, end=1)
    assert output.read_bytes() == b"mine"
    with pytest.raises(trim_media.OutputError, match=r"(?i)same|input"):
        engine.cut(source, source, end=1, force=True)
    assert engine.cut(source, output, end=1, force=True).length == 1


def test_a_refused_length_leaves_no_file(engine: Engine, samples: Path, tmp_path: Path) -> None:
    with pytest.raises(trim_media.TooLongError):
        engine.cut(samples / "b-frames.mp4", tmp_path / "a.mp4", end=2, max_length=2)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "name",
    [
        b"-",
        b"--help",
        b"a b.mp4",
        b"new\nline.mp4",
        b"quote\"'\\.mp4",
        b"\xff\xfe.mp4",
        "фильм 🎬.mp4".encode(),
        b"clip.mp4#t=1,2",
        b"{",
    ],
)
def test_a_path_may_be_any_bytes(
    engine: Engine,
    samples: Path,
    tmp_path: Path,
    name: bytes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = os.path.join(os.fsencode(tmp_path), name)  # noqa: PTH118 - not always text
    with open(path, "wb") as file:  # noqa: PTH123
        file.write((samples / "ntsc.mp4").read_bytes())
    facts = engine.probe(path)
    assert os.fsencode(facts.path) == path
    monkeypatch.chdir(tmp_path)
    assert engine.probe(name).length == facts.length


def test_the_functions_of_the_package_share_an_engine(samples: Path) -> None:
    assert trim_media.probe(samples / "ntsc.mp4").length is not None
    first = trim_media.shared().pid
    assert trim_media.check(samples / "under-limit.mp4").passes
    assert trim_media.shared().pid == first


def test_an_engine_that_runs_here_is_selected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("trim-59", "trim-61"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "glibc.txt").write_text("59 2.36\n61 2.38\n")
    monkeypatch.delenv(_locate.VARIABLE, raising=False)
    monkeypatch.setattr(_locate, "_FOLDER", tmp_path)
    for glibc, libraries, chosen in (
        ("2.36", (), "59"),
        ("2.41", (), "61"),
        ("2.41", (59,), "59"),
        ("2.41", (59, 61), "61"),
        ("2.36", (61,), "59"),
    ):
        here = {f"libavformat.so.{version}" for version in libraries}
        monkeypatch.setattr(_locate, "_is_here", here.__contains__)
        monkeypatch.setattr(os, "confstr", lambda _, glibc=glibc: f"glibc {glibc}")
        assert _locate.locate() == str(tmp_path / f"trim-{chosen}")


@pytest.mark.parametrize("time", [float("nan"), float("inf"), True])
def test_invalid_times_are_refused(time: float) -> None:
    with pytest.raises((ValueError, TypeError)):
        Task.cut("a", "b", start=time)


def test_frames_are_pixels_of_the_frame_on_screen(engine: Engine, samples: Path) -> None:
    clip = samples / "b-frames.mp4"
    one = engine.frames(clip, at=Fraction(51, 50), width=80)
    assert (one.pictures[0].start, one.pictures[0].frame) == (Fraction(1), 25)
    assert len(one.data) == one.width * one.height * 3 and (one.width, one.height) == (80, 45)
    series = engine.frames(clip, count=3, width=80)
    assert len(series.data) == 3 * len(one.data)
    assert [picture.start for picture in series.pictures] == sorted(
        picture.start for picture in series.pictures
    )
    with pytest.raises(TypeError, match="at"):
        engine.frames(clip, at=1, count=2)
    with pytest.raises(trim_media.MediaError, match="exceed what a row can hold"):
        engine.frames(clip, count=9, width=1920)
