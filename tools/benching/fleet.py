"""Compares the fleet's engines with plain `trim batch`, and with one ffprobe per file on the same engine.

Each engine is started once. The fixed cost of a job (starting processes, planning) is measured with a
job of a few files and subtracted from one of many, for the engine and for `trim batch` alike.
"""

import statistics
import sys
import tempfile
from pathlib import Path

from soaking.fleet_jobs import ENGINES, installed, run_works

from .clips import CACHE, ffmpeg, many_clips, small_clip

FEW, PACKETS, HEADERS, PROBES, ROUNDS = 16, 160, 2000, 48, 3
# The records exist already, so Ray needs its processors for nothing but the work.
OF_ENGINE = {"ray": {"actors": 2}}


def stream():
    """Makes 75 s of MPEG-TS, whose duration is known only after every packet has been read."""
    clip = CACHE / "stream.ts"
    if not clip.exists():
        ffmpeg("-stream_loop", 14, "-i", small_clip(), "-c", "copy", output=clip)
    return clip


def streams():
    folder = CACHE / "streams"
    folder.mkdir(exist_ok=True)
    clips = [folder / f"{number:03}.ts" for number in range(PACKETS)]
    for clip in clips:
        if not clip.exists():
            clip.hardlink_to(stream())
    return [{"path": str(clip)} for clip in clips]


def works_of(engine):
    """Returns the jobs: one that starts everything, then the rounds."""
    options = OF_ENGINE.get(engine, {})
    clips = [{"path": str(clip)} for clip in many_clips()]
    headers = [clips[number % len(clips)] for number in range(HEADERS)]
    packets = streams()

    def one(op, records, **more):
        return {"op": op, "records": records, "folder": None, "options": more}

    few = [one("batch", packets[:FEW]), one("facts", packets[:FEW], **options)]
    many = [one("batch", packets), one("facts", packets, **options)]
    quick = [one("facts", headers, depth="header", **options), one("ffprobe", clips[:PROBES])]
    return [one("facts", packets[:FEW], **options), *ROUNDS * [*few, *many, *quick]]


def measure_engine(trim, engine, thresholds):
    works = works_of(engine)
    with tempfile.TemporaryDirectory() as scratch:
        found = run_works(trim, engine, works, Path(scratch))
    if "failed" in found:
        sys.exit(f"bench: {engine} failed: {found['text']}")
    for work, done in zip(works, found["works"]):
        if len(done["rows"]) != len(work["records"]):
            sys.exit(f"bench: {engine} did not return a row for every file")
        if work["op"] == "facts":
            depth = work["options"].get("depth", "packets")
            if not all(row["depth"] == depth for row in done["rows"]):
                sys.exit(f"bench: {engine} did not read every file at the requested depth")
    first, *times = [done["seconds"] for done in found["works"]]
    rounds = [times[at:at + 6] for at in range(0, len(times), 6)]
    starts = statistics.median(one[1] for one in rounds)
    alone = statistics.median(one[0] for one in rounds)
    ratios = sorted((one[2] - alone) / (one[3] - starts) for one in rounds)
    row = {
        "name": f"fleet-{engine}",
        "packets_ratio": statistics.median(ratios),
        "packets_ratios": ratios,
        "packets_ratio_with_start": statistics.median(one[2] / one[3] for one in rounds),
        "headers_ratio": statistics.median(
            HEADERS / one[4] / (PROBES / one[5]) for one in rounds),
        "session_seconds": found["start"] + first,
        "start_seconds": starts,
        "headers_per_second": statistics.median(HEADERS / one[4] for one in rounds),
        "ffprobes_per_second": statistics.median(PROBES / one[5] for one in rounds),
        "packets_limit": thresholds["fleet-packets"]["cpu"],
        "headers_limit": thresholds["fleet-headers"]["cpu"]}
    row["ok"] = (row["packets_ratio"] >= row["packets_limit"]
                 and row["headers_ratio"] >= row["headers_limit"])
    return row


def measure_fleet(trim, thresholds):
    """Returns a row for each engine that is installed for this Python."""
    trim = str(Path(trim).resolve())
    rows = [measure_engine(trim, engine, thresholds) for engine in filter(installed, ENGINES)]
    if not rows:
        print("bench: fleet: neither Ray nor Spark nor Dask is installed for "
              f"{sys.executable}; skipped", file=sys.stderr)
    return rows


def fleet_lines(row):
    def line(value, limit, what):
        return (f"{row['name']:15} {value:8.2f} {limit:8.2f}  "
                f"{'ok' if value >= limit else 'MISSED'}  {what}")

    yield f"{'':15} {'figure':>8} {'at least':>8}"
    seen = ", ".join(f"{ratio:.2f}" for ratio in row["packets_ratios"])
    yield line(row["packets_ratio"], row["packets_limit"],
               f"of the throughput of trim batch, {PACKETS} scans of all packets (rounds: {seen})")
    yield (f"{'':15} {row['packets_ratio_with_start']:8.2f} {'':8}      the same, with the job's "
           f"start ({row['start_seconds']:.1f} s); the session took {row['session_seconds']:.1f} s")
    yield line(row["headers_ratio"], row["headers_limit"],
               f"times one ffprobe per file on the same engine, including starts: "
               f"{row['headers_per_second']:.0f} and {row['ffprobes_per_second']:.0f} files per second")
