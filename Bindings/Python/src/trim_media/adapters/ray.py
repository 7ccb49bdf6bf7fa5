"""Ray Data: datasets of paths.

import ray
from trim_media.adapters import ray as trim
facts = trim.facts(ray.data.read_parquet("uploads.parquet", columns=["path"]))
facts.write_parquet("facts")
"""

from __future__ import annotations

from typing import Any, TypeAlias

import pyarrow as pa
import ray.data

from ._work import Work


class _Actor:
    """One CPU of Ray, with one engine that has one worker."""

    def __init__(self, work: Work) -> None:
        self._work = work

    def __call__(self, batch: pa.Table) -> pa.Table:
        return self._work(batch)


Actors: TypeAlias = int | tuple[int, int]
"""The number of actors, or the minimum and maximum."""

# A pool that starts with all CPUs would leave none for reading the table. It grows while batches
# wait, so batches are small: a single batch with all files would keep only one actor busy.
_USUAL: Actors = (1, 1024)
_FILES, _HEADERS, _DECODED = 16, 64, 4


def _run(
    dataset: ray.data.Dataset, work: Work, actors: Actors, batch_size: int | None
) -> ray.data.Dataset:
    is_quick = work.options.get("depth") == "header"
    usual = _DECODED if work.op in {"cut", "find"} else _HEADERS if is_quick else _FILES
    least, most = actors if isinstance(actors, tuple) else (actors, actors)
    return dataset.map_batches(
        _Actor,
        fn_constructor_args=(work,),
        batch_format="pyarrow",
        batch_size=batch_size or usual,
        num_cpus=1,
        compute=ray.data.ActorPoolStrategy(min_size=least, max_size=most),
    )


def facts(
    dataset: ray.data.Dataset,
    *,
    actors: Actors = _USUAL,
    batch_size: int | None = None,
    **options: Any,
) -> ray.data.Dataset:
    """Probes each file; takes the options of `Task.probe` and `Work`.

    Batches are small (16 files, or 64 headers), so that a large file does not hold up others.
    """
    return _run(dataset, Work("probe", **options), actors, batch_size)


def verdicts(
    dataset: ray.data.Dataset,
    *,
    actors: Actors = _USUAL,
    batch_size: int | None = None,
    **options: Any,
) -> ray.data.Dataset:
    """Checks the length of each file; takes the options of `Task.check` and `Work`."""
    return _run(dataset, Work("check", **options), actors, batch_size)


def findings(
    dataset: ray.data.Dataset,
    *,
    actors: Actors = _USUAL,
    batch_size: int | None = None,
    **options: Any,
) -> ray.data.Dataset:
    """Looks for silence, black, still pictures, scenes and fades; takes the options of `Task.find`
    and `Work`."""
    return _run(dataset, Work("find", **options), actors, batch_size)


def cuts(
    dataset: ray.data.Dataset,
    folder: str | None = None,
    *,
    actors: Actors = _USUAL,
    batch_size: int | None = None,
    **options: Any,
) -> ray.data.Dataset:
    """Makes cuts by the columns `start`, `end` or `length`, into `output` or a folder.

    Names in a folder are built from the column `id` and the cut: if run again, nothing is made
    twice. Takes the options of `Task.cut` and `Work`.
    """
    return _run(dataset, Work("cut", folder, **options), actors, batch_size)
