"""The facts about a media file, as `trim probe` reports them.

`None` means unknown. Every time is a `Fraction` of seconds. Anything without its own field is in
`raw`, the JSON of the engine (`Documentation/Probe-JSON.md`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ._times import integer, optional_integer, ratio, read, read_known


@dataclass(frozen=True, slots=True)
class Duration:
    """One of the five durations of a file or a track."""

    length: Fraction
    start: Fraction | None
    """Where it begins on the file's own timeline."""
    source: str
    """`container_header`, `track_header`, `sample_table`, `packets`, `frames` or `estimate`."""
    track: int | None

    @staticmethod
    def of(value: Mapping[str, Any] | None) -> Duration | None:
        if value is None:
            return None
        return Duration(
            length=read_known(value),
            start=read(value["start"]),
            source=value["source"],
            track=optional_integer(value["track"]),
        )


@dataclass(frozen=True, slots=True)
class Durations:
    """The five durations; `presented` is what a player shows."""

    declared: Duration | None
    track: Duration | None
    indexed: Duration | None
    presented: Duration | None
    decoded: Duration | None
    verdict: str | None
    """For a file: `agrees`, `declared_too_long`, `declared_too_short`, `truncated`, `undeclared` or
    `unknown`."""

    @staticmethod
    def of(value: Mapping[str, Any]) -> Durations:
        return Durations(
            declared=Duration.of(value["declared"]),
            track=Duration.of(value["track"]),
            indexed=Duration.of(value["indexed"]),
            presented=Duration.of(value["presented"]),
            decoded=Duration.of(value["decoded"]),
            verdict=value.get("verdict"),
        )


@dataclass(frozen=True, slots=True)
class Container:
    format: str
    """A short, stable name: `mp4`, `mov`, `matroska`, `mpegts`, `mp3` …"""
    long_name: str
    brands: tuple[str, ...]
    fragmented: bool
    bit_rate: int | None

    @staticmethod
    def of(value: Mapping[str, Any]) -> Container:
        return Container(
            format=value["format"],
            long_name=value["long_name"],
            brands=tuple(value["brands"]),
            fragmented=value["fragmented"],
            bit_rate=optional_integer(value["bit_rate"]),
        )


@dataclass(frozen=True, slots=True)
class Rule:
    """The allowed length, and whether the file satisfies it."""

    max_length: Fraction | None
    """Exclusive."""
    min_length: Fraction | None
    """Inclusive."""
    is_valid: bool | None

    @staticmethod
    def of(value: Mapping[str, Any]) -> Rule:
        return Rule(
            max_length=read(value["max_length"]),
            min_length=read(value["min_length"]),
            is_valid=value["is_video_length_valid"],
        )


@dataclass(frozen=True, slots=True)
class Keyframe:
    frame: int | None
    time: Fraction
    access: str
    clean: bool | None

    @staticmethod
    def of(value: Mapping[str, Any]) -> Keyframe:
        return Keyframe(
            frame=optional_integer(value["frame"]),
            time=read_known(value["time"]),
            access=value["access"],
            clean=value["clean"],
        )


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame that is shown: when, on the file's own timeline, and for how long."""

    time: Fraction
    duration: Fraction | None

    @staticmethod
    def of(value: Mapping[str, Any]) -> Frame:
        return Frame(time=read_known(value["time"]), duration=read(value["duration"]))


@dataclass(frozen=True, slots=True)
class Track:
    id: int
    index: int
    type: str
    """`video`, `audio`, `subtitle`, `timecode`, `data` or `attachment`."""
    codec: str
    language: str | None
    time_base: Fraction | None
    durations: Durations
    samples: int | None
    frames: int | None
    """The number of frames that a player shows."""
    width: int | None
    height: int | None
    frame_rate: Fraction | None
    """The nominal rate, else the average."""
    sample_rate: int | None
    channels: int | None
    keyframes: tuple[Keyframe, ...] | None
    """Only with `keyframes=True`."""
    frame_list: tuple[Frame, ...] | None
    """Only with `frames=True`."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)

    @staticmethod
    def of(value: Mapping[str, Any]) -> Track:
        video, audio = value["video"] or {}, value["audio"] or {}
        rate = video.get("frame_rate") or {}
        keyframes, frames = value.get("keyframes"), value.get("frame_list")
        return Track(
            id=integer(value["id"]),
            index=integer(value["index"]),
            type=value["type"],
            codec=value["codec"],
            language=value["language"],
            time_base=ratio(value["time_base"]),
            durations=Durations.of(value["durations"]),
            samples=optional_integer(value["samples"]),
            frames=optional_integer(value["frames"]),
            width=video.get("width"),
            height=video.get("height"),
            frame_rate=ratio(rate.get("nominal") or rate.get("average")),
            sample_rate=optional_integer(audio.get("sample_rate")),
            channels=optional_integer(audio.get("channels")),
            keyframes=None if keyframes is None else tuple(map(Keyframe.of, keyframes)),
            frame_list=None if frames is None else tuple(map(Frame.of, frames)),
            raw=value,
        )


@dataclass(frozen=True, slots=True)
class Chapter:
    number: int
    title: str | None
    start: Fraction
    end: Fraction | None

    @staticmethod
    def of(value: Mapping[str, Any]) -> Chapter:
        return Chapter(
            number=integer(value["number"]),
            title=value["title"],
            start=read_known(value["start"]),
            end=read(value["end"]),
        )


@dataclass(frozen=True, slots=True)
class Note:
    """An irregularity in the file, with a stable identifier."""

    id: str
    track: int | None
    text: str

    @staticmethod
    def of(value: Mapping[str, Any]) -> Note:
        return Note(id=value["id"], track=optional_integer(value["track"]), text=value["text"])


@dataclass(frozen=True, slots=True)
class Damage:
    kind: str
    track: int | None
    byte_offset: int | None
    text: str

    @staticmethod
    def of(value: Mapping[str, Any]) -> Damage:
        return Damage(
            kind=value["kind"],
            track=optional_integer(value["track"]),
            byte_offset=optional_integer(value["byte_offset"]),
            text=value["text"],
        )


@dataclass(frozen=True, slots=True)
class Facts:
    """What `probe` reports about a file."""

    path: str
    bytes: int | None
    container: Container
    depth: str
    """How deep the probe went: `header`, `packets` or `frames`."""
    durations: Durations
    rule: Rule
    tracks: tuple[Track, ...]
    chapters: tuple[Chapter, ...]
    tags: tuple[tuple[str, str], ...]
    notes: tuple[Note, ...]
    damage: tuple[Damage, ...]
    """Empty if the file is intact."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)

    @property
    def length(self) -> Fraction | None:
        """The exact duration that a player shows."""
        presented = self.durations.presented
        return None if presented is None else presented.length

    @staticmethod
    def of(path: str, row: Mapping[str, Any]) -> Facts:
        value = row["result"]
        return Facts(
            path=path,
            bytes=optional_integer(row["input"]["bytes"]),
            container=Container.of(value["container"]),
            depth=value["depth"],
            durations=Durations.of(value["durations"]),
            rule=Rule.of(value["rule"]),
            tracks=tuple(map(Track.of, value["tracks"])),
            chapters=tuple(map(Chapter.of, value["chapters"])),
            tags=tuple((tag["key"], tag["value"]) for tag in value["tags"]),
            notes=tuple(map(Note.of, value["notes"])),
            damage=tuple(map(Damage.of, value["damage"])),
            raw=value,
        )
