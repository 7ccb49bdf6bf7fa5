"""The same tables on this machine alone: of an iterable of paths or URLs, or of a table of cuts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from ._work import Work


def facts(paths: Iterable[str], **options: Any) -> pa.Table:
    """What is true of each file, as an Arrow table; options are of `Task.probe` and `Work`."""
    return _run("probe", _paths(paths, options), options)


def verdicts(paths: Iterable[str], **options: Any) -> pa.Table:
    """Whether each file is as long as is allowed; options are of `Task.check` and `Work`."""
    return _run("check", _paths(paths, options), options)


def cuts(table: pa.Table, folder: str | None = None, **options: Any) -> pa.Table:
    """Cuts by the columns `start`, `end` or `length`, into `output` or a folder.

    Names in a folder come from the column `id` and from what is cut: run again, nothing is done
    twice. Options are of `Task.cut` and `Work`.
    """
    return _run("cut", table, options, folder)


def _paths(paths: Iterable[str], options: dict[str, Any]) -> pa.Table:
    return pa.table({options.get("column", "path"): pa.array(list(paths), pa.string())})


def _run(op: str, table: pa.Table, options: dict[str, Any], folder: str | None = None) -> pa.Table:
    # Unlike a worker of a cluster it has all processors.
    engine = {"workers": None} | (options.pop("engine", None) or {})
    return Work(op, folder, engine=engine, **options)(table)
