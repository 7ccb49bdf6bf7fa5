"""Tests of edit lists, joins, and texts that move with a cut."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

import trim_media
from trim_media import EditList, Engine, ListPart, Marker, Source, Task

CUES = """1
00:00:00,500 --> 00:00:01,250
a

2
00:00:01,100 --> 00:00:01,400
b

3
00:00:02,000 --> 00:00:03,001
c
"""


def test_a_list_is_read_and_written_exactly(samples: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.edl"
    path.write_text("1.25 2.5 0\n3 4.1 1\n")
    with pytest.raises(trim_media.MediaError, match="line 2: it mutes"):
        EditList.read(path)
    read = EditList.read(path, ignore_mute=True)
    assert read.parts == (ListPart(Fraction(5, 4), Fraction(5, 2), is_kept=False),)
    assert len(read.left_out) == 1
    kept = read.kept({0: (Fraction(0), Fraction(4))})
    assert [(one.start, one.end) for one in kept.parts] == [
        (0, Fraction(5, 4)),
        (Fraction(5, 2), 4),
    ]
    kept.write(tmp_path / "a.otio", samples / "b-frames.mp4")
    again = EditList.read(tmp_path / "a.otio", samples / "b-frames.mp4")
    assert [one.start for one in again.parts] == [0, Fraction(5, 2)]
    with pytest.raises(trim_media.OutputError):
        kept.write(tmp_path / "a.otio", samples / "b-frames.mp4")


def test_trim_s_own_format_holds_all_of_a_list(tmp_path: Path) -> None:
    whole = EditList(
        sources=(
            Source("a.mp4", trim_media.Identity(12, "ab", "cd")),
            Source(),
        ),
        parts=(
            ListPart(Fraction(1, 3), Fraction(2), 1, "eins \u00e9", (0, 2)),
            ListPart(Fraction(0), Fraction(1), is_kept=False),
        ),
        markers=(Marker(Fraction(1, 7), 1, "m"),),
        rate=Fraction(30000, 1001),
    )
    whole.write(tmp_path / "a.json", format_id="trim")
    assert EditList.read(tmp_path / "a.json") == whole
    with pytest.raises(trim_media.MediaError, match=r"parts\[0\]"):
        whole.write(tmp_path / "a.edl", format_id="edl")


def test_operations_are_those_of_sets() -> None:
    chance = random.Random(1)
    for _ in range(50):
        ranges = [(a, a + chance.randrange(3)) for a in (chance.randrange(12) for _ in range(4))]
        removed = [(Fraction(a), Fraction(b)) for a, b in ranges]
        whole = {0: (Fraction(1), Fraction(11))}
        left = EditList.of(removed, is_kept=False).kept(whole) if removed else EditList()
        cells = {n for part in left.parts for n in range(int(part.start), int(part.end))}
        assert cells == set(range(1, 11)) - {n for a, b in ranges for n in range(a, b)}
        back = left.removed_instead(whole)
        assert back.kept(whole).parts == left.parts or not back.parts
        assert left.length == len(cells)
    three = EditList.of([(0, 3)])
    assert [one.length for one in three.split(Fraction(1)).parts] == [1, 2]
    assert three.shifted(Fraction(1, 3)).parts[0].end == Fraction(10, 3)
    assert three.clipped(Fraction(1), Fraction(2)).parts[0].length == 1


def test_a_list_of_a_task_is_cut(engine: Engine, samples: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.edl"
    path.write_text("1.0 1.5 0\n")
    cut = engine.cuts(samples / "b-frames.mp4", path, tmp_path / "a.mp4")
    assert cut.length == Fraction(7, 2)
    places = [part for one in cut.parts for part in (one.output_start, one.output_end)]
    assert places == [0, 1, 1, Fraction(7, 2)]
    assert cut.output_times(Fraction(5, 4)) == ()
    assert cut.output_times(2) == (Fraction(3, 2),)
    assert cut.source_time(Fraction(3, 2)) == (0, Fraction(2))
    assert cut.source_time(9) is None


def test_files_are_joined(engine: Engine, samples: Path, tmp_path: Path) -> None:
    clip = samples / "b-frames.mp4"
    other = tmp_path / "other.mp4"
    other.write_bytes(clip.read_bytes())
    join = engine.join([f"{clip}#t=0,1", f"{other}#t=2,3"], tmp_path / "all.mp4")
    assert join.inputs == (str(clip), str(other))
    assert [part.source for part in join.parts] == [0, 1]
    assert join.output_times(2, source=1) == (Fraction(1),)
    assert (tmp_path / "all.mp4").stat().st_size == join.bytes
    with pytest.raises(TypeError, match="paths is a list"):
        Task.join("a.mp4", "b.mp4")
    assert Task.join([b"/\xff.mp4"], "/b.mp4").line(1).count(b"paths_b64") == 1


def test_subtitles_move_with_a_cut(engine: Engine, samples: Path, tmp_path: Path) -> None:
    text = tmp_path / "a.srt"
    text.write_text(CUES)
    plan = engine.plan(samples / "b-frames.mp4", tmp_path / "a.mp4", remove=["1..1.5"])
    done = trim_media.retime(text, tmp_path / "b.srt", plan)
    assert (done.format, done.written, done.dropped, done.clipped) == ("srt", 2, 1, 1)
    assert (tmp_path / "b.srt").read_text() == (
        "1\n00:00:00,500 --> 00:00:01,000\na\n\n2\n00:00:01,500 --> 00:00:02,501\nc\n"
    )
    with pytest.raises(trim_media.OutputError, match="exists"):
        trim_media.retime(text, tmp_path / "b.srt", plan)
    again = trim_media.retime(text, tmp_path / "b.srt", plan.raw, force=True)
    assert again == done
    text.write_text("no cues")
    with pytest.raises(trim_media.MediaError, match=r"a\.srt: it has no line"):
        trim_media.retime(text, tmp_path / "c.srt", plan)
