"""Spark: data frames of paths, with `mapInPandas` and a declared schema.

    from trim_media.adapters import spark as trim
    facts = trim.facts(session.read.parquet("uploads.parquet"))
    trim.register(session)      # SELECT path, trim_presented(path).num ... FROM uploads

A Python worker of Spark is one of its cores, and has one engine with one worker. Repartition first
if single files are large.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from ._tables import pandas, spark_schema
from ._work import Work


def _mapped(work: Work, rows: int = 64) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def run(frames: Iterator[Any]) -> Iterator[Any]:
        for frame in frames:
            for first in range(0, len(frame), rows):
                part = frame.iloc[first : first + rows]
                yield pandas(work(pa.Table.from_pandas(part, preserve_index=False)))

    return run


def facts(frame: DataFrame, **options: Any) -> DataFrame:
    """Probes each file; takes the options of `Task.probe` and `Work`."""
    work = Work("probe", **options)
    return frame.select(work.column).mapInPandas(_mapped(work), spark_schema("probe"))


def verdicts(frame: DataFrame, **options: Any) -> DataFrame:
    """Checks the length of each file; takes the options of `Task.check` and `Work`."""
    work = Work("check", **options)
    return frame.select(work.column).mapInPandas(_mapped(work), spark_schema("check"))


def findings(frame: DataFrame, **options: Any) -> DataFrame:
    """Looks for silence, black, still pictures, scenes and fades; takes the options of `Task.find`
    and `Work`."""
    work = Work("find", **options)
    return frame.select(work.column).mapInPandas(_mapped(work, rows=8), spark_schema("find"))


def cuts(frame: DataFrame, folder: str | None = None, **options: Any) -> DataFrame:
    """Makes cuts by the columns `start`, `end` or `length`, into `output` or a folder.

    Names in a folder are built from the column `id` and the cut: if Spark retries a task, nothing
    is made twice. Takes the options of `Task.cut` and `Work`.
    """
    work = Work("cut", folder, **options)
    return frame.mapInPandas(_mapped(work, rows=8), spark_schema("cut"))


def register(session: SparkSession, name: str = "trim_presented") -> None:
    """Registers a SQL function: a file's presented length as a struct of `num`, `den`, `error`."""
    from pyspark.sql.functions import pandas_udf

    def presented(paths: Any) -> Any:
        rows = Work("probe")(pa.table({"path": pa.array(paths, pa.string())}))
        frame = pandas(rows)[["presented_num", "presented_den", "error_code"]]
        return frame.set_axis(["num", "den", "error"], axis=1)

    # Spark reads the column types from annotations, which must be those of pandas.
    import pandas as pd

    presented.__annotations__ = {"paths": pd.Series, "return": pd.DataFrame}
    session.udf.register(name, pandas_udf(presented, "num bigint, den bigint, error string"))
