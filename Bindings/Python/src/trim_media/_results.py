"""The results of checks, plans, cuts, strips, frames and waveforms."""

from __future__ import annotations

import array
import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ._facts import Damage, Duration, Rule
from ._times import integer, optional_integer, read, read_known

if TYPE_CHECKING:
    import numpy


@dataclass(frozen=True, slots=True)
class Check:
    """Whether a file satisfies the length rule."""

    path: str
    verdict: str
    """`valid`, `too_long`, `too_short`, `empty` or `unknown`."""
    presented: Duration | None
    rule: Rule
    by: Fraction | None
    """The distance to the limit; `None` if valid or unknown."""
    damage: tuple[Damage, ...]
    status: int
    """The exit status of `trim check`: 0 within the limit, 1 not, 65 unknown or damaged."""

    @property
    def passes(self) -> bool:
        """Whether the file is intact and its length is allowed."""
        return self.status == 0

    @staticmethod
    def of(path: str, row: Mapping[str, Any]) -> Check:
        value = row["result"]
        return Check(
            path=path,
            verdict=value["verdict"],
            presented=Duration.of(value["presented"]),
            rule=Rule.of(value["rule"]),
            by=read(value["by"]),
            damage=tuple(map(Damage.of, value["damage"])),
            status=value["status"],
        )


@dataclass(frozen=True, slots=True)
class Part:
    """A range of the source, as requested and as written."""

    start: Fraction
    end: Fraction
    written_start: Fraction
    written_end: Fraction | None
    output_start: Fraction
    """Where it begins in the output: `written_start` of the source is shown there."""
    output_end: Fraction
    source: int = 0
    """The index of its file among the inputs of a join."""

    @staticmethod
    def of(value: Mapping[str, Any]) -> Part:
        return Part(
            start=read_known(value["from"]),
            end=read_known(value["to"]),
            written_start=read_known(value["written_from"]),
            written_end=read(value["written_to"]),
            output_start=read_known(value["output_from"]),
            output_end=read_known(value["output_to"]),
            source=integer(value.get("source", 0)),
        )


