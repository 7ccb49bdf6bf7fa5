"""Projects: the work on a file, as `trim edit` and `trim studio` save and open it."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path as FilePath
from typing import Any

from ._edits import EditList, Identity
from ._engine import Engine, shared
from ._errors import MediaError, OutputError
from ._results import Cut
from ._tasks import MediaSource, Mode, Path, Task

_VERSION = 2
_LONGEST = 16 << 20


@dataclass(frozen=True, slots=True)
class LengthLimit:
    """Which lengths are valid, in seconds."""

    minimum: Fraction = Fraction(0)
    maximum: Fraction | None = None
    is_maximum_inclusive: bool = False


@dataclass(frozen=True, slots=True)
class Project:
    """The work on one file: its parts with their names, and how they are written.

    `dataclasses.replace(project, edit_list=…)` has other parts. Only a media file that is given is
    opened.
    """

    edit_list: EditList
    """The parts and markers, of one source."""
    joins: bool
    """Whether the parts become one file."""
    selected: int
    """The index of the selected part."""
    start: Fraction
    end: Fraction
    """What the file presents."""
    frames: int
    output: str
    """The name of the output, whose extension is its type."""
    mode: Mode = "smart"
    tracks: tuple[int, ...] = ()
    """The numbers of the tracks that are written."""
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
            if not isinstance(value, Mapping) or value.get("version") != _VERSION:
                raise ValueError(f"only version {_VERSION} is known")
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
            "version": _VERSION,
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
        self, media: MediaSource, output: Path, *, force: bool = False
    ) -> tuple[Task[Cut], ...]:
        """Returns the cuts that the project asks for, of its file.

        One that joins writes `output`; else each of several parts has a file of its own, with its
        number from 1 before the extension: `a-1.mp4`.
        """
        file = FilePath(os.fsdecode(output))
        ranges = [f"{part.start}..{part.end}" for part in self.edit_list.parts if part.is_kept]
        options: dict[str, Any] = {"mode": self.mode, "force": force}
        if self.tracks:
            options["tracks"] = ",".join(map(str, self.tracks))
        if self.limit is not None and not self.limit.is_maximum_inclusive:
            options["max_length"] = self.limit.maximum
        if self.joins or len(ranges) == 1:
            return (Task.cut(media, file, keep=ranges, join=len(ranges) > 1, **options),)
        names = (file.with_stem(f"{file.stem}-{number + 1}") for number in range(len(ranges)))
        return tuple(
            Task.cut(media, name, keep=[one], **options)
            for name, one in zip(names, ranges, strict=True)
        )

    def cut(
        self,
        media: MediaSource,
        output: Path,
        *,
        force: bool = False,
        engine: Engine | None = None,
    ) -> tuple[Cut, ...]:
        """Writes what the project asks for, after it was made sure that it is of this file."""
        runs = engine or shared()
        wanted = self.edit_list.sources[0].identity
        if wanted is not None and identity_of(media, runs) != wanted:
            raise _unreadable(
                "it is another file than the one that the project is of",
                Task.probe(media).shown_path,
            )
        tasks = self.tasks(media, output, force=force)
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
    if len(edit_list.sources) != 1 or not 0 <= project.selected < len(edit_list.parts):
        raise ValueError("its parts are not those of one file, or none of them is selected")
    return project


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
