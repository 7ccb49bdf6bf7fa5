"""Cuts every file into its own container, Matroska and WAV, each judged by FFmpeg's tools."""

import collections
import json

from judging import reported
from soaking import bench as benches
from soaking import clips

ABOUT = "cuts every file into its own container, Matroska and WAV, judged by FFmpeg's tools"
KINDS = ["own", "mkv", "wav"]


def sources():
    """Returns names and paths of all files whose kind has a container of its own."""
    return [(name, path) for name, path in clips.all_clips(1 << 40, set(reported.KINDS))
            if not name.startswith("samples/")]


COUNT = len(sources()) * len(KINDS)


def run(bench):
    files, rows = sources(), benches.Rows("own-files")

    def work(number, folder):
        name, path = files[number // len(KINDS) % len(files)]
        kind = KINDS[number % len(KINDS)]
        ending = reported.OWN[path.suffix[1:].lower()] if kind == "own" else kind
        verdict, why = reported.row(bench.trim, path, ending, folder, {})
        return {"clip": name, "to": kind, "ending": ending, "verdict": verdict, "why": why}

    counts, told = collections.defaultdict(collections.Counter), []
    for row in bench.cells(work):
        counts[row["to"]][row["verdict"]] += 1
        if row["verdict"] != "right":
            rows.add(row)
            told.append(row)
        if bench.only is not None:
            print(json.dumps(row, indent=2))
    lines = [
        "# Every file into its own container, Matroska and WAV", "",
        f"`tools/soak own_files` on {len(files)} files, from {reported.FROM} % to {reported.TO} %. *Right*: "
        "the frames and the sound that trim reports, with the source's timing, and no message of a decoder "
        "that it does not give about the source. *Refused*: exit status 64, 65 or 69.", "",
        "| into | right | refused | wrong |", "|---|---:|---:|---:|"]
    for kind in KINDS:
        lines.append(f"| {kind} | " + " | ".join(
            str(counts[kind][verdict]) for verdict in ("right", "refused", "wrong")) + " |")
    lines += ["", "| file | into | verdict | message |", "|---|---|---|---|"]
    lines += [f"| {row['clip']} | {row['ending']} | {row['verdict']} | "
              + row["why"].replace("|", "\\|") + " |" for row in told]
    print("\n".join(lines))
    print(f"rows: {rows.path}")
    if bench.only is None:
        bench.write("own-files", lines)
    return 1 if any(count["wrong"] for count in counts.values()) else 0
