"""What was found in a file: silence, black, still and changing pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ._times import integer, read_known


@dataclass(frozen=True, slots=True)
class Finding:
    """A range in which something was found; its end is exclusive."""

    kind: str
    """`silence`, `black`, `still`, `scene` or `fade`."""
    start: Fraction
    end: Fraction
    score: float | None
    """How certain it is, for comparison only; `None` for digital silence and the first scene."""
    channel: int | None = None
    """The silent channel, from 1, where each was looked at by itself."""

    @property
    def length(self) -> Fraction:
        return self.end - self.start

    @staticmethod
    def of(value: Mapping[str, Any]) -> Finding:
        score = value["score"]
        return Finding(
            kind=value["kind"],
            start=read_known(value["from"]),
            end=read_known(value["to"]),
            score=None if score is None else float(score),
            channel=None if value["channel"] is None else integer(value["channel"]),
        )


@dataclass(frozen=True, slots=True)
class Unseen:
    """A range of a track that cannot be decoded, so that nothing was looked for there."""

    start: Fraction
    end: Fraction
    track: int

    @staticmethod
    def of(value: Mapping[str, Any]) -> Unseen:
        return Unseen(
            start=read_known(value["from"]),
            end=read_known(value["to"]),
            track=integer(value["track"]),
        )


@dataclass(frozen=True, slots=True)
class NotLookedFor:
    """A kind that the file cannot be examined for, and why."""

    kind: str
    reason: str
    """An error code, such as `noSound`."""
    message: str

    @staticmethod
    def of(value: Mapping[str, Any]) -> NotLookedFor:
        return NotLookedFor(
            kind=value["kind"], reason=value["reason"], message=str(value["message"])
        )


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found between `start` and `end`, counted from the first presented sample."""

    path: str
    start: Fraction
    end: Fraction
    tracks: tuple[int, ...]
    """The tracks that were examined."""
    thresholds: Mapping[str, Any] = field(repr=False, compare=False)
    """For each kind that was asked for, the thresholds as `trim find --json` states them."""
    findings: tuple[Finding, ...]
    """In order of kind, then of time."""
    not_examined: tuple[Unseen, ...]
    not_looked_for: tuple[NotLookedFor, ...]

    def of_kind(self, kind: str) -> tuple[Finding, ...]:
        """Returns the findings of a kind, in order of time."""
        return tuple(one for one in self.findings if one.kind == kind)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that were looked for: those asked for that the file can be examined for."""
        missing = {one.kind for one in self.not_looked_for}
        return tuple(kind for kind in self.thresholds if kind not in missing)

    @staticmethod
    def of(path: str, row: Mapping[str, Any]) -> Findings:
        value = row["result"]
        return Findings(
            path=path,
            start=read_known(value["range"]["from"]),
            end=read_known(value["range"]["to"]),
            tracks=tuple(map(integer, value["tracks"])),
            thresholds=value["thresholds"],
            findings=tuple(map(Finding.of, value["findings"])),
            not_examined=tuple(map(Unseen.of, value["not_examined"])),
            not_looked_for=tuple(map(NotLookedFor.of, value["not_looked_for"])),
        )
