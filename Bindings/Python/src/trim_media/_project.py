"""Projects: the work on a file, as `trim edit` and `trim studio` save and open it."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path as FilePath
from typing import Any

from ._edits import EditList, Identity, ListPart
from ._engine import Engine, shared
from ._errors import MediaError, OutputError
from ._results import Cut
from ._tasks import MediaSource, Mode, Path, Task, _absolute

_VERSION = 2
_VERSION_OF_SEVERAL = 3
_MOST_FILES = 100
# The tracks that can be chosen.
_CHOSEN_KINDS = {"video", "audio", "subtitle"}
_LONGEST = 16 << 20


@dataclass(frozen=True, slots=True)
class LengthLimit:
    """Which lengths are valid, in seconds."""

    minimum: Fraction = Fraction(0)
    maximum: Fraction | None = None
    is_maximum_inclusive: bool = False


@dataclass(frozen=True, slots=True)
class Project:
    """The work on one or several files: parts with their names, and how they are written.

    `dataclasses.replace(project, edit_list=…)` has other parts. Only media files that are given are
    opened.
    """

    edit_list: EditList
    """The parts and markers; the first source is the file that has the project."""
    joins: bool
    """Whether the parts become one file."""
    selected: int
    """The index of the selected part."""
    start: Fraction
    end: Fraction
    """What the first file presents."""
    frames: int
    output: str
    """The name of the output, whose extension is its type."""
    mode: Mode = "smart"
    tracks: tuple[int, ...] = ()
    """The numbers of the first file's tracks that are written; empty for all."""
    limit: LengthLimit | None = None
    """`None` for that of a fresh start."""

    @staticmethod
    def read(path: Path) -> Project:
        """Reads a file that ends in `.trimproject`; raises a `MediaError` if it is none."""
        file = FilePath(os.fsdecode(path))
        try:
            with file.open("rb") as opened:
                data = opened.read(_LONGEST + 1)
            if len(data) > _LONGEST:
                raise ValueError(f"it is longer than {_LONGEST} bytes")
            value = json.loads(data)
            versions = (_VERSION, _VERSION_OF_SEVERAL)
            if not isinstance(value, Mapping) or value.get("version") not in versions:
                raise ValueError(f"only versions {_VERSION} and {_VERSION_OF_SEVERAL} are known")
            return _project(value)
        except (ValueError, KeyError, TypeError, AttributeError, ZeroDivisionError) as error:
            raise _unreadable(f"it is not a project: {error}", str(file)) from error

    def write(self, path: Path, *, force: bool = False) -> None:
        """Writes the project; one that exists is replaced only with `force`."""
        file = FilePath(os.fsdecode(path))
        text = json.dumps(self.to_json(), indent=2, ensure_ascii=False) + "\n"
        part = file.with_name(f".{file.name}.{secrets.token_hex(4)}.part")
        try:
            part.write_text(text, "utf-8")
            if force:
                part.replace(file)
            else:
                os.link(part, file)
        except FileExistsError as error:
            raise OutputError(
                "it already exists", code="outputExists", status=73, path=str(file)
            ) from error
        finally:
            part.unlink(missing_ok=True)

    def to_json(self) -> dict[str, Any]:
        """Returns the JSON of the file."""
        value: dict[str, Any] = {
            "version": _VERSION if len(self.edit_list.sources) == 1 else _VERSION_OF_SEVERAL,
            "edit_list": self.edit_list.to_json(),
            "joins": self.joins,
            "selected_index": self.selected,
            "bounds": {"start": str(self.start), "end": str(self.end)},
            "frames": self.frames,
        }
        if self.limit is not None:
            value["limit"] = {
                "minimum": str(self.limit.minimum),
                "is_maximum_inclusive": self.limit.is_maximum_inclusive,
            }
            if self.limit.maximum is not None:
                value["limit"]["maximum"] = str(self.limit.maximum)
        return value | {"output": self.output, "mode": self.mode, "tracks": list(self.tracks)}

    def tasks(
        self, media: MediaSource | Sequence[Path], output: Path, *, force: bool = False
    ) -> tuple[Task[Cut], ...]:
        """Returns the cuts that the project asks for, of its file; of several, a list of their
        paths in the order of its sources.

        One that joins writes `output`; else each of several parts has a file of its own, with its
        number from 1 before the extension: `a-1.mp4`. Chosen tracks are those of the first file,
        which then leads a join.
        """
        file = FilePath(os.fsdecode(output))
        files = self._files(media)
        parts = [part for part in self.edit_list.parts if part.is_kept]
        options: dict[str, Any] = {"mode": self.mode, "force": force}
        if self.limit is not None and not self.limit.is_maximum_inclusive:
            options["max_length"] = self.limit.maximum
        chosen: dict[str, Any] = {}
        if self.tracks:
            chosen["tracks"] = ",".join(map(str, self.tracks))

        def cut(parts: Sequence[ListPart], output: FilePath) -> Task[Cut]:
            source = parts[0].source
            keep = [f"{part.start}..{part.end}" for part in parts]
            tracks: dict[str, Any] = {} if source else chosen
            return Task.cut(
                files[source], output, keep=keep, join=len(keep) > 1, **options, **tracks
            )

        if not parts:
            raise ValueError("no part of the project is kept")
        if not self.joins and len(parts) > 1:
            names = (file.with_stem(f"{file.stem}-{number + 1}") for number in range(len(parts)))
            return tuple(cut([part], name) for part, name in zip(parts, names, strict=True))
        used = {part.source for part in parts}
        if len(used) == 1:
            return (cut(parts, file),)
        paths = [os.fsdecode(_absolute(_path(one))) for one in files]
        task = Task.join(
            [f"{paths[part.source]}#t={part.start},{part.end}" for part in parts],
            file,
            **options,
            **(chosen if 0 in used else {}),
        )
        if self.tracks and 0 in used:
            if any("\ud800" <= letter <= "\udfff" for letter in paths[0]):
                raise ValueError("tracks cannot be chosen of a first file whose name is not UTF-8")
            task = replace(task, options={**task.options, "like": paths[0]})
        return (task,)

    def _files(self, media: MediaSource | Sequence[Path]) -> list[MediaSource]:
        files: list[MediaSource]
        if isinstance(media, Sequence) and not isinstance(media, str | bytes):
            files = list(media)
        else:
            files = [media]
        if len(files) != len(self.edit_list.sources):
            count = len(self.edit_list.sources)
            raise ValueError(f"the project is of {count} files, and {len(files)} are given")
        return files

    def cut(
        self,
        media: MediaSource | Sequence[Path],
        output: Path,
        *,
        force: bool = False,
        engine: Engine | None = None,
    ) -> tuple[Cut, ...]:
        """Writes what `tasks` returns, once it is certain that the project is of these files."""
        runs = engine or shared()
        files = self._files(media)
        for one, source in zip(files, self.edit_list.sources, strict=True):
            if source.identity is not None and identity_of(one, runs) != source.identity:
                raise _unreadable(
                    "it is another file than the one that the project is of",
                    Task.probe(one).shown_path,
                )
        project = self
        if len(files) > 1 and self.tracks:
            tracks = runs.run(Task.probe(files[0])).tracks
            if {one.id for one in tracks if one.type in _CHOSEN_KINDS} <= set(self.tracks):
                # None is left out, and any file may lead.
                project = replace(self, tracks=())
        tasks = project.tasks(media, output, force=force)
        for name in (os.fsdecode(task.output or "") for task in tasks):
            # Otherwise some would be written.
            if not force and os.path.lexists(name):
                raise OutputError("it already exists", code="outputExists", status=73, path=name)
        return tuple(runs.run(task) for task in tasks)


