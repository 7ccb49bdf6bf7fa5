"""Asks for the same damaged files again and again: one answer each, whatever the machine is doing."""

import collections
import json
import os
import subprocess

from soaking import bench as benches
from soaking import clips, mutations

ABOUT = "probes damaged video many times, on one processor and on all, idle and busy: one answer each"
COUNT = 200
TIMES = 20
PATIENCE = 200
# The codecs that FFmpeg decodes with several threads.
KINDS = frozenset({".mp4", ".mov", ".mkv", ".webm", ".ts", ".mts", ".m2ts", ".avi", ".flv"})


def answer(bench, path, words):
    result = benches.run([*words, bench.trim, "probe", "--depth", "frames", "--json", path], PATIENCE)
    return result.status, result.out


def cell(bench, sources, number, folder):
    chance = bench.chance(number)
    name, path = chance.choice(sources)
    data = bytearray(path.read_bytes())
    chance.choice([mutations.flip_bits, mutations.flip_burst, mutations.zero_stretch])(chance, data)
    mutant = folder / f"mutant{path.suffix.lower()}"
    mutant.write_bytes(data)
    answers = collections.Counter()
    for turn in range(TIMES):
        one, busy = turn % 2 == 0, turn % 4 > 1
        load = [subprocess.Popen(["sh", "-c", "while :; do :; done"])
                for _ in range(os.cpu_count())] if busy else []
        try:
            answers[answer(bench, mutant, ["taskset", "-c", "0"] if one else [])] += 1
        finally:
            for process in load:
                process.kill()
                process.wait()
    first = answers.most_common(1)[0][0]
    return {"clip": name, "statuses": sorted({status for status, _ in answers}),
            "answers": len(answers), "status": first[0]}


def run(bench):
    sources, rows = clips.all_clips(600_000, KINDS), benches.Rows("verdicts")
    tally, several = collections.Counter(), 0
    for row in bench.cells(lambda number, folder: cell(bench, sources, number, folder)):
        tally[row["status"]] += 1
        if row["answers"] > 1:
            several += 1
            rows.add(row)
        if bench.only is not None:
            print(json.dumps(row, indent=2))
    lines = [
        "# Answers about damaged files", "",
        f"`tools/soak verdicts --count {bench.count} --seed {bench.seed}` on {len(sources)} clips: "
        f"`trim probe --depth frames --json`, {TIMES} times each, in turn on one processor and on all, "
        "idle and with as many busy processes as processors.", "",
        "| exit status | files |", "|---|---:|",
        *(f"| {status} | {count} |" for status, count in sorted(tally.items())), "",
        f"Files with more than one answer: {several}.",
    ]
    print("\n".join(lines))
    print(f"rows: {rows.path}")
    if bench.only is None:
        bench.write("verdicts", lines)
    return 1 if several or any(status < 0 or status in mutations.BROKEN for status in tally) else 0
