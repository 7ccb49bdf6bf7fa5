"""Runs a job of an engine in a separate process, kills parts of it, and ends what it leaves running."""

import contextlib
import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from soaking import bench as benches

ENGINES = {"ray": "ray", "spark": "pyspark", "dask": "distributed"}
PATIENCE = 2400
# Part of the command line of each engine's executors.
EXECUTORS = {"ray": "_Actor", "spark": "CoarseGrainedExecutorBackend", "dask": "spawn_main"}


def installed(engine):
    return importlib.util.find_spec(ENGINES[engine]) is not None


def run_job(trim, engine, op, records, scratch, *, folder=None, options=None, **more):
    """Runs one work in its own session; returns its rows and seconds, or how it failed."""
    works = [{"op": op, "records": records, "folder": folder and str(folder),
              "options": options or {}}]
    found = run_works(trim, engine, works, scratch, **more)
    if "failed" in found:
        return found
    (done,) = found.pop("works")
    return found | {"rows": done["rows"], "work": done["seconds"]}


def run_works(trim, engine, works, scratch, *, kills=0, environment=None):
    """Runs several works in one session, one after another; returns their results, or how they failed."""
    answer, job_file = scratch / "answer.json", scratch / "job.json"
    answer.unlink(missing_ok=True)
    job_file.write_text(json.dumps({"engine": engine, "works": works, "answer": str(answer)}))
    surroundings = os.environ | {"TRIM_ENGINE": str(trim)} | (environment or {})
    surroundings["PYTHONPATH"] = os.pathsep.join(
        [str(benches.ROOT / "Bindings/Python/src"), os.environ.get("PYTHONPATH", "")]).rstrip(":")
    program, killed = Path(__file__).with_name("fleet_job.py"), []
    started = time.monotonic()
    with tempfile.TemporaryFile() as log:
        job = subprocess.Popen(
            [sys.executable, program, job_file], env=surroundings, stdout=log, stderr=log,
            cwd=scratch, start_new_session=True)
        try:
            killed = kill_some(job, engine, kills)
            status = job.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            status = "a timeout"
        finally:
            end_all(job)
        if status != 0:
            log.seek(0)
            return {"failed": status, "killed": killed,
                    "text": log.read().decode(errors="replace")[-3000:]}
    return json.loads(answer.read_text()) | {"seconds": time.monotonic() - started,
                                             "killed": killed}


def end_all(job):
    """Ends all descendants of a job, in whatever session they run."""
    for number in [*descendants(job.pid), job.pid]:
        with contextlib.suppress(OSError):
            os.kill(number, signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.killpg(job.pid, signal.SIGKILL)
    job.wait()


def descendants(process):
    parents = {}
    for one in Path("/proc").iterdir():
        if one.name.isdigit():
            try:
                words = (one / "stat").read_text()
                parent = int(words.rpartition(")")[2].split()[1])
                line = (one / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except (OSError, ValueError):
                continue
            parents[int(one.name)] = (parent, line)
    found = {}
    for number in parents:
        at = number
        while at in parents and at != process:
            at = parents[at][0]
        if at == process and number != process:
            found[number] = parents[number][1]
    return found


def kill_some(job, engine, most):
    """Kills `most` trim workers and as many executors, in turn, while the work runs."""
    killed = []
    end = time.monotonic() + 240
    while len(killed) < 2 * most and time.monotonic() < end and job.poll() is None:
        wanted = "executor" if len(killed) % 2 else "worker"
        running = descendants(job.pid)
        at_work = any("__engine" in line for line in running.values())
        word = EXECUTORS[engine] if wanted == "executor" else "__engine"
        for number, line in running.items():
            if at_work and word in line:
                with contextlib.suppress(OSError):
                    os.kill(number, signal.SIGKILL)
                    killed.append(wanted)
                    break
        time.sleep(0.5)
    return killed
