"""Tasks on remote files: each is fetched into the spool, processed there, and uploaded."""

from __future__ import annotations

import dataclasses
import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pyarrow.fs as pafs

from .._engine import Engine, Row
from .._errors import InputError, MediaError, TemporaryError, TrimError
from .._tasks import Task
from ._index import fetch_index
from ._spool import USUAL, Spool, TooLargeError
from ._stores import Store, fetch, is_url, open_store

UNNAMED = ""
"""The output of a cut without a name, because the store did not report its source's state."""

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
    """Yields a row for each task, in order, with the columns that the row cannot know.

    More files are in progress than the engine has workers, because a fetch mostly waits.
    """
    with ThreadPoolExecutor(4 * engine.workers, "trim-fetch") as threads:
        yield from threads.map(lambda task: _row(engine, spool, task, system), tasks)


def _row(engine: Engine, spool: Spool, task: Task[Any], system: Any) -> Answer:
    try:
        if task.output == UNNAMED:
            raise OSError("the store did not report its state")
        source = _store(os.fsdecode(task.path), system)
        target = _store(os.fsdecode(task.output), system) if task.output is not None else None
        if target is not None and not task.options.get("force"):
            found = _existing(engine, spool, target)
            if found is not None:
                error = TrimError("it already exists", code="outputExists", status=73)
                return Row.failed(task, error), found
        return _fetched(engine, spool, task, source, target), {}
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
            f"it cannot be fetched or uploaded: {failure}",
            code="storeFailed",
            status=75,
            retryable=isinstance(failure, OSError),
        )
    return Row.failed(task, error), {}


def _store(path: str, system: Any) -> Store:
    if system is None and not is_url(path):
        system = pafs.LocalFileSystem()
    return open_store(path, system)


def _fetched(
    engine: Engine, spool: Spool, task: Task[Any], source: Store, target: Store | None
) -> Row[Any]:
    size, _ = source.state()
    is_header = task.op in {"probe", "check"} and task.options.get("depth") == "header"
    options = dict(task.options)
    asked = options.get("max_bytes", spool.limit)
    most = _share(spool, size, size + (1 << 16)) if target is not None else 0
    while True:
        if target is not None:
            options["max_bytes"] = max(1, min(most, asked))
        with spool.place(size + 2 * most + (1 << 16)) as place:
            clip = place.folder / source.name
            if not (is_header and fetch_index(source, clip, size, place.size)):
                fetch(source, clip, size)
            output = None if target is None else place.folder / "made" / target.name
            if output is not None:
                output.parent.mkdir()
            # The returned row has the original task again.
            fetched = dataclasses.replace(task, path=clip, output=output, options=options)
            row = engine.submit(fetched).result()
            if row.error is None and target is not None and output is not None:
                target.put(output)
        if row.error is None or row.error.code != "tooLarge" or most >= asked:
            break
        before, most = most, _share(spool, size, 4 * most)
        if most <= before:
            raise TooLargeError
    if row.error is not None:
        row.error.path = task.shown_path
    return dataclasses.replace(row, task=task)


def _share(spool: Spool, size: int, wanted: int) -> int:
    """Returns what a cut may write; it takes twice that, as the engine keeps what it encodes."""
    return max(0, min(wanted, (spool.limit - size - (1 << 16)) // 2))


def _existing(engine: Engine, spool: Spool, target: Store) -> dict[str, Any] | None:
    """Returns what exists under the name of an output, as the columns of a cut."""
    try:
        size, _ = target.state()
    except FileNotFoundError:
        return None
    with spool.place(size + (1 << 16)) as place:
        clip = place.folder / target.name
        if fetch_index(target, clip, size, place.size):
            facts = engine.probe(clip, depth="header")
        else:
            fetch(target, clip, size)
            facts = engine.probe(clip)
    return {"output_bytes": facts.bytes, "length": facts.length}
