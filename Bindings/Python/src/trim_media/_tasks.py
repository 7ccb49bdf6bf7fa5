"""Tasks: requests to the engine, as values."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypedDict, TypeVar

from ._facts import Facts
from ._found import Findings
from ._results import Check, Cut, Frames, Join, Plan, Strip, Waveform
from ._serving import ServedName, shown
from ._stores import FileObject, StoredFile, shown_url
from ._times import Time, written

if TYPE_CHECKING:
    from typing_extensions import Unpack

Path: TypeAlias = str | bytes | os.PathLike[str] | os.PathLike[bytes]
MediaSource: TypeAlias = Path | StoredFile | FileObject
"""A file that is read: a path, an address, one of a file system, or an open binary file."""
Depth: TypeAlias = Literal["auto", "header", "packets", "frames"]
Mode: TypeAlias = Literal["smart", "edit-list", "copy", "reencode"]
Sound: TypeAlias = Literal["copy", "reencode"]
Verification: TypeAlias = Literal["edges", "full", "written", "none"]

_ADDRESS = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*://")

Result = TypeVar("Result", covariant=True)


class Cutting(TypedDict, total=False):
    """The options that `cut` and `plan` share: what is kept, and how."""

    start: Time | None
    end: Time | None
    length: Time | None
    keep: Iterable[str]
    """Parts, such as `["10..20", "1:00+30"]`."""
    remove: Iterable[str]
    """Ranges to leave out; what is left is one file."""
    join: bool
    mode: Mode | None
    tracks: str | None
    audio: Sound | None
    strict_range: bool
    fragmented: bool
    keep_creation_time: bool
    max_length: Time | None
    min_length: Time | None
    max_bytes: int | None
    """A larger output is refused."""


@dataclass(frozen=True, repr=False)
class Task(Generic[Result]):
    """One operation on one file; made by `Task.probe` and the other static methods.

    Options are those of the command of the same name: see, for example, `trim help cut`.
    """

    op: str
    path: MediaSource
    output: Path | None
    options: Mapping[str, Any]
    read: Callable[[str, Mapping[str, Any]], Result] = field(repr=False, compare=False)
    tag: Any = None
    """Anything that a caller wants to find again in the row."""
    others: tuple[MediaSource, ...] = ()
    """Further files that it reads: those of a join after the first, or the list of `cuts`."""

    def __repr__(self) -> str:
        """Names no more of an address than errors do."""
        output = None if self.output is None else shown_url(os.fsdecode(self.output))
        names = [shown(one) for one in (self.path, *self.others)]
        return f"Task({self.op!r}, {names!r}, output={output!r}, options={self.options!r})"

    def tagged(self, tag: Any) -> Task[Result]:
        return replace(self, tag=tag)

    @property
    def shown_path(self) -> str:
        """The path; an address without user and query, which may be secret."""
        return shown(self.path)

    @property
    def media(self) -> tuple[MediaSource, ...]:
        """The media files that it reads."""
        return (self.path, *self.others) if self.op == "join" else (self.path,)

    def line(self, number: int, names: Sequence[ServedName | None] = ()) -> bytes:
        """Returns the task as a line for `trim batch`; paths are made absolute, and stay bytes.

        `names` has those by which the engine asks for media that this process reads for it.
        """
        members: dict[str, Any] = {"id": number, "op": self.op}
        media = [a if b is None else b for a, b in zip_longest(self.media, names)]
        if self.op == "join":
            members |= _names("paths", media)
        else:
            members |= _name("path", media[0])
            for other in self.others:
                members |= _name("list", other)
        if self.output is not None:
            members |= _name("output", self.output)
        members |= self.options
        return json.dumps(members, separators=(",", ":")).encode("ascii") + b"\n"

    @staticmethod
    def probe(
        path: MediaSource,
        *,
        depth: Depth = "auto",
        keyframes: bool = False,
        frames: bool = False,
        max_length: Time | None = None,
    ) -> Task[Facts]:
        """Probes a file: its durations, tracks, keyframes and damage."""
        options = _given(keyframes=keyframes, frames=frames, max_length=_time(max_length))
        return Task("probe", path, None, _depth(depth) | options, Facts.of)

    @staticmethod
    def check(
        path: MediaSource,
        *,
        max_length: Time | None = None,
        min_length: Time | None = None,
        depth: Depth = "auto",
    ) -> Task[Check]:
        """Checks whether a file is shorter than the limit, which is 60.5 s by default."""
        options = _given(max_length=_time(max_length), min_length=_time(min_length))
        return Task("check", path, None, _depth(depth) | options, Check.of)

    @staticmethod
    def plan(
        path: MediaSource, output: Path | None = None, **options: Unpack[Cutting]
    ) -> Task[Plan]:
        """Plans a cut, without writing anything. `output` selects the container."""
        return Task("plan", path, output, _cutting(options), Plan.of)

    @staticmethod
    def cut(
        path: MediaSource,
        output: Path,
        *,
        verify: Verification | None = None,
        reject_damage: bool = False,
        force: bool = False,
        **options: Unpack[Cutting],
    ) -> Task[Cut]:
        """Writes what is on screen from `start` until `end`, or for `length`, or the parts of
        `keep` with `join`; `Cutting` has all options.

        The file is verified before it appears. An existing file is replaced only with `force`.
        """
        given = _given(verify=verify, reject_damage=reject_damage, force=force)
        return Task("cut", path, output, _cutting(options) | given, Cut.of)

    @staticmethod
    def cuts(
        path: MediaSource,
        edit_list: Path,
        output: Path,
        *,
        cuts_are: Literal["keep", "remove"] | None = None,
        ignore_mute: bool = False,
        words: bool = False,
        keep_cues: Iterable[str] = (),
        remove_words: str | None = None,
        verify: Verification | None = None,
        reject_damage: bool = False,
        force: bool = False,
        **options: Unpack[Cutting],
    ) -> Task[Cut]:
        """Writes what a list in any known format keeps, or what it does not remove.

        `cuts_are` says which, if not what the format says. `keep_cues` and `remove_words` choose
        from a transcript.
        """
        given = _given(
            cuts_are=cuts_are,
            ignore_mute=ignore_mute,
            words=words,
            keep_cues=[*keep_cues] or None,
            remove_words=remove_words,
            verify=verify,
            reject_damage=reject_damage,
            force=force,
        )
        task = Task("cuts", path, output, _cutting(options) | given, Cut.of)
        return replace(task, others=(edit_list,))

    @staticmethod
    def join(
        paths: Iterable[MediaSource],
        output: Path,
        *,
        mode: Literal["smart", "copy", "reencode"] | None = None,
        tracks: str | None = None,
        audio: Sound | None = None,
        chapters_from_names: bool = False,
        verify: Verification | None = None,
        max_length: Time | None = None,
        min_length: Time | None = None,
        force: bool = False,
    ) -> Task[Join]:
        """Writes several files, or parts of them such as `"b.mp4#t=5,10"`, into one."""
        if isinstance(paths, str | bytes):
            raise TypeError("paths is a list of files, not a string")
        first, *others = paths
        options = _given(
            mode=mode,
            tracks=tracks,
            audio=audio,
            chapters_from_names=chapters_from_names,
            verify=verify,
            max_length=_time(max_length),
            min_length=_time(min_length),
            force=force,
        )
        return replace(Task("join", first, output, options, Join.of), others=tuple(others))

    @staticmethod
    def strip(
        path: MediaSource,
        output: Path,
        *,
        start: Time | None = None,
        end: Time | None = None,
        length: Time | None = None,
        count: int | None = None,
        every: Time | None = None,
        width: int | None = None,
        columns: int | None = None,
        fast: bool = False,
        force: bool = False,
    ) -> Task[Strip]:
        """Writes frames side by side as PNG or JPEG, each exact unless `fast`."""
        options = _part(start, end, length) | _given(
            count=count, every=_time(every), width=width, columns=columns, fast=fast, force=force
        )
        return Task("strip", path, output, options, Strip.of)

    @staticmethod
    def frames(
        path: MediaSource,
        *,
        at: Time | None = None,
        start: Time | None = None,
        end: Time | None = None,
        length: Time | None = None,
        count: int | None = None,
        every: Time | None = None,
        width: int | None = None,
        fast: bool = False,
    ) -> Task[Frames]:
        """Decodes frames to pixels: the one shown `at` a time, or several of a range, as `strip`.

        Each is exact unless `fast`, upright, with square pixels, and 160 pixels wide by default.
        """
        if at is not None:
            if any(one is not None for one in (start, end, length, count, every)):
                raise TypeError("'at' is one frame: it excludes other times and a count")
            # The engine has no option for a single frame: this requests the first of a series that
            # starts there, whose second frame would be 10^9 s later.
            start, every = at, 10**9
        options = _part(start, end, length) | _given(
            count=count, every=_time(every), width=width, columns=1, fast=fast
        )
        return Task("strip", path, None, options, Frames.of)

    @staticmethod
    def find(
        path: MediaSource,
        *,
        silence: bool | Time = False,
        black: bool | Time = False,
        still: bool | Time = False,
        scenes: bool = False,
        fades: bool = False,
        silence_level: Time | str | None = None,
        channels: Literal["all", "each"] | None = None,
        start: Time | None = None,
        end: Time | None = None,
        length: Time | None = None,
    ) -> Task[Findings]:
        """Looks for silence, black, still pictures, scenes and fades.

        Looks for all of them if none is named. `True` uses the default threshold, and a time is the
        shortest length that is reported. `silence_level` is in dBFS, -40 by default, or `"loud-30"`
        for 30 dB below the loudness; with `channels="each"`, silence is that of each channel by
        itself. Definitions are in `Documentation/Find.md`.
        """
        kinds: dict[str, Any] = {"scenes": scenes, "fades": fades}
        for kind, asked in {"silence": silence, "black": black, "still": still}.items():
            kinds[kind] = asked is not False
            kinds[f"{kind}_for"] = None if isinstance(asked, bool) else _time(asked)
        level = silence_level if isinstance(silence_level, str) else _time(silence_level)
        options = _given(**kinds, silence_level=level, channels=channels)
        return Task("find", path, None, _part(start, end, length) | options, Findings.of)

    @staticmethod
    def waveform(
        path: MediaSource,
        *,
        start: Time | None = None,
        end: Time | None = None,
        length: Time | None = None,
        samples_per_pixel: int | None = None,
        bits: Literal[8, 16] | None = None,
        channels: Literal["mixed", "all"] | None = None,
    ) -> Task[Waveform]:
        """Measures the audio levels of a file."""
        options = _part(start, end, length) | _given(
            samples_per_pixel=samples_per_pixel, bits=bits, channels=channels
        )
        return Task("wave", path, None, options, Waveform.of)


def _given(**options: Any) -> dict[str, Any]:
    return {
        key: value for key, value in options.items() if value is not None and value is not False
    }


def _time(time: Time | None) -> str | None:
    return None if time is None else written(time)


def _depth(depth: Depth) -> dict[str, Any]:
    return {} if depth == "auto" else {"depth": depth}


def _part(start: Time | None, end: Time | None, length: Time | None) -> dict[str, Any]:
    return _given(**{"from": _time(start), "to": _time(end), "for": _time(length)})


def _cutting(options: Mapping[str, Any]) -> dict[str, Any]:
    ranges = {key: options.get(key, ()) for key in ("keep", "remove")}
    for key, given in ranges.items():
        if isinstance(given, str):
            message = f"{key} is a list of ranges such as ['10..20', '1:00+30'], not a string"
            raise TypeError(message)
    part = {key: options.get(key) for key in ("start", "end", "length")}
    limits = {key: _time(options.get(key)) for key in ("max_length", "min_length")}
    rest = {key: value for key, value in options.items() if key not in {*part, *ranges}}
    lists = {key: list(given) or None for key, given in ranges.items()}
    return _part(**part) | _given(**rest | limits | lists)


def _name(key: str, path: MediaSource) -> dict[str, str]:
    """Returns a path as text, or else as bytes; absolute, so that a later chdir has no effect."""
    name = _absolute(path)
    try:
        return {key: name.decode("utf-8")}
    except UnicodeDecodeError:
        return {f"{key}_b64": base64.b64encode(name).decode("ascii")}


def _names(key: str, paths: Iterable[MediaSource]) -> dict[str, list[str]]:
    """Returns several paths, all of them as bytes if one is not text."""
    names = [_absolute(path) for path in paths]
    try:
        return {key: [name.decode("utf-8") for name in names]}
    except UnicodeDecodeError:
        return {f"{key}_b64": [base64.b64encode(name).decode("ascii") for name in names]}


def _absolute(path: MediaSource) -> bytes:
    if not isinstance(path, str | bytes | os.PathLike):
        raise TypeError(f"{shown(path)} is no local file, which is needed here")
    if isinstance(path, ServedName):
        return path.encode()
    name = os.fsencode(path)
    if not name.startswith(b"/"):
        absolute = os.path.join(os.getcwdb(), name)  # noqa: PTH109, PTH118 - not always text
        # An address stays one, for the engine to refuse it as such.
        if not _ADDRESS.match(name) or os.path.lexists(absolute):
            name = absolute
    return name
