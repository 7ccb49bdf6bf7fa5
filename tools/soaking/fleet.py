"""Sends tables of many files through Ray, Spark and Dask while processes are killed: the rows must be those
of one machine.

Every engine is real and local, with several processes. The files are hard links and copies of the
samples; one in a hundred is broken, and ten stall or kill their worker. Worker processes of trim and
executors of the engine are killed along the way. Then cuts are made twice, also in an object store, and
100,000 rows go through one process. Engines that are not installed are skipped and named.
"""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from soaking import bench as benches
from soaking import clips, fleet_files, fleet_store
from soaking.fleet_jobs import ENGINES, installed, run_job

ABOUT = "tables of files through Ray, Spark and Dask while processes are killed"
COUNT = 10_000
# From this number of files on, a run is long enough to kill something.
KILLING = 400
ROWS = 100_000
KEYS = ("output_bytes", "length_num", "length_den", "error_code")


def run(bench):
    engines = [engine for engine in ENGINES if installed(engine)]
    for engine in set(ENGINES) - set(engines):
        print(f"skipped: {engine} is not installed for {sys.executable}")
    if not engines:
        return 0
    # On SIGTERM, also ends everything that was started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    kept = benches.Rows("fleet")
    folder = bench.folder / "clips"
    scratch = bench.folder / "scratch"
    folder.mkdir()
    scratch.mkdir()
    # Temporary files that are not removed end up here and are found.
    os.environ["TMPDIR"] = str(scratch)
    paths = fleet_files.make_files(bench, clips.all_clips(), folder)
    lines, broken = [], 0
    with fleet_files.Killer() as killer:
        wanted, plain = fleet_files.expected(bench, paths)
        lines += [f"`trim batch` on one machine: {len(paths)} files in {plain:.1f} s, "
                  f"{sum(one['error_code'] is not None for one in wanted.values())} of them errors.",
                  "", "| engine | rows | missing | duplicate | different | work, s | killed |",
                  "|---|---|---|---|---|---|---|"]
        for engine in engines:
            found = run_job(
                bench.trim, engine, "facts", [{"path": path} for path in paths], scratch,
                options={"engine": {"timeout": str(fleet_files.TIMEOUT)}},
                kills=2 if bench.count >= KILLING else 0)
            broken += report(engine, found, wanted, kept, lines)
            keep(bench, lines)
    lines += ["", f"Workers killed while they read a deadly file: {killer.kills}.", ""]
    cuts = benches.ROOT / "samples" / "b-frames.mp4"
    for engine in engines:
        broken += find_alike(bench, engine, scratch, lines)
        broken += cut_twice(bench, engine, cuts, scratch, lines)
    broken += in_a_store(bench, engines, cuts, scratch, kept, lines)
    broken += many_rows(bench, lines)
    left = sorted(one.name for one in scratch.glob("trim-*"))
    lines += ["", f"Left in the temporary folder: {', '.join(left) or 'no files of trim'}."]
    broken += len(left)
    print("\n".join(lines))
    keep(bench, lines)
    return 1 if broken else 0


def keep(bench, lines):
    """Saves the results so far: the whole run takes an hour."""
    bench.write("fleet", [f"# Fleet: {ABOUT}", "", f"Seed {bench.seed}.", "", *lines])


def report(engine, found, wanted, kept, lines, name=lambda path: path):
    """Adds a line to the table; returns 1 if anything is wrong."""
    if "failed" in found:
        print(f"{engine}: failed with {found['failed']}\n{found['text']}", flush=True)
        kept.add({"engine": engine} | found)
        lines.append(f"| {engine} | failed | | | | | {', '.join(found['killed'])} |")
        return 1
    judged = fleet_files.judge(found["rows"], wanted, name)
    kept.add({"engine": engine, "killed": found["killed"]} | judged)
    if judged["wrong"]:
        print(f"{engine}: {judged['wrong']}", flush=True)
    killed = found["killed"]
    lines.append(
        f"| {engine} | {len(found['rows'])} | {judged['missing']} | {judged['twice']} | "
        f"{judged['differ']} | {found['work']:.1f} | "
        f"{killed.count('worker')} workers, {killed.count('executor')} executors |")
    print(lines[-1], flush=True)
    return int(bool(judged["missing"] or judged["twice"] or judged["differ"]))


def find_alike(bench, engine, scratch, lines):
    """What is found in a table of files must be what a batch finds."""
    wishes = {"silence": True, "scenes": True, "still": "0.2"}
    paths = [str(path) for _, path in clips.all_clips()[:40]]
    tasks = "".join(json.dumps({"op": "find", "path": path, "silence": True, "scenes": True, "still": True,
                                "still_for": "0.2"}) + "\n" for path in paths)
    rows = subprocess.run([bench.trim, "batch", "--failures", "ok"], input=tasks.encode(), stdout=subprocess.PIPE,
                          check=False).stdout.splitlines()
    wanted = {}
    for row in map(json.loads, rows):
        found = row.get("result") or {"findings": []}
        wanted[(row.get("input") or {}).get("path")] = [[one["kind"], one["from"]["value"], one["to"]["value"]] for one in found["findings"]]
    done = run_job(bench.trim, engine, "findings", [{"path": path} for path in paths], scratch, options=wishes)
    if "failed" in done:
        print(f"{engine}: findings failed with {done['failed']}\n{done['text']}", flush=True)
        lines.append(f"- {engine}: findings failed")
        return 1
    told = {row["path"]: [[one["kind"], one["start"], one["end"]] for one in json.loads(row["findings"] or "[]")]
            for row in done["rows"]}
    differ = [path for path in paths if told.get(path) != wanted.get(path)]
    for path in differ[:3]:
        print(f"{engine}: {path}: {told.get(path)} instead of {wanted.get(path)}"[:600], flush=True)
    lines.append(f"- {engine}: `findings` of {len(paths)} files, {sum(map(len, told.values()))} of them, "
                 f"{len(differ)} files different from `trim batch`, {done['work']:.1f} s.")
    print(lines[-1], flush=True)
    return int(bool(differ))


