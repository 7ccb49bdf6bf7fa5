"""Lists of parts with exact times, and the formats of other programs that hold them."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path as FilePath
from typing import Any

from ._direct import run
from ._tasks import Path

Range = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Identity:
    """What distinguishes one file from others."""

    size: int
    """In bytes."""
    head: str
    packets: str


@dataclass(frozen=True, slots=True)
class Source:
    """A file that parts are taken from."""

    hint: str | None = None
    """Where it was, as the list has it: never a reason to open a file."""
    identity: Identity | None = None


@dataclass(frozen=True, slots=True)
class ListPart:
    """A half-open range of a source, in seconds of its timeline."""

    start: Fraction
    end: Fraction
    source: int = 0
    """The index of its source."""
    name: str | None = None
    tracks: tuple[int, ...] | None = None
    """The source's tracks that are written; all, if `None`."""
    is_kept: bool = True

    @property
    def length(self) -> Fraction:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Marker:
    """A named instant of a source."""

    time: Fraction
    source: int = 0
    name: str | None = None


@dataclass(frozen=True, slots=True)
class EditList:
    """An ordered list of parts of one or several sources, with exact times.

    >>> third = Fraction(1, 3)
    >>> ads = EditList.of([(third, 1), (Fraction(1, 2), 2)], is_kept=False)
    >>> [(part.start, part.end) for part in ads.kept({0: (Fraction(0), Fraction(3))}).parts]
    [(Fraction(0, 1), Fraction(1, 3)), (Fraction(2, 1), Fraction(3, 1))]
    """

    sources: tuple[Source, ...] = (Source(),)
    parts: tuple[ListPart, ...] = ()
    markers: tuple[Marker, ...] = ()
    rate: Fraction | None = None
    """Frames per second that the list counts in, where it has such a rate."""
    left_out: tuple[str, ...] = ()
    """What the text that it was read from says and the list does not."""

    @staticmethod
    def of(
        ranges: Iterable[tuple[Fraction | int, Fraction | int]], *, is_kept: bool = True
    ) -> EditList:
        """Returns a list of ranges of one file."""
        parts = (ListPart(Fraction(a), Fraction(b), is_kept=is_kept) for a, b in ranges)
        return EditList(parts=tuple(parts))

    # --- Reading and writing, which the engine does.

    @staticmethod
    def read(path: Path, *media: Path, ignore_mute: bool = False, words: bool = False) -> EditList:
        """Reads a list in any format that `trim list` reads.

        Files that the list is for give frame rates and ends to formats that leave them out.
        """
        with tempfile.TemporaryDirectory() as folder:
            output = FilePath(folder, "list.json")
            line = ["list", f"--output={output}", "--as=trim"]
            line += ["--ignore-mute"] * ignore_mute + ["--words"] * words
            document = run(line, ["convert", path, *media])
            return EditList.of_json(json.loads(output.read_bytes()), left_out=document["left_out"])

    def write(
        self, path: Path, *media: Path, format_id: str | None = None, force: bool = False
    ) -> tuple[str, ...]:
        """Writes the list in the format of the file's extension, or in that of an `id` such as
        `edl`, and returns what the format cannot say.

        Raises a `TrimError`, with the part, where the format cannot hold one.
        """
        line = ["list", f"--output={os.fsdecode(path)}"]
        line += [f"--as={format_id}"] if format_id else []
        line += ["--force"] * force
        text = json.dumps(self.to_json()).encode()
        document = run(line, ["convert", "-", *media], text)
        return tuple(document["left_out"])

    @staticmethod
    def of_json(value: Mapping[str, Any], left_out: Iterable[str] = ()) -> EditList:
        """Returns the list that the JSON of trim's own format has."""
        return EditList(
            sources=tuple(map(_source, value["sources"])),
            parts=tuple(map(_part, value["parts"])),
            markers=tuple(map(_marker, value.get("markers") or ())),
            rate=None if value.get("rate") is None else Fraction(value["rate"]),
            left_out=tuple(left_out),
        )

    def to_json(self) -> dict[str, Any]:
        """Returns the JSON of trim's own format, the only one that holds all of a list."""
        value: dict[str, Any] = {
            "version": 1,
            "sources": [_members(source) for source in self.sources],
            "parts": [_members(part) for part in self.parts],
            "markers": [_members(marker) for marker in self.markers],
        }
        return value if self.rate is None else {**value, "rate": str(self.rate)}

    # --- Operations, as those of the engine.

    def removing(self, removed: Iterable[Range], source: int = 0) -> EditList:
        """Returns the list whose kept parts lack the ranges of a source."""
        united = union(removed)
        return self._replacing(source, lambda part: complement(united, (part.start, part.end)))

    def kept(self, whole: Mapping[int, Range]) -> EditList:
        """Returns the list of what is kept: removals are taken out of the kept parts of their
        source, or out of `whole` where the list only says what is removed of it."""
        kept = replace(self, parts=tuple(part for part in self.parts if part.is_kept))
        keepers = {part.source for part in kept.parts}
        removals: dict[int, list[Range]] = {}
        for part in self.parts:
            if not part.is_kept:
                removals.setdefault(part.source, []).append((part.start, part.end))
        for source in sorted(removals):
            if source not in keepers and source in whole:
                kept = replace(kept, parts=(*kept.parts, ListPart(*whole[source], source)))
            kept = kept.removing(removals[source], source)
        return kept

    def removed_instead(self, whole: Mapping[int, Range]) -> EditList:
        """Returns the list of what no kept part has, as removals."""
        parts: list[ListPart] = []
        for source in sorted(whole):
            ranges = (
                (part.start, part.end)
                for part in self.parts
                if part.is_kept and part.source == source
            )
            rest = complement(union(ranges), whole[source])
            parts += [ListPart(a, b, source, is_kept=False) for a, b in rest]
        return replace(self, parts=tuple(parts))

    def clipped(self, start: Fraction, end: Fraction, source: int = 0) -> EditList:
        """Returns the list without what lies outside of a range of a source."""

        def inside(part: ListPart) -> list[Range]:
            return intersection([(part.start, part.end)], [(start, end)])

        markers = (one for one in self.markers if one.source != source or start <= one.time < end)
        parts = self._replacing(source, inside, every=True).parts
        return replace(self, parts=parts, markers=tuple(markers))

    def split(self, time: Fraction, source: int = 0) -> EditList:
        """Returns the list whose parts end, and start again, at an instant inside of them."""

        def pieces(part: ListPart) -> list[Range]:
            if part.start < time < part.end:
                return [(part.start, time), (time, part.end)]
            return [(part.start, part.end)]

        return self._replacing(source, pieces, every=True)

    def shifted(self, length: Fraction, source: int = 0) -> EditList:
        """Returns the list with all times of a source moved."""
        parts = (
            replace(one, start=one.start + length, end=one.end + length)
            if one.source == source
            else one
            for one in self.parts
        )
        markers = (
            replace(one, time=one.time + length) if one.source == source else one
            for one in self.markers
        )
        return replace(self, parts=tuple(parts), markers=tuple(markers))

    @property
    def length(self) -> Fraction:
        """The length of all kept parts together; what two parts share counts twice."""
        return sum((part.length for part in self.parts if part.is_kept), Fraction(0))

    def _replacing(
        self, source: int, pieces: Callable[[ListPart], list[Range]], every: bool = False
    ) -> EditList:
        parts: list[ListPart] = []
        for part in self.parts:
            if part.source == source and (every or part.is_kept):
                parts += [replace(part, start=a, end=b) for a, b in pieces(part)]
            else:
                parts.append(part)
        return replace(self, parts=tuple(parts))


