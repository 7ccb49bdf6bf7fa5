"""The same tables on this machine alone, from an iterable of paths."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from ._work import Work


def facts(
    paths: Iterable[str], *, engine: dict[str, Any] | None = None, **options: Any
) -> pa.Table:
    """What is true of each file, as an Arrow table; options are of `Task.probe`."""
    return _run("probe", paths, engine, options)


def verdicts(
    paths: Iterable[str], *, engine: dict[str, Any] | None = None, **options: Any
) -> pa.Table:
    """Whether each file is as long as is allowed; options are those of `Task.check`."""
    return _run("check", paths, engine, options)


def _run(
    op: str, paths: Iterable[str], engine: dict[str, Any] | None, options: dict[str, Any]
) -> pa.Table:
    # Unlike a worker of a cluster it has all processors.
    work = Work(op, options, engine={"workers": None} | (engine or {}))
    return work(pa.table({"path": pa.array(list(paths), pa.string())}))