@dataclass(frozen=True, slots=True)
class CutTrack:
    """What happens to a track."""

    id: int
    type: str
    codec: str
    how: str
    """`copied`, `joined` (copied except for its edges), `encoded`, `clipped` or `dropped`."""
    packets: int
    encoded: int
    offset: Fraction | None
    reasons: tuple[str, ...]
    dropped_because: str | None

    @staticmethod
    def of(value: Mapping[str, Any]) -> CutTrack:
        return CutTrack(
            id=integer(value["id"]),
            type=value["type"],
            codec=value["codec"],
            how=value["how"],
            packets=integer(value["packets"]),
            encoded=integer(value["encoded"]),
            offset=read(value["offset"]),
            reasons=tuple(value["reasons"]),
            dropped_because=value["dropped_because"],
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """What a cut would do, or has done."""

    path: str
    output: str | None
    mode: str
    parts: tuple[Part, ...]
    length: Fraction
    """The exact length of the output."""
    frames: int
    encoded_frames: int
    tracks: tuple[CutTrack, ...]
    raw: Mapping[str, Any] = field(repr=False, compare=False)

    def output_times(self, time: Fraction | int, source: int = 0) -> tuple[Fraction, ...]:
        """Returns where an instant of a source is in the output: nowhere if it was left out, and
        several times if its part was written several times."""
        return tuple(
            part.output_start + time - part.written_start
            for part in self.parts
            if part.source == source
            and part.written_end is not None
            and part.written_start <= time < part.written_end
        )

    def source_time(self, time: Fraction | int) -> tuple[int, Fraction] | None:
        """Returns which source is shown at an instant of the output, and its instant."""
        for part in self.parts:
            if part.output_start <= time < part.output_end:
                return part.source, part.written_start + time - part.output_start
        return None

    @staticmethod
    def of(path: str, row: Mapping[str, Any]) -> Plan:
        return Plan(**_plan(path, row))


@dataclass(frozen=True, slots=True)
class Cut(Plan):
    """A file that was written and verified."""

    bytes: int
    damage: tuple[Mapping[str, Any], ...]
    """Damage of the source that was copied into the cut."""

    @staticmethod
    def of(path: str, row: Mapping[str, Any]) -> Cut:
        value = row["result"]
        return Cut(**_plan(path, row), bytes=integer(value["bytes"]), damage=tuple(value["damage"]))


@dataclass(frozen=True, slots=True)
class Join(Cut):
    """A file that was written from several, and verified."""

    inputs: tuple[str, ...]
    """The files, each once; `Part.source` counts them."""

    @staticmethod
    def of(path: str, row: Mapping[str, Any]) -> Join:
        value = row["result"]
        return Join(
            **_plan(path, row),
            bytes=integer(value["bytes"]),
            damage=tuple(value["damage"]),
            inputs=tuple(value["inputs"]),
        )


def _plan(path: str, row: Mapping[str, Any]) -> dict[str, Any]:
    value, output = row["result"], row["output"]
    return {
        "path": path,
        "output": None if output is None else output["path"],
        "mode": value["mode"],
        "parts": tuple(map(Part.of, value["parts"])),
        "length": read_known(value["written"]["length"]),
        "frames": integer(value["frames"]),
        "encoded_frames": integer(value["encoded_frames"]),
        "tracks": tuple(map(CutTrack.of, value["tracks"])),
        "raw": value,
    }


@dataclass(frozen=True, slots=True)
class StripPicture:
    """One picture of a strip: the requested time and the frame shown there."""

    asked: Fraction
    frame: int | None
    start: Fraction
    end: Fraction | None


@dataclass(frozen=True, slots=True)
class Strip:
    """Pictures side by side in one file."""

    path: str
    output: str
    bytes: int
    width: int
    height: int
    pictures: tuple[StripPicture, ...]

    @staticmethod
    def of(path: str, row: Mapping[str, Any]) -> Strip:
        value = row["result"]
        return Strip(
            path=path,
            output=row["output"]["path"],
            bytes=integer(value["bytes"]),
            width=value["width"],
            height=value["height"],
            pictures=_pictures(value),
        )


@dataclass(frozen=True, slots=True)
class Frames:
    """Pictures as pixels."""

    path: str
    width: int
    """The width of each picture in pixels."""
    height: int
    pictures: tuple[StripPicture, ...]
    data: bytes = field(repr=False)
    """Red, green and blue of each pixel, row by row, picture by picture."""

    def __len__(self) -> int:
        return len(self.pictures)

    def numpy(self) -> numpy.ndarray[Any, Any]:
        """Returns a view, without a copy, of shape (length, height, width, 3)."""
        import numpy

        view: numpy.ndarray[Any, Any] = numpy.frombuffer(self.data, dtype=numpy.uint8)
        return view.reshape((len(self), self.height, self.width, 3))

    @staticmethod
    def of(path: str, row: Mapping[str, Any]) -> Frames:
        value = row["result"]
        return Frames(
            path=path,
            width=value["tile"]["width"],
            height=value["tile"]["height"],
            pictures=_pictures(value),
            data=base64.b64decode(value["pixels"]["data_b64"]),
        )


def _pictures(value: Mapping[str, Any]) -> tuple[StripPicture, ...]:
    return tuple(
        StripPicture(
            asked=read_known(one["asked"]),
            frame=optional_integer(one["frame"]),
            start=read_known(one["start"]),
            end=read(one["end"]),
        )
        for one in value["pictures"]
    )


@dataclass(frozen=True, slots=True)
class Waveform:
    """The lowest and the highest level in every interval of `samples_per_pixel` samples."""

    path: str
    sample_rate: int
    samples_per_pixel: int
    bits: int
    channels: int
    length: int
    """The number of intervals."""
    start: Fraction
    end: Fraction
    data: bytes = field(repr=False)
    """Signed integers of `bits` bits in native byte order: for each interval and each channel, the
    lowest and the highest level."""

    def __len__(self) -> int:
        return self.length

    def levels(self, index: int, channel: int = 0) -> tuple[int, int]:
        """Returns the lowest and the highest level of an interval, counted from 0."""
        if not (0 <= index < self.length and 0 <= channel < self.channels):
            raise IndexError("there is no such interval or channel")
        place = 2 * (index * self.channels + channel)
        view = memoryview(self.data).cast("b" if self.bits == 8 else "h")
        return view[place], view[place + 1]

    def numpy(self) -> numpy.ndarray[Any, Any]:
        """Returns a view, without a copy, of shape (length, channels, 2)."""
        import numpy

        kind = numpy.int8 if self.bits == 8 else numpy.int16
        view: numpy.ndarray[Any, Any] = numpy.frombuffer(self.data, dtype=kind)
        return view.reshape((self.length, self.channels, 2))

    @staticmethod
    def of(path: str, row: Mapping[str, Any]) -> Waveform:
        value = row["result"]
        levels = value["levels"]
        return Waveform(
            path=path,
            sample_rate=levels["sample_rate"],
            samples_per_pixel=levels["samples_per_pixel"],
            bits=levels["bits"],
            channels=levels["channels"],
            length=levels["length"],
            start=read_known(value["range"]["from"]),
            end=read_known(value["range"]["to"]),
            data=array.array("b" if levels["bits"] == 8 else "h", levels["data"]).tobytes(),
        )
