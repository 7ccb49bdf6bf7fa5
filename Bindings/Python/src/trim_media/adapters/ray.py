"""Ray Data: datasets of paths.

import ray
from trim_media.adapters import ray as trim
facts = trim.facts(ray.data.read_parquet("uploads.parquet", columns=["path"]))
facts.write_parquet("facts")
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import ray.data

from ._work import Work


class _Actor:
    """One CPU of Ray's, with one engine that has one worker."""

    def __init__(self, work: Work) -> None:
        self._work = work

    def __call__(self, batch: pa.Table) -> pa.Table:
        return self._work(batch)


def _run(dataset: ray.data.Dataset, work: Work, actors: Any, batch_size: int) -> ray.data.Dataset:
    least, most = actors if isinstance(actors, tuple) else (actors, actors)
    return dataset.map_batches(
        _Actor,
        fn_constructor_args=(work,),
        batch_format="pyarrow",
        batch_size=batch_size,
        num_cpus=1,
        compute=ray.data.ActorPoolStrategy(min_size=least, max_size=most),
    )


def facts(
    dataset: ray.data.Dataset,
    *,
    column: str = "path",
    actors: int | tuple[int, int] = (1, 1024),
    batch_size: int = 64,
    engine: dict[str, Any] | None = None,
    **options: Any,
) -> ray.data.Dataset:
    """What is true of each file; options are of `Task.probe`, those in `engine` of `Engine`.

    - actors: how many at once, or the least and the most.
    - batch_size: small, so that large files do not starve one actor's neighbours.
    """
    work = Work("probe", options, column=column, engine=engine)
    return _run(dataset, work, actors, batch_size)


def verdicts(
    dataset: ray.data.Dataset,
    *,
    column: str = "path",
    actors: int | tuple[int, int] = (1, 1024),
    batch_size: int = 64,
    engine: dict[str, Any] | None = None,
    **options: Any,
) -> ray.data.Dataset:
    """Whether each file is as long as is allowed; options are those of `Task.check`."""
    work = Work("check", options, column=column, engine=engine)
    return _run(dataset, work, actors, batch_size)


def cuts(
    dataset: ray.data.Dataset,
    folder: str | None = None,
    *,
    column: str = "path",
    actors: int | tuple[int, int] = (1, 1024),
    batch_size: int = 8,
    engine: dict[str, Any] | None = None,
    **options: Any,
) -> ray.data.Dataset:
    """Cuts by the columns `start`, `end` or `length`, into `output` or a folder.

    Names in a folder come from the column `id` and from what is cut: run again, nothing is done
    twice. Options are those of `Task.cut`.
    """
    work = Work("cut", options, column=column, folder=folder, engine=engine)
    return _run(dataset, work, actors, batch_size)
