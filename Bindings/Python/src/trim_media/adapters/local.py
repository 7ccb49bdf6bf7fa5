"""The same tables on this machine only: from an iterable of paths or URLs, or a table of cuts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from ._work import Work


def facts(paths: Iterable[str], **options: Any) -> pa.Table:
    """Probes each file, into an Arrow table; takes the options of `Task.probe` and `Work`."""
    return _run("probe", _paths(paths, options), options)


def verdicts(paths: Iterable[str], **options: Any) -> pa.Table:
    """Checks the length of each file; takes the options of `Task.check` and `Work`."""
    return _run("check", _paths(paths, options), options)


def findings(paths: Iterable[str], **options: Any) -> pa.Table:
    """Looks for silence, black, still pictures, scenes and fades; takes the options of `Task.find`
    and `Work`."""
    return _run("find", _paths(paths, options), options)


def cuts(table: pa.Table, folder: str | None = None, **options: Any) -> pa.Table:
    """Makes cuts by the columns `start`, `end` or `length`, into `output` or a folder.

    Names in a folder are built from the column `id` and the cut: if run again, nothing is made
    twice. Takes the options of `Task.cut` and `Work`.
    """
    return _run("cut", table, options, folder)


def _paths(paths: Iterable[str], options: dict[str, Any]) -> pa.Table:
    return pa.table({options.get("column", "path"): pa.array(list(paths), pa.string())})


def _run(op: str, table: pa.Table, options: dict[str, Any], folder: str | None = None) -> pa.Table:
    # Unlike a worker in a cluster, it has all CPUs.
    engine = {"workers": None} | (options.pop("engine", None) or {})
    return Work(op, folder, engine=engine, **options)(table)
