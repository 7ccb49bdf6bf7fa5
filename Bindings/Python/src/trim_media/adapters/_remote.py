"""Tasks on files elsewhere: what is read is served range by range, and what is written is uploaded
from the spool."""

from __future__ import annotations

import dataclasses
import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow.fs as pafs

from .._engine import Engine, Row
from .._errors import InputError, MediaError, TemporaryError, TrimError
from .._stores import Store, StoredFile, is_http, is_url, open_store, store_of, without_secrets
from .._tasks import MediaSource, Task
from ._spool import USUAL, Spool, TooLargeError

UNNAMED = ""
"""The output of a cut without a name, because the store did not report its source's state."""

# What is reserved for a cut of an address, whose size only the engine asks for.
_USUAL_CUT = 64 << 20

Answer = tuple[Row[Any], dict[str, Any]]

_spools: dict[tuple[int, int, str | None], Spool] = {}
_lock = threading.Lock()


def spool_of_process(options: Mapping[str, Any]) -> Spool:
    """Returns the spool for all batches of this process."""
    limit, folder = options.get("limit", USUAL), options.get("folder")
    with _lock:
        key = (os.getpid(), limit, folder)
        if key not in _spools:
            _spools[key] = Spool(limit, folder)
        return _spools[key]


def done(engine: Engine, spool: Spool, tasks: Iterable[Task[Any]], system: Any) -> Iterator[Answer]:
    """Yields a row for each task, in order, with the columns that the row cannot know."""
    with ThreadPoolExecutor(2 * engine.workers, "trim-store") as threads:
        yield from threads.map(lambda task: _row(engine, spool, task, system), tasks)


def _row(engine: Engine, spool: Spool, task: Task[Any], system: Any) -> Answer:
    try:
        if task.output == UNNAMED:
            raise OSError("the store did not report its state")
        source = source_of(os.fsdecode(task.path), system)  # type: ignore[arg-type]
        if task.output is None:
            row = engine.submit(dataclasses.replace(task, path=source)).result()
            return _own(row, task), {}
        target = _target(os.fsdecode(task.output), system)
        if not task.options.get("force"):
            found = _existing(engine, os.fsdecode(task.output), target, system)
            if found is not None:
                error = TrimError("it already exists", code="outputExists", status=73)
                return Row.failed(task, error), found
        return _made(engine, spool, task, source, target), {}
    except FileNotFoundError:
        error = InputError("there is no such file", code="inputMissing", status=66)
    except TooLargeError:
        error = MediaError(
            "it is larger than the limit of the spool",
            code="limitExceeded",
            status=65,
            hint="Increase the limit of the spool.",
        )
    except Exception as failure:
        # Anything that a store's client raises becomes a row; network errors may be temporary.
        error = TemporaryError(
            f"its store failed: {without_secrets(str(failure))}",
            code="storeFailed",
            status=75,
            retryable=isinstance(failure, OSError),
        )
    return Row.failed(task, error), {}


def source_of(path: str, system: Any) -> MediaSource:
    """Returns the file as the engine reads it: its own addresses and paths, and those of stores."""
    if system is None and (is_http(path) or not is_url(path)):
        return path
    return StoredFile(path, system)


def _target(path: str, system: Any) -> Store:
    if system is None and not is_url(path):
        system = pafs.LocalFileSystem()
    return open_store(path, system)


def _own(row: Row[Any], task: Task[Any]) -> Row[Any]:
    """Returns the row with the original task again."""
    if row.error is not None:
        row.error.path = task.shown_path
    return dataclasses.replace(row, task=task)


def _made(
    engine: Engine, spool: Spool, task: Task[Any], source: MediaSource, target: Store
) -> Row[Any]:
    """Cuts into the spool, and uploads what was made."""
    options = dict(task.options)
    asked = options.get("max_bytes", spool.limit)
    most = _share(spool, _size(source) + (1 << 16))
    while True:
        options["max_bytes"] = max(1, min(most, asked))
        with spool.place(2 * most + (1 << 16)) as place:
            output = place.folder / target.name
            given = dataclasses.replace(task, path=source, output=output, options=options)
            row = engine.submit(given).result()
            if row.error is None:
                target.put(output)
        if row.error is None or row.error.code != "tooLarge" or most >= asked:
            return _own(row, task)
        before, most = most, _share(spool, 4 * most)
        if most <= before:
            raise TooLargeError


def _size(source: MediaSource) -> int:
    if isinstance(source, StoredFile):
        return store_of(source).state()[0]
    return _USUAL_CUT if is_http(source) else Path(str(source)).stat().st_size


def _share(spool: Spool, wanted: int) -> int:
    """Returns what a cut may write; it takes twice that, as the engine keeps what it encodes."""
    return max(0, min(wanted, (spool.limit - (1 << 16)) // 2))


def _existing(engine: Engine, output: str, target: Store, system: Any) -> dict[str, Any] | None:
    """Returns what exists under the name of an output, as the columns of a cut."""
    try:
        target.state()
    except FileNotFoundError:
        return None
    facts = engine.probe(source_of(output, system))
    return {"output_bytes": facts.bytes, "length": facts.length}
