"""Texts with times, moved as a cut moved their file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._direct import run
from ._results import Plan
from ._tasks import Path


@dataclass(frozen=True, slots=True)
class Retimed:
    """What became of the cues of subtitles, a transcript or chapters."""

    output: str
    format: str
    written: int
    dropped: int
    """Cues of which nothing is in the output."""
    clipped: int
    """Cues of which a part is missing in the output."""
    left_out: tuple[str, ...]


def retime(
    text: Path,
    output: Path,
    by: Plan | Mapping[str, Any] | Path,
    *,
    source: int | None = None,
    force: bool = False,
) -> Retimed:
    """Writes subtitles, a transcript or chapters with the times that they have after a cut.

    `by` is a plan or the result of `cut` or `join`, or the JSON of one, or a file with it; `source`
    is the index of the file in a join. Each time is exact, and rounded once to the format's unit.
    """
    words = ["retime", f"--output={os.fsdecode(output)}"]
    given: bytes | None = None
    if isinstance(by, Plan):
        given = json.dumps({"parts": by.raw["parts"]}).encode()
    elif isinstance(by, Mapping):
        given = json.dumps(by).encode()
    words.append("--by=-" if given is not None else f"--by={os.fsdecode(_path(by))}")
    if source is not None:
        words.append(f"--source={source + 1}")
    if force:
        words.append("--force")
    document = run(words, [text], given)
    return Retimed(
        output=os.fsdecode(output),
        format=document["format"],
        written=document["written"],
        dropped=document["dropped"],
        clipped=document["clipped"],
        left_out=tuple(document["left_out"]),
    )


def _path(by: Plan | Mapping[str, Any] | Path) -> Path:
    if isinstance(by, Plan | Mapping):
        raise TypeError("a file is needed")
    return by
