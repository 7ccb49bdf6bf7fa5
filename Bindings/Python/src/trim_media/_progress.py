"""A progress bar, if tqdm is installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

Row = TypeVar("Row")


def shown(rows: Iterator[Row], tasks: Iterable[object]) -> Iterator[Row]:
    """Yields the same rows, and counts them on standard error."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield from rows
        return
    total = len(tasks) if isinstance(tasks, Sized) else None
    yield from tqdm(rows, total=total, unit="file")
