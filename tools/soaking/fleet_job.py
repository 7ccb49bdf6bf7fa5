"""Runs one session of an engine for tools/soak fleet and tools/bench --only fleet: `fleet_job.py JOB.json`.

JOB.json has `engine`, `works` and `answer`, the file for the rows and seconds of each work. A work has
`op` (facts, findings or cuts; ffprobe: one process per file; batch: plain `trim batch`, without the engine),
`records`, `folder` and `options` of the adapter."""

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

HALVES = 2
PROBE = ["ffprobe", "-v", "error", "-show_format", "-show_streams", "-of", "json"]


def ffprobe(frame):
    """Runs ffprobe in place of trim, one process per file."""
    found = [subprocess.run([*PROBE, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
             for path in frame["path"]]
    return frame.assign(bytes=[len(one.stdout) for one in found])


def batch(records):
    tasks = "".join(json.dumps(record | {"op": "probe"}) + "\n" for record in records)
    found = subprocess.run([os.environ["TRIM_ENGINE"], "batch"], input=tasks.encode(),
                           stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in found.stdout.splitlines()]


def work(adapter, data, job):
    if job["op"] == "facts":
        return adapter.facts(data, **job["options"])
    if job["op"] == "findings":
        return adapter.findings(data, **job["options"])
    return adapter.cuts(data, job["folder"], **job["options"])


def on_ray():
    import ray
    from trim_media.adapters import ray as trim

    # The same priority as the other engines; by default, Ray's workers are nice to other processes.
    os.environ["RAY_worker_niceness"] = "0"
    ray.init(num_cpus=HALVES, include_dashboard=False, log_to_driver=False,
             object_store_memory=256 << 20)
    ray.data.DataContext.get_current().enable_progress_bars = False

    def do(job):
        data = ray.data.from_items(job["records"], override_num_blocks=16)
        if job["op"] == "ffprobe":
            done = data.map_batches(ffprobe, batch_format="pandas", batch_size=8, num_cpus=1)
        else:
            done = work(trim, data, job)
        return done.take_all()

    yield do
    ray.shutdown()


def on_spark():
    # Otherwise executors use the first python3 on the PATH.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession
    from trim_media.adapters import spark as trim

    # Executors run as separate processes, so they can be killed.
    builder = (
        SparkSession.builder.master(f"local-cluster[{HALVES},1,1024]").appName("fleet")
        .config("spark.ui.enabled", "false").config("spark.driver.memory", "1g")
        .config("spark.executor.memory", "1g").config("spark.task.maxFailures", "8")
        .config("spark.sql.execution.arrow.pyspark.enabled", "true"))
    for name, value in os.environ.items():
        if name.startswith(("AWS_", "TRIM_", "PYTHONPATH", "TMPDIR")):
            builder = builder.config(f"spark.executorEnv.{name}", value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    paths = []

    def do(job):
        data = session.createDataFrame(job["records"]).repartition(16)
        if job["op"] == "ffprobe":
            done = data.mapInPandas(lambda frames: map(ffprobe, frames), "path string, bytes bigint")
        else:
            done = work(trim, data, job)
        if job["op"] == "facts" and "://" not in job["records"][0]["path"]:
            paths[:] = job["records"][:3]
        return [row.asDict() for row in done.collect()]

    yield do
    if paths:
        trim.register(session)
        session.createDataFrame(paths).createOrReplaceTempView("clips")
        assert session.sql("SELECT trim_presented(path) AS p FROM clips").count() == len(paths)
    session.stop()


def on_dask():
    import dask
    import dask.dataframe as dd
    import pandas
    from distributed import Client, LocalCluster
    from trim_media.adapters import dask as trim

    dask.config.set({"distributed.scheduler.allowed-failures": 8})
    cluster = LocalCluster(
        n_workers=HALVES, threads_per_worker=1, dashboard_address=None, memory_limit=0)

    def do(job):
        data = dd.from_pandas(pandas.DataFrame(job["records"]), npartitions=16)
        if job["op"] == "ffprobe":
            done = data.map_partitions(ffprobe, meta={"path": "string", "bytes": "int64"})
        else:
            done = work(trim, data, job)
        return json.loads(done.compute().to_json(orient="records"))

    with cluster, Client(cluster):
        yield do


def main(path):
    job = json.loads(Path(path).read_text())
    start = time.monotonic()
    # The answer is written before the engine is shut down.
    with contextlib.closing({"ray": on_ray, "spark": on_spark, "dask": on_dask}[job["engine"]]()) as run:
        do, done = next(run), []
        answer = {"start": time.monotonic() - start, "works": done}
        for one in job["works"]:
            started = time.monotonic()
            rows = batch(one["records"]) if one["op"] == "batch" else do(one)
            done.append({"rows": rows, "seconds": time.monotonic() - started})
        Path(job["answer"]).write_text(json.dumps(answer))
        next(run, None)


if __name__ == "__main__":
    main(*sys.argv[1:])
