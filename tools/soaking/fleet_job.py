"""One job of tools/soak fleet: `fleet_job.py ENGINE ANSWER facts|cuts TABLE [FOLDER]`."""

import json
import os
import sys
import time
from pathlib import Path

HALVES = 2


def on_ray(op, records, folder):
    import ray
    from trim_media.adapters import ray as trim

    # As eager as the other engines; Ray gives way to everything else unless told.
    os.environ["RAY_worker_niceness"] = "0"
    ray.init(num_cpus=HALVES, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    # Warm: what is measured is the work.
    started = time.monotonic()
    data = ray.data.from_items(records, override_num_blocks=16)
    done = trim.facts(data) if op == "facts" else trim.cuts(data, folder)
    rows = done.take_all()
    seconds = time.monotonic() - started
    ray.shutdown()
    return rows, seconds


def on_spark(op, records, folder):
    # Executors take the first python3 on the PATH otherwise.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession
    from trim_media.adapters import spark as trim

    session = (
        SparkSession.builder.master(f"local[{HALVES},4]").appName("fleet")
        .config("spark.ui.enabled", "false").config("spark.driver.memory", "1g")
        .config("spark.sql.execution.arrow.pyspark.enabled", "true").getOrCreate())
    session.sparkContext.setLogLevel("ERROR")
    started = time.monotonic()
    data = session.createDataFrame(records).repartition(16)
    done = trim.facts(data) if op == "facts" else trim.cuts(data, folder)
    rows = [row.asDict() for row in done.collect()]
    seconds = time.monotonic() - started
    if op == "facts":
        trim.register(session)
        data.limit(3).createOrReplaceTempView("films")
        assert session.sql("SELECT trim_presented(path) AS p FROM films").count() == 3
    session.stop()
    return rows, seconds


def on_dask(op, records, folder):
    import dask.dataframe as dd
    import pandas
    from distributed import Client, LocalCluster
    from trim_media.adapters import dask as trim

    cluster = LocalCluster(
        n_workers=HALVES, threads_per_worker=1, dashboard_address=None, memory_limit=0)
    with cluster, Client(cluster):
        started = time.monotonic()
        data = dd.from_pandas(pandas.DataFrame(records), npartitions=16)
        done = trim.facts(data) if op == "facts" else trim.cuts(data, folder)
        frame = done.compute()
        seconds = time.monotonic() - started
        rows = json.loads(frame.to_json(orient="records"))
    return rows, seconds


def main(engine, answer, op, table, folder=None):
    records = json.loads(Path(table).read_text())
    if op == "facts":
        records = [{"path": path} for path in records]
    work = {"ray": on_ray, "spark": on_spark, "dask": on_dask}[engine]
    rows, seconds = work(op, records, folder)
    Path(answer).write_text(json.dumps({"rows": rows, "work": seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
