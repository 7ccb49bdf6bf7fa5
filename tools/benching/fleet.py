"""The engines of the fleet beside plain `trim batch`, and beside themselves with a process a file."""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from soaking.fleet_jobs import ENGINES, installed, run_job

from .films import CACHE, ffmpeg, many_films, small_film

PACKETS, HEADERS, PROBES, PAIRS = 96, 4000, 200, 3


def stream():
    """75 s of MPEG-TS, which tells its length to those only who read every packet."""
    film = CACHE / "stream.ts"
    if not film.exists():
        ffmpeg("-stream_loop", 14, "-i", small_film(), "-c", "copy", output=film)
    return film


def streams():
    folder = CACHE / "streams"
    folder.mkdir(exist_ok=True)
    films = [folder / f"{number:03}.ts" for number in range(PACKETS)]
    for film in films:
        if not film.exists():
            film.hardlink_to(stream())
    return [{"path": str(film)} for film in films]


def plain(trim, records):
    """Seconds of `trim batch` over the same files."""
    tasks = "".join(json.dumps(record | {"op": "probe"}) + "\n" for record in records)
    started = time.monotonic()
    result = subprocess.run(
        [trim, "batch"], input=tasks.encode(), stdout=subprocess.PIPE, check=True)
    if result.stdout.count(b"\n") != len(records):
        sys.exit("bench: trim batch did not answer for every file")
    return time.monotonic() - started


def measure_fleet(trim, thresholds):
    """A row for each engine that is installed for this Python."""
    trim, films = str(Path(trim).resolve()), [{"path": str(film)} for film in many_films()]
    headers = [films[number % len(films)] for number in range(HEADERS)]
    rows = []
    for engine in filter(installed, ENGINES):
        packets, starts, fast, slow = [], [], [], []
        with tempfile.TemporaryDirectory() as scratch:
            def job(op, records, folder=Path(scratch), engine=engine, **options):
                found = run_job(trim, engine, op, records, folder, options=options)
                if "failed" in found or len(found["rows"]) != len(records):
                    sys.exit(f"bench: {engine} gave no row for every file: {found.get('text')}")
                return found

            for _ in range(PAIRS):
                alone = plain(trim, streams())
                found = job("facts", streams())
                if not all(row["depth"] == "packets" for row in found["rows"]):
                    sys.exit("bench: not every packet was read")
                packets.append(alone / found["work"])
                starts.append(found["start"])
                fast.append(HEADERS / job("facts", headers, depth="header")["work"])
                slow.append(PROBES / job("ffprobe", films)["work"])
        row = {"name": f"fleet-{engine}", "packets_ratio": statistics.median(packets),
               "headers_ratio": statistics.median(a / b for a, b in zip(fast, slow)),
               "start_seconds": statistics.median(starts),
               "headers_per_second": statistics.median(fast),
               "ffprobes_per_second": statistics.median(slow)}
        row["packets_limit"] = thresholds["fleet-packets"]["cpu"]
        row["headers_limit"] = thresholds["fleet-headers"]["cpu"]
        row["ok"] = (row["packets_ratio"] >= row["packets_limit"]
                     and row["headers_ratio"] >= row["headers_limit"])
        rows.append(row)
    if not rows:
        print("bench: fleet: neither Ray nor Spark nor Dask is installed for "
              f"{sys.executable}, so it is skipped", file=sys.stderr)
    return rows


def fleet_lines(row):
    def line(value, limit, what):
        return (f"{row['name']:15} {value:8.2f} {limit:8.2f}  "
                f"{'ok' if value >= limit else 'MISSED'}  {what}")

    yield f"{'':15} {'figure':>8} {'at least':>8}"
    yield line(row["packets_ratio"], row["packets_limit"],
               f"of the throughput of trim batch, {PACKETS} scans of all packets; its start took "
               f"{row['start_seconds']:.1f} s more")
    yield line(row["headers_ratio"], row["headers_limit"],
               f"times one ffprobe a file on the same engine: {row['headers_per_second']:.0f} and "
               f"{row['ffprobes_per_second']:.0f} files a second")
