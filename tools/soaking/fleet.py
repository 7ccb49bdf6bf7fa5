"""Tables of many files go through Ray, Spark and Dask: exactly the rows of one machine, whatever dies.

Every engine is real and local, with several processes. Files are hard links and copies of the films,
some broken, some that stall; half-way a worker process and an executor are killed. Then cuts are done
twice over. Engines that are not installed are left out, and named.
"""

import contextlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from soaking import bench as benches
from soaking import films

ABOUT = "tables of files go through Ray, Spark and Dask while processes are killed"
COUNT = 10_000
# With so many files there is time to kill something on the way.
KILLING = 400
ENGINES = ["ray", "spark", "dask"]
PATIENCE = 1800

# Columns that say how it went, not what is true.
HOW = {"attempts"}


def make_files(bench, sources, folder):
    """Links to the films, one in a hundred broken, ten that have no end to read."""
    paths = []
    for number in range(bench.count):
        chance = bench.chance(number)
        name, source = chance.choice(sources)
        path = folder / f"{number:06}{source.suffix.lower()}"
        if number % 100 == 7:
            data = bytearray(source.read_bytes()[: 1 << 20])
            del data[chance.randrange(1, len(data)):]
            path.write_bytes(data)
        elif bench.count >= KILLING and number % (bench.count // 10) == 11:
            os.mkfifo(path)
        else:
            try:
                os.link(source, path)
            except OSError:
                shutil.copyfile(source, path)
        paths.append(str(path))
    return paths


def expected(bench, paths):
    """What `trim batch` says of them on one machine: the columns that the tables have of it."""
    tasks = "".join(json.dumps({"op": "probe", "path": path}) + "\n" for path in paths)
    result = subprocess.run(
        [bench.trim, "batch", "--failures", "ok"], input=tasks.encode(), capture_output=True,
        check=True)
    found = {}
    for line in result.stdout.splitlines():
        row = json.loads(line)
        presented = row["result"] and row["result"]["durations"]["presented"]
        found[row["input"]["path"]] = (
            presented and presented["value"], row["error"] and row["error"]["code"])
    return found


def value(row):
    if row["presented_num"] is None:
        return None
    number, divisor = int(row["presented_num"]), int(row["presented_den"])
    return str(number) if divisor == 1 else f"{number}/{divisor}"


def judge(rows, wanted):
    """How many rows are missing, twice there, or different."""
    seen, wrong = {}, []
    for row in rows:
        path = row["path"]
        seen[path] = seen.get(path, 0) + 1
        if (value(row), row["error_code"]) != wanted.get(path):
            wrong.append((path, value(row), row["error_code"], wanted.get(path)))
    return {"missing": len(set(wanted) - set(seen)), "wrong": wrong[:5], "differ": len(wrong),
            "twice": sum(count > 1 for count in seen.values())}


def run_engine(bench, engine, words, folder, *, kills):
    """The engine in a process of its own, as a job would be; its rows and its seconds."""
    answer, killed = folder / f"{engine}.json", []
    environment = dict(os.environ, TRIM_ENGINE=str(bench.trim))
    environment["PYTHONPATH"] = os.pathsep.join(
        [str(benches.ROOT / "Bindings/Python/src"), environment.get("PYTHONPATH", "")])
    program = Path(__file__).with_name("fleet_job.py")
    started = time.monotonic()
    with tempfile.TemporaryFile() as log:
        job = subprocess.Popen(
            [sys.executable, program, engine, answer, *map(str, words)], env=environment,
            stdout=log, stderr=log, start_new_session=True)
        try:
            killed = kill_some(job, kills)
            status = job.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            status = -1
        finally:
            # Whatever an engine has left running is in the session of its job.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(job.pid, signal.SIGKILL)
            job.wait()
        if status != 0:
            log.seek(0)
            text = log.read().decode(errors="replace")
            return {"failed": status, "text": text[-3000:], "killed": killed}
    found = json.loads(answer.read_text())
    return found | {"seconds": time.monotonic() - started, "killed": killed}


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


# The processes that run Python for each engine, by their command lines.
EXECUTORS = ("_Actor", "ray::", "pyspark.daemon", "pyspark/daemon", "spawn_main", "forkserver")


def kill_some(job, kills):
    """One process of trim's and one executor, once the work is under way."""
    killed = []
    if not kills:
        return killed
    end = time.monotonic() + 120
    while time.monotonic() < end and job.poll() is None and len(killed) < 2:
        for number, line in descendants(job.pid).items():
            if "trim" not in killed and "__worker" in line:
                os.kill(number, 9)
                killed.append("trim")
            elif "trim" in killed and "executor" not in killed:
                if any(word in line for word in EXECUTORS):
                    try:
                        os.kill(number, 9)
                    except OSError:
                        continue
                    killed.append("executor")
        time.sleep(0.2)
    return killed


def installed(engine):
    return importlib.util.find_spec({"spark": "pyspark"}.get(engine, engine)) is not None


def run(bench):
    engines = [engine for engine in ENGINES if installed(engine)]
    for engine in ENGINES:
        if engine not in engines:
            print(f"left out: {engine} is not installed for {sys.executable}")
    if not engines:
        return 0
    # So that what was begun is ended too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    rows = benches.Rows("fleet")
    sources = films.all_films()
    folder = bench.folder
    (folder / "films").mkdir()
    paths = make_files(bench, sources, folder / "films")
    table = folder / "paths.json"
    table.write_text(json.dumps(paths))
    started = time.monotonic()
    wanted = expected(bench, paths)
    plain = time.monotonic() - started
    lines = [f"trim batch on one machine: {len(paths)} files in {plain:.1f} s", "",
             "| engine | rows | missing | twice | different | work, s | in all, s | killed |",
             "|---|---|---|---|---|---|---|---|"]
    broken = 0
    for engine in engines:
        found = run_engine(bench, engine, ["facts", table], folder, kills=bench.count >= KILLING)
        if "failed" in found:
            print(f"{engine}: failed with {found['failed']}\n{found['text']}")
            rows.add({"engine": engine} | found)
            broken += 1
            continue
        judged = judge(found["rows"], wanted)
        rows.add({"engine": engine, "killed": found["killed"]} | judged)
        is_right = not (judged["missing"] or judged["twice"] or judged["differ"])
        broken += not is_right
        if judged["wrong"]:
            print(f"{engine}: {judged['wrong']}")
        lines.append(
            f"| {engine} | {len(found['rows'])} | {judged['missing']} | {judged['twice']} | "
            f"{judged['differ']} | {found['work']:.1f} | {found['seconds']:.1f} | "
            f"{', '.join(found['killed']) or 'nothing'} |")
        broken += cut_twice(bench, engine, folder, rows)
    print("\n".join(lines))
    bench.write("fleet", [f"# Fleet: {ABOUT}", "", f"Seed {bench.seed}.", "", *lines])
    return 1 if broken else 0


def cut_twice(bench, engine, folder, rows):
    """Cuts into a folder, and again: nothing is made twice, and the rows are the same."""
    target = folder / f"cuts-{engine}"
    target.mkdir()
    film = benches.ROOT / "samples" / "b-frames.mp4"
    count = max(8, min(200, bench.count // 50))
    table = folder / "cuts.json"
    table.write_text(json.dumps(
        [{"id": f"{number:04}", "path": str(film), "start": f"{number}/100", "end": "3"}
         for number in range(count)]))
    states, answers = [], []
    for _ in range(2):
        found = run_engine(bench, engine, ["cuts", table, target], folder, kills=False)
        if "failed" in found:
            print(f"{engine}: cuts failed with {found['failed']}\n{found['text']}")
            return 1
        states.append({one.name: one.stat().st_mtime_ns for one in target.iterdir()})
        answers.append(sorted(
            tuple(row[key] for key in ("output", "output_bytes", "length_num", "length_den",
                                       "error_code")) for row in found["rows"]))
    is_right = states[0] == states[1] and answers[0] == answers[1] and len(states[0]) == count
    is_right = is_right and all(row[-1] is None for row in answers[0])
    rows.add({"engine": engine, "cuts": len(states[0]), "same": is_right})
    print(f"{engine}: {len(states[0])} cuts of {count}, " + (
        "done again none was made twice" if is_right else f"not the same: {answers}"[:2000]))
    return 0 if is_right else 1
