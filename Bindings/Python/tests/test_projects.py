"""Tests projects: the work of a screen, as Python reads, changes and cuts it."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import trim_media
from trim_media import Engine, LengthLimit, ListPart, Project


@pytest.fixture
def value(engine: Engine, samples: Path) -> dict[str, Any]:
    """What a screen saves of b-frames.mp4."""
    identity = trim_media.identity_of(samples / "b-frames.mp4", engine)
    return {
        "version": 2,
        "edit_list": {
            "version": 1,
            "sources": [
                {"hint": "b-frames.mp4", "identity": dataclasses.asdict(identity)},
            ],
            "parts": [
                {"source": 0, "range": {"start": "3/5", "end": "3/2"}, "name": "a", "isKept": True},
                {"source": 0, "range": {"start": "2", "end": "3"}, "isKept": True},
            ],
            "markers": [{"source": 0, "time": "1", "name": "goal"}],
        },
        "joins": True,
        "selected_index": 1,
        "bounds": {"start": "0", "end": "4"},
        "frames": 100,
        "limit": {"minimum": "0", "is_maximum_inclusive": False, "maximum": "121/2"},
        "output": "clip.mkv",
        "mode": "smart",
        "tracks": [1],
    }


@pytest.fixture
def saved(tmp_path: Path, value: dict[str, Any]) -> Path:
    file = tmp_path / "clip.trimproject"
    file.write_text(json.dumps(value))
    return file


def test_a_project_is_the_same_after_it_was_written(
    saved: Path, value: dict[str, Any], tmp_path: Path
) -> None:
    project = Project.read(saved)
    assert project.to_json() == value
    assert project.limit == LengthLimit(maximum=Fraction(121, 2))
    with pytest.raises(trim_media.OutputError):
        project.write(saved)
    project.write(tmp_path / "again.trimproject")
    assert Project.read(tmp_path / "again.trimproject") == project
    parts = (ListPart(Fraction(0), Fraction(1)), *project.edit_list.parts)
    changed = dataclasses.replace(
        project, edit_list=dataclasses.replace(project.edit_list, parts=parts)
    )
    changed.write(saved, force=True)
    assert Project.read(saved) == changed != project
    assert {one.name for one in tmp_path.iterdir()} == {saved.name, "again.trimproject"}


def test_a_project_is_cut_as_it_says(
    engine: Engine, saved: Path, samples: Path, tmp_path: Path
) -> None:
    project, clip = Project.read(saved), samples / "b-frames.mp4"
    (cut,) = project.cut(clip, tmp_path / project.output, engine=engine)
    assert cut.length == Fraction(19, 10)
    assert [track.type for track in engine.probe(tmp_path / "clip.mkv").tracks] == ["video"]
    apart = dataclasses.replace(project, joins=False)
    lengths = [one.length for one in apart.cut(clip, tmp_path / "b.mp4", engine=engine)]
    assert lengths == [Fraction(9, 10), Fraction(1)]
    assert (tmp_path / "b-1.mp4").exists() and (tmp_path / "b-2.mp4").exists()
    (tmp_path / "b-1.mp4").unlink()
    with pytest.raises(trim_media.OutputError, match="already exists"):
        apart.cut(clip, tmp_path / "b.mp4", engine=engine)
    assert not (tmp_path / "b-1.mp4").exists()


@pytest.fixture
def several(engine: Engine, samples: Path, tmp_path: Path, value: dict[str, Any]) -> Path:
    """The same with a part of ntsc.mp4, which is another kind of file."""
    identity = trim_media.identity_of(samples / "ntsc.mp4", engine)
    value["version"] = 3
    value["edit_list"]["sources"].append(
        {"hint": "ntsc.mp4", "identity": dataclasses.asdict(identity)}
    )
    value["edit_list"]["parts"].append(
        {"source": 1, "range": {"start": "1/2", "end": "1"}, "isKept": True}
    )
    file = tmp_path / "several.trimproject"
    file.write_text(json.dumps(value))
    return file


def test_a_project_of_several_files_is_the_same_after_it_was_written_and_cut(
    engine: Engine, several: Path, value: dict[str, Any], samples: Path, tmp_path: Path
) -> None:
    project = Project.read(several)
    assert project.to_json() == value
    project.write(tmp_path / "again.trimproject")
    assert Project.read(tmp_path / "again.trimproject") == project
    files = [samples / "b-frames.mp4", samples / "ntsc.mp4"]
    (cut,) = project.cut(files, tmp_path / "a.mp4", engine=engine)
    written = engine.probe(tmp_path / "a.mp4").tracks
    assert [track.type for track in written] == ["video"]
    assert cut.frames == 48 + 16
    assert [part.source for part in cut.parts] == [0, 0, 1]
    apart = dataclasses.replace(project, joins=False)
    frames = [one.frames for one in apart.cut(files, tmp_path / "b.mp4", engine=engine)]
    assert frames == [23, 25, 16]
    with pytest.raises(ValueError, match="of 2 files, and 1 are given"):
        project.cut(files[0], tmp_path / "c.mp4", engine=engine)
    with pytest.raises(trim_media.MediaError, match="another file"):
        project.cut(files[::-1], tmp_path / "c.mp4", engine=engine)
    assert not (tmp_path / "c.mp4").exists()


def test_another_file_is_refused(
    engine: Engine, saved: Path, samples: Path, tmp_path: Path
) -> None:
    with pytest.raises(trim_media.MediaError, match="another file") as caught:
        Project.read(saved).cut(samples / "ntsc.mp4", tmp_path / "a.mp4", engine=engine)
    assert caught.value.code == "unreadableProject"
    assert not (tmp_path / "a.mp4").exists()


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        ("version", 3),
        ("version", 4),
        ("selected_index", 2),
        ("mode", "paint"),
        ("bounds", None),
        ("edit_list", {"version": 1, "sources": [], "parts": []}),
    ],
)
def test_a_damaged_project_is_refused(
    saved: Path, value: dict[str, Any], key: str, wrong: Any
) -> None:
    saved.write_text(json.dumps(value | {key: wrong}))
    with pytest.raises(trim_media.MediaError, match="not a project") as caught:
        Project.read(saved)
    assert (caught.value.code, caught.value.status) == ("unreadableProject", 65)
    saved.write_text("[" * 3)
    with pytest.raises(trim_media.MediaError, match="not a project"):
        Project.read(saved)
