"""Runs interleaved pairs of whole processes, and compares the median of their ratios with a limit."""

import ctypes
import json
import os
import shlex
import statistics
import subprocess
import sys
from pathlib import Path

from .clips import BATCH
from .doors import is_right
from .pairs import BENCHMARKS, CUTS

if sys.platform == "linux":
    # PR_SET_CHILD_SUBREAPER: processes that a command leaves behind are counted too.
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)


def run(command):
    """Runs a command; returns the CPU seconds of all its processes and their largest resident set in MiB."""
    seconds, peak = 0, 0
    with open(os.devnull, "r+b") as null:
        process = subprocess.Popen(command, stdin=null, stdout=null)
        while True:
            try:
                ended, status, usage = os.wait4(-1, 0)
            except ChildProcessError:
                break
            seconds += usage.ru_utime + usage.ru_stime
            peak = max(peak, usage.ru_maxrss / 1024)
            if ended == process.pid:
                process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"bench: exit status {process.returncode} from {shlex.join(command)[:200]}")
    return seconds, peak


def proves_its_answer(name, command):
    """Checks the answer before it is timed: a tool that answers nothing is infinitely fast."""
    result = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()
    if name == "batch":
        return len(result.splitlines()) == BATCH
    if name in ("exact", "fast"):
        pictures = json.loads(result)["pictures"]
        return len(pictures) == 10 and all(
            one["start"]["seconds"] <= one["asked"]["seconds"] < one["end"]["seconds"]
            or name == "fast" for one in pictures)
    if name in CUTS or name == "sealed-cut":
        return Path(command[-1]).stat().st_size > 50_000
    if name == "keyframes":
        facts = json.loads(result)
        video = next(track for track in facts["tracks"] if track["type"] == "video")
        return (abs(facts["durations"]["presented"]["seconds"] - 600) < 1
                and len(video["keyframes"]) == 300)
    if name.startswith("door-"):
        return is_right(name)
    if name.startswith("find-"):
        return len(json.loads(result)["findings"]) > 0
    return result != ""


def measure(name, trim, thresholds):
    what, commands, pairs = BENCHMARKS[name]
    ours, theirs = commands(trim)
    if not proves_its_answer(name, ours):
        sys.exit(f"bench: the output of {shlex.join(ours)[:200]} is not the expected one")
    run(ours), run(theirs)
    runs = [(run(ours), run(theirs)) for _ in range(pairs)]
    row = {"name": name, "what": what, "pairs": pairs}
    for index, quantity in enumerate(["cpu", "memory"]):
        row[f"trim_{quantity}"] = statistics.median(mine[index] for mine, _ in runs)
        row[f"peer_{quantity}"] = statistics.median(peer[index] for _, peer in runs)
        row[f"{quantity}_ratio"] = statistics.median(
            mine[index] / peer[index] for mine, peer in runs)
        row[f"{quantity}_limit"] = thresholds[name][quantity]
    row["ok"] = (all(row[f"{q}_ratio"] <= row[f"{q}_limit"] for q in ["cpu", "memory"])
                 and row["trim_memory"] < thresholds[name].get("mib", float("inf")))
    return row
