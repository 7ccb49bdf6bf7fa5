"""Dask: data frames of paths, with `map_partitions`.

    from trim_media.adapters import dask as trim
    facts = trim.facts(dask.dataframe.read_parquet("uploads.parquet"))
    facts.to_parquet("facts")

All threads of a Dask worker share one engine, which has one worker per thread.
"""

from __future__ import annotations

from typing import Any

import dask.dataframe as dd
import pyarrow as pa
from distributed import get_worker

from ._tables import pandas, table
from ._work import Work


class _Partition:
    def __init__(self, work: Work) -> None:
        self._work = work

    def __call__(self, frame: Any) -> Any:
        if "workers" not in self._work.stated:
            self._work.engine["workers"] = _threads()
        return pandas(self._work(pa.Table.from_pandas(frame, preserve_index=False)))


def _threads() -> int:
    try:
        return int(get_worker().state.nthreads)
    except ValueError:
        return 1


def _run(frame: dd.DataFrame, work: Work) -> dd.DataFrame:
    return frame.map_partitions(_Partition(work), meta=pandas(table(work.op, [])))


def facts(frame: dd.DataFrame, **options: Any) -> dd.DataFrame:
    """Probes each file; takes the options of `Task.probe` and `Work`."""
    work = Work("probe", **options)
    return _run(frame[[work.column]], work)


def verdicts(frame: dd.DataFrame, **options: Any) -> dd.DataFrame:
    """Checks the length of each file; takes the options of `Task.check` and `Work`."""
    work = Work("check", **options)
    return _run(frame[[work.column]], work)


def findings(frame: dd.DataFrame, **options: Any) -> dd.DataFrame:
    """Looks for silence, black, still pictures, scenes and fades; takes the options of `Task.find`
    and `Work`."""
    work = Work("find", **options)
    return _run(frame[[work.column]], work)


def cuts(frame: dd.DataFrame, folder: str | None = None, **options: Any) -> dd.DataFrame:
    """Makes cuts by the columns `start`, `end` or `length`, into `output` or a folder.

    Names in a folder are built from the column `id` and the cut: if run again, nothing is made
    twice. Takes the options of `Task.cut` and `Work`.
    """
    return _run(frame, Work("cut", folder, **options))