def identity_of(media: MediaSource, engine: Engine | None = None) -> Identity:
    """Returns what distinguishes a media file from others, as projects and plans have it."""
    plan = (engine or shared()).plan(media, mode="copy")
    source = plan.raw["plan"]["sources"][0]
    return Identity(int(source["bytes"]), source["head"], source["times"])


def _project(value: Mapping[str, Any]) -> Project:
    limit = value.get("limit")
    edit_list = EditList.of_json(value["edit_list"])
    project = Project(
        edit_list=edit_list,
        joins=bool(value["joins"]),
        selected=int(value["selected_index"]),
        start=Fraction(value["bounds"]["start"]),
        end=Fraction(value["bounds"]["end"]),
        frames=int(value["frames"]),
        output=str(value["output"]),
        mode=_mode(value["mode"]),
        tracks=tuple(map(int, value["tracks"])),
        limit=None if limit is None else _limit(limit),
    )
    count = len(edit_list.sources)
    several = value["version"] == _VERSION_OF_SEVERAL
    if not (2 <= count <= _MOST_FILES if several else count == 1):
        raise ValueError(f"its parts are not those of {'several files' if several else 'one file'}")
    if not 0 <= project.selected < len(edit_list.parts):
        raise ValueError("none of its parts is selected")
    if not all(0 <= part.source < count for part in edit_list.parts):
        raise ValueError("a part is of none of its files")
    return project


def _path(media: MediaSource) -> Path:
    if isinstance(media, str | bytes | os.PathLike):
        return media
    raise TypeError("parts of several files are joined by their paths")


def _mode(value: str) -> Mode:
    modes: tuple[Mode, ...] = ("smart", "edit-list", "copy", "reencode")
    for mode in modes:
        if mode == value:
            return mode
    raise ValueError(f"the mode {value!r} is not known")


def _limit(value: Mapping[str, Any]) -> LengthLimit:
    maximum = value.get("maximum")
    return LengthLimit(
        Fraction(value.get("minimum", 0)),
        None if maximum is None else Fraction(maximum),
        bool(value.get("is_maximum_inclusive", False)),
    )


def _unreadable(message: str, path: str) -> MediaError:
    return MediaError(message, code="unreadableProject", status=65, path=path)