def cut_twice(bench, engine, clip, scratch, lines, *, source=None, folder=None, listed=None,
              environment=None):
    """Makes cuts while processes are killed, and again: none may be made twice, and the rows must match."""
    count = max(8, min(200, bench.count // 50))
    target = folder or bench.folder / f"cuts-{engine}"
    if folder is None:
        target.mkdir()
    listed = listed or (lambda: {one.name: one.stat().st_mtime_ns for one in target.iterdir()})
    records = [{"id": f"{number:04}", "path": str(source or clip), "start": f"{number}/100",
                "end": "3"} for number in range(count)]
    states, answers = [], []
    for kills in (1, 0):
        found = run_job(bench.trim, engine, "cuts", records, scratch, folder=target, kills=kills,
                        environment=environment)
        if "failed" in found:
            print(f"{engine}: cuts failed with {found['failed']}\n{found['text']}", flush=True)
            lines.append(f"- {engine}: cuts failed")
            return 1
        states.append(listed())
        answers.append(sorted(
            (clean(row["output"]), *(row[key] for key in KEYS)) for row in found["rows"]))
    is_right = states[0] == states[1] and answers[0] == answers[1] and len(states[0]) == count
    is_right = is_right and all(row[-1] is None for row in answers[0])
    text = f"- {engine}{' in the store' if source else ''}: {len(states[0])} of {count} cuts; " + (
        "run again, none was made twice, and the rows were the same" if is_right else "NOT the same")
    print(text if is_right else f"{text}: {answers}"[:2000], flush=True)
    lines.append(text)
    return 0 if is_right else 1


def clean(url):
    return re.sub(r"\?.*", "", url)


def in_a_store(bench, engines, clip, scratch, kept, lines):
    """Probes the samples in an object store, by URL, and cuts from and to the store."""
    try:
        import moto  # noqa: F401
    except ImportError:
        print("skipped: the object store, which needs pip install 'moto[server]'")
        return 0
    paths = [one for one in sorted((benches.ROOT / "samples").iterdir())
             if one.suffix in clips.KINDS]
    wanted, _ = fleet_files.expected(bench, [str(one) for one in paths])
    wanted = {Path(path).name: row for path, row in wanted.items()}
    broken = 0
    lines += ["", "In an object store (S3, emulated by `moto`), with a spool of 4 MB:", "",
              "| engine | rows | missing | duplicate | different | work, s | killed |",
              "|---|---|---|---|---|---|---|"]
    after = []
    with fleet_store.s3_server(scratch) as environment:
        urls, store = fleet_store.upload(paths, environment, "in")
        for engine in engines:
            found = run_job(
                bench.trim, engine, "facts", [{"path": url} for url in urls], scratch,
                environment=environment, options={"spool": {"limit": 4_000_000}})
            broken += report(engine, found, wanted, kept, lines,
                             lambda path: Path(clean(path)).name)
            from pyarrow import fs

            def listed(prefix=f"clips/out-{engine}"):
                infos = store.get_file_info(fs.FileSelector(prefix, allow_not_found=True))
                return {info.base_name: info.mtime_ns for info in infos}

            broken += cut_twice(
                bench, engine, clip, scratch, after, environment=environment, listed=listed,
                source=fleet_store.url(f"in/{clip.name}", environment),
                folder=fleet_store.url(f"out-{engine}", environment))
    lines += ["", *after]
    return broken


MANY = """
import json, resource, sys
from pathlib import Path
from trim_media import Engine, Task
clip, rows = sys.argv[1], int(sys.argv[2])
def memory(pid):
    pids = [int(one.name) for one in Path("/proc").iterdir() if one.name.isdigit()]
    total = 0
    for one in pids:
        try:
            stat = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            if one == pid or int(stat[3]) == pid: total += int(stat[21]) * 4
        except OSError: pass
    return total
seen = []
own = lambda: int(Path("/proc/self/statm").read_text().split()[1]) * 4
with Engine() as engine:
    tasks = (Task.check(clip) for _ in range(rows))
    for number, row in enumerate(engine.map(tasks, ordered=False), 1):
        assert row.error is None
        if number % (rows // 10) == 0: seen.append((number, own(), memory(engine.pid)))
print(json.dumps(seen))
"""


def many_rows(bench, lines):
    """Checks that memory stays flat over many rows in one process, in Python and in the engine."""
    environment = os.environ | {
        "TRIM_ENGINE": str(bench.trim),
        "PYTHONPATH": str(benches.ROOT / "Bindings/Python/src")}
    result = subprocess.run(
        [sys.executable, "-c", MANY, str(benches.ROOT / "samples" / "b-frames.mp4"), str(ROWS)],
        env=environment, stdout=subprocess.PIPE, check=True)
    seen = json.loads(result.stdout)
    (_, first, engine_first), (_, last, engine_last) = seen[0], seen[-1]
    is_flat = last < first * 1.2 + 2048 and engine_last < engine_first * 1.2 + 4096
    lines += ["", f"Memory in KiB after {seen[0][0]} and after {ROWS} rows: Python {first} and {last}, "
              f"the engine with its workers {engine_first} and {engine_last}."
              + ("" if is_flat else " NOT FLAT.")]
    return 0 if is_flat else 1