def union(ranges: Iterable[Range]) -> list[Range]:
    """Returns the ranges in order, none empty, none overlapping or touching.

    >>> union([(Fraction(2), Fraction(3)), (Fraction(0), Fraction(2))])
    [(Fraction(0, 1), Fraction(3, 1))]
    """
    united: list[Range] = []
    for start, end in sorted(one for one in ranges if one[0] < one[1]):
        if united and start <= united[-1][1]:
            united[-1] = (united[-1][0], max(united[-1][1], end))
        else:
            united.append((start, end))
    return united


def intersection(ranges: Iterable[Range], others: Iterable[Range]) -> list[Range]:
    """Returns what is in both sets."""
    right = union(others)
    shared = ((max(a, c), min(b, d)) for a, b in union(ranges) for c, d in right)
    return [one for one in shared if one[0] < one[1]]


def complement(ranges: Iterable[Range], whole: Range) -> list[Range]:
    """Returns what is in `whole` and in none of the ranges."""
    rest: list[Range] = []
    start, end = whole
    for first, last in union(ranges):
        if last > start and first < end:
            if first > start:
                rest.append((start, first))
            start = last
    return [*rest, (start, end)] if start < end else rest


def _source(value: Mapping[str, Any]) -> Source:
    identity = value.get("identity")
    return Source(value.get("hint"), None if identity is None else Identity(**identity))


def _part(value: Mapping[str, Any]) -> ListPart:
    tracks = value.get("tracks")
    return ListPart(
        Fraction(value["range"]["start"]),
        Fraction(value["range"]["end"]),
        value["source"],
        value.get("name"),
        None if tracks is None else tuple(tracks),
        value["isKept"],
    )


def _marker(value: Mapping[str, Any]) -> Marker:
    return Marker(Fraction(value["time"]), value["source"], value.get("name"))


def _members(value: Source | ListPart | Marker) -> dict[str, Any]:
    if isinstance(value, Source):
        identity = value.identity
        members: dict[str, Any] = {"hint": value.hint}
        if identity is not None:
            members["identity"] = {
                "size": identity.size,
                "head": identity.head,
                "packets": identity.packets,
            }
    elif isinstance(value, Marker):
        members = {"source": value.source, "time": str(value.time), "name": value.name}
    else:
        members = {
            "source": value.source,
            "range": {"start": str(value.start), "end": str(value.end)},
            "name": value.name,
            "tracks": None if value.tracks is None else list(value.tracks),
            "isKept": value.is_kept,
        }
    return {key: member for key, member in members.items() if member is not None}
