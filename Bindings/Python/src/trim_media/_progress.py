"""A line of progress, where tqdm is installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

Row = TypeVar("Row")


def shown(rows: Iterator[Row], tasks: Iterable[object]) -> Iterator[Row]:
    """The same rows, counted on standard error as they come."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield from rows
        return
    total = len(tasks) if isinstance(tasks, Sized) else None
    yield from tqdm(rows, total=total, unit="file")
