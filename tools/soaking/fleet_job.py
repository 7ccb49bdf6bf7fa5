"""One job of tools/soak fleet and of tools/bench fleet: `fleet_job.py JOB.json`.

JOB.json has `engine`, `op` (facts or cuts, or ffprobe: one process a file), `records`, `folder`,
`options` of the adapter and `answer`, the file for the rows and the seconds that the work took."""

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
    """What is done without trim: a process for each file."""
    found = [subprocess.run([*PROBE, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
             for path in frame["path"]]
    return frame.assign(bytes=[len(one.stdout) for one in found])


def work(adapter, data, job):
    if job["op"] == "facts":
        return adapter.facts(data, **job["options"])
    return adapter.cuts(data, job["folder"], **job["options"])


def on_ray(job):
    import ray
    from trim_media.adapters import ray as trim

    # As eager as the other engines; Ray gives way to everything else unless told.
    os.environ["RAY_worker_niceness"] = "0"
    ray.init(num_cpus=HALVES, include_dashboard=False, log_to_driver=False,
             object_store_memory=256 << 20)
    ray.data.DataContext.get_current().enable_progress_bars = False
    started = time.monotonic()
    data = ray.data.from_items(job["records"], override_num_blocks=16)
    if job["op"] == "ffprobe":
        done = data.map_batches(ffprobe, batch_format="pandas", batch_size=64, num_cpus=1)
    else:
        done = work(trim, data, job)
    rows = done.take_all()
    yield rows, time.monotonic() - started
    ray.shutdown()


def on_spark(job):
    # Executors take the first python3 on the PATH otherwise.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession
    from trim_media.adapters import spark as trim

    # Executors that are processes of their own, which can be killed.
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
    started = time.monotonic()
    data = session.createDataFrame(job["records"]).repartition(16)
    if job["op"] == "ffprobe":
        done = data.mapInPandas(lambda frames: map(ffprobe, frames), "path string, bytes bigint")
    else:
        done = work(trim, data, job)
    rows = [row.asDict() for row in done.collect()]
    yield rows, time.monotonic() - started
    if job["op"] == "facts" and "://" not in job["records"][0]["path"]:
        trim.register(session)
        data.limit(3).createOrReplaceTempView("films")
        assert session.sql("SELECT trim_presented(path) AS p FROM films").count() == 3
    session.stop()


def on_dask(job):
    import dask
    import dask.dataframe as dd
    import pandas
    from distributed import Client, LocalCluster
    from trim_media.adapters import dask as trim

    dask.config.set({"distributed.scheduler.allowed-failures": 8})
    cluster = LocalCluster(
        n_workers=HALVES, threads_per_worker=1, dashboard_address=None, memory_limit=0)
    with cluster, Client(cluster):
        started = time.monotonic()
        data = dd.from_pandas(pandas.DataFrame(job["records"]), npartitions=16)
        if job["op"] == "ffprobe":
            done = data.map_partitions(ffprobe, meta={"path": "string", "bytes": "int64"})
        else:
            done = work(trim, data, job)
        rows = json.loads(done.compute().to_json(orient="records"))
        yield rows, time.monotonic() - started


def main(path):
    job = json.loads(Path(path).read_text())
    start = time.monotonic()
    run = {"ray": on_ray, "spark": on_spark, "dask": on_dask}[job["engine"]](job)
    # The answer is written before the engine is taken down.
    with contextlib.closing(run):
        rows, seconds = next(run)
        whole = time.monotonic() - start
        answer = {"rows": rows, "work": seconds, "start": whole - seconds}
        Path(job["answer"]).write_text(json.dumps(answer))
        next(run, None)


if __name__ == "__main__":
    main(*sys.argv[1:])
