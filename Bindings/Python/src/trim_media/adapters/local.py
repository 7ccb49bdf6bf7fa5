"""The same tables on this machine alone, from an iterable of paths or URLs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from ._work import Work


def facts(paths: Iterable[str], **options: Any) -> pa.Table:
    """What is true of each file, as an Arrow table; options are of `Task.probe` and `Work`."""
    return _run("probe", paths, options)


def verdicts(paths: Iterable[str], **options: Any) -> pa.Table:
    """Whether each file is as long as is allowed; options are of `Task.check` and `Work`."""
    return _run("check", paths, options)


def _run(op: str, paths: Iterable[str], options: dict[str, Any]) -> pa.Table:
    # Unlike a worker of a cluster it has all processors.
    engine = {"workers": None} | (options.pop("engine", None) or {})
    work = Work(op, engine=engine, **options)
    return work(pa.table({work.column: pa.array(list(paths), pa.string())}))
