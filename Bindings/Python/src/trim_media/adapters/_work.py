"""What one worker of an engine does with one batch of a table."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from .._engine import Engine, Row
from .._errors import TrimError
from .._tasks import Task
from .._times import written
from ._tables import columns, table, times

_engines: dict[tuple[int, str], Engine] = {}
_lock = threading.Lock()


def engine_of_process(**options: Any) -> Engine:
    """One for all batches of this process: it takes longer to start than most files to read."""
    with _lock:
        key = (os.getpid(), json.dumps(options, sort_keys=True, default=str))
        if key not in _engines:
            _engines[key] = Engine(**options)
        return _engines[key]


class Work:
    """An operation with its options, which can be sent to where the files are."""

    def __init__(
        self,
        op: str,
        options: Mapping[str, Any],
        *,
        column: str = "path",
        folder: str | None = None,
        engine: Mapping[str, Any] | None = None,
    ) -> None:
        self.op, self.options, self.column, self.folder = op, dict(options), column, folder
        self.stated = dict(engine or {})
        self.engine = {"workers": 1} | self.stated

    def __call__(self, batch: pa.Table) -> pa.Table:
        engine = engine_of_process(**self.engine)
        tasks = [self._task(record) for record in batch.to_pylist()]
        return table(self.op, [self._columns(engine, row) for row in engine.map(tasks)])

    def _task(self, record: Mapping[str, Any]) -> Task[Any]:
        path = record[self.column]
        if self.op == "probe":
            return Task.probe(path, **self.options)
        if self.op == "check":
            return Task.check(path, **self.options)
        part = {key: record.get(key) for key in ("start", "end", "length")}
        options = self.options | {key: value for key, value in part.items() if value is not None}
        output = record.get("output") or self._output(record, options)
        return Task.cut(path, output, **options)

    def _output(self, record: Mapping[str, Any], options: Mapping[str, Any]) -> str:
        """A name by the source, its state and what is cut: another cut has another name."""
        if self.folder is None:
            raise ValueError("cuts need a column 'output' or a folder")
        path = Path(record[self.column])
        try:
            status = path.stat()
            state = [status.st_size, status.st_mtime_ns]
        except OSError:
            state = []
        words = {key: written(value) for key, value in sorted(options.items())}
        asked = json.dumps([os.fsencode(path).hex(), state, words])
        digest = hashlib.sha256(asked.encode()).hexdigest()[:20]
        name = str(record["id"]) if record.get("id") is not None else path.stem
        return str(Path(self.folder, f"{name}-{digest}{path.suffix or '.mp4'}"))

    def _columns(self, engine: Engine, row: Row[Any]) -> dict[str, Any]:
        found = columns(self.op, row)
        if self.op != "cut":
            return found
        output = os.fsdecode(row.task.output or "")
        is_ours = self.folder is not None and row.error is not None
        if is_ours and row.error is not None and row.error.code == "outputExists":
            # A file of that name is that cut: it appeared whole, in an earlier run.
            found = _existing(engine, output, found)
        return found | {"output": output}


def _existing(engine: Engine, output: str, found: dict[str, Any]) -> dict[str, Any]:
    try:
        facts = engine.probe(output)
    except TrimError:
        return found
    kept = {key: value for key, value in found.items() if not key.startswith("error_")}
    return kept | {"output_bytes": facts.bytes, "existed": True} | times(length=facts.length)
