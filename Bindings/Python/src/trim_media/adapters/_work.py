"""What a worker of Ray, Spark or Dask does with one batch of a table."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa

from .._engine import Engine, Row, processors
from .._errors import TrimError
from .._stores import is_http, is_url, open_store
from .._tasks import Task
from .._times import written
from ._remote import UNNAMED, done, spool_of_process
from ._tables import columns, table, times

_engines: dict[tuple[int, str], Engine] = {}
_lock = threading.Lock()


def engine_of_process(**options: Any) -> Engine:
    """Returns the one engine of this process: starting it takes longer than reading most files."""
    with _lock:
        key = (os.getpid(), json.dumps(options, sort_keys=True, default=str))
        if key not in _engines:
            _engines[key] = Engine(**options)
        return _engines[key]


class Work:
    """An operation with its options, which can be sent to other machines.

    Every function of every adapter takes these options besides those of its task:

    - column: the column with the paths or URLs.
    - engine: options of `Engine`.
    - store: a pyarrow or fsspec file system that contains the paths; else they are local, or URLs.
    - spool: `limit` in bytes and `folder` for files that are uploaded, for each process.
    """

    def __init__(
        self,
        op: str,
        folder: str | None = None,
        *,
        column: str = "path",
        engine: Mapping[str, Any] | None = None,
        store: Any = None,
        spool: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        self.op, self.column, self.folder = op, column, folder
        self.options = {key: value for key, value in options.items() if value is not None}
        self.store, self.spool = store, dict(spool or {})
        self.stated = dict(engine or {})
        self.engine = {"workers": 1} | self.stated

    def __call__(self, batch: pa.Table) -> pa.Table:
        tasks = [self._task(record) for record in batch.to_pylist()]
        if self.store is None and not any(self._is_elsewhere(task) for task in tasks):
            engine = engine_of_process(**self.engine)
            return table(self.op, [self._columns(engine, row) for row in engine.map(tasks)])
        # Half of them wait for the store.
        more = {"workers": 2 * (self.engine["workers"] or processors())}
        engine = engine_of_process(**self.engine | more)
        answers = done(engine, spool_of_process(self.spool), tasks, self.store)
        return table(self.op, [self._sent(row, found) for row, found in answers])

    def _is_elsewhere(self, task: Task[Any]) -> bool:
        is_stored = is_url(task.path) and not is_http(task.path)
        return is_stored or is_url(task.output) or task.output == UNNAMED

    def _task(self, record: Mapping[str, Any]) -> Task[Any]:
        path = record[self.column]
        if self.op == "probe":
            return Task.probe(path, **self.options)
        if self.op == "check":
            return Task.check(path, **self.options)
        if self.op == "find":
            return Task.find(path, **self.options)
        part = {key: record.get(key) for key in ("start", "end", "length")}
        options = self.options | {key: value for key, value in part.items() if value is not None}
        output = record.get("output") or self._output(record, options)
        return Task.cut(path, output, **options)

    def _output(self, record: Mapping[str, Any], options: Mapping[str, Any]) -> str:
        """Returns a name derived from the source, its state and the cut, unique to that cut."""
        if self.folder is None:
            raise ValueError("cuts need a column 'output' or a folder")
        path = record[self.column]
        state: list[Any]
        try:
            if self.store is None and is_http(path):
                # The engine is the only one that asks servers: it knows whom it may reach.
                state = [engine_of_process(**self.engine).probe(path, depth="header").bytes]
            elif self.store is not None or is_url(path):
                state = list(open_store(path, self.store).state())
            else:
                status = Path(path).stat()
                state = [status.st_size, status.st_mtime_ns]
        except (FileNotFoundError, TrimError):
            state = []
        except Exception:
            if not is_url(path) and self.store is None:
                state = []
            else:
                # With another name it would be made twice, so this becomes a retryable row.
                return UNNAMED
        words = {key: written(value) for key, value in sorted(options.items())}
        asked = json.dumps([os.fsencode(path).hex(), state, words])
        digest = hashlib.sha256(asked.encode()).hexdigest()[:20]
        named = PurePosixPath(path.split("?")[0] if is_url(path) else path)
        name = str(record["id"]) if record.get("id") is not None else named.stem
        # The query of a URL, which describes its store, stays after the name.
        folder, mark, query = self.folder.partition("?" if is_url(self.folder) else "\0")
        return f"{folder.rstrip('/')}/{name}-{digest}{named.suffix or '.mp4'}{mark}{query}"

    def _columns(self, engine: Engine, row: Row[Any]) -> dict[str, Any]:
        found = columns(self.op, row)
        if self.op != "cut":
            return found
        output = os.fsdecode(row.task.output or "")
        is_ours = self.folder is not None and row.error is not None
        if is_ours and row.error is not None and row.error.code == "outputExists":
            # A file of that name is that cut: it was completed by an earlier run.
            found = _existing(engine, output, found)
        return found | {"output": output}

    def _sent(self, row: Row[Any], found: dict[str, Any]) -> dict[str, Any]:
        """Returns the columns for remote files; `found` is what existed under the output's name."""
        given = columns(self.op, row)
        if self.op != "cut":
            return given
        output = {"output": os.fsdecode(row.task.output or "")}
        if self.folder is None or not found:
            return given | output
        kept = {key: value for key, value in given.items() if not key.startswith("error_")}
        length = found.pop("length")
        return kept | output | found | {"existed": True} | times(length=length)


def _existing(engine: Engine, output: str, found: dict[str, Any]) -> dict[str, Any]:
    try:
        facts = engine.probe(output)
    except TrimError:
        return found
    kept = {key: value for key, value in found.items() if not key.startswith("error_")}
    return kept | {"output_bytes": facts.bytes, "existed": True} | times(length=facts.length)
