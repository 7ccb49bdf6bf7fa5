"""Cuts every file from 25 % to 70 % into every container: written correctly, or refused for a reason."""

import collections
import json

from soaking import bench as benches
from soaking import clips

ABOUT = "cuts every file into six containers"
ENDINGS = [".mp4", ".mov", ".mkv", ".webm", ".ts", ".avi"]
COUNT = len(clips.all_clips(largest=1 << 40)) * len(ENDINGS)
PATIENCE = 240
BROKEN = {70, 74}


def cell(bench, sources, number, folder):
    name, path = sources[number // len(ENDINGS) % len(sources)]
    ending = ENDINGS[number % len(ENDINGS)]
    output = folder / f"cut{ending}"
    result = benches.run(
        [bench.trim, "cut", path, "--from", "25%", "--to", "70%", "--json", "--verify",
         bench.options.verify, "-o", output], PATIENCE)
    row = {"clip": name, "to": ending, "status": result.status, "late": result.late,
           "err": result.err.strip()[:400]}
    if result.status == 0 and not result.late:
        record = json.loads(result.out)
        row["damage"] = [(one["what"], one["text"]) for one in record.get("damage") or []][:4]
        row["complaints"] = benches.complaints(output, PATIENCE)[:4]
        row["source_said"] = benches.complaints(path, PATIENCE)[:4] if (
            row["complaints"] or row["damage"]) else []
    return row


def run(bench):
    sources = clips.all_clips(largest=1 << 40)
    rows = benches.Rows("containers")
    statuses = collections.defaultdict(collections.Counter)
    tally = collections.Counter()
    for row in bench.cells(lambda number, folder: cell(bench, sources, number, folder)):
        status = "late" if row["late"] else row["status"]
        statuses[row["to"]][status] += 1
        tally["broken"] += row["late"] or status in BROKEN or row["status"] < 0
        if row["status"] == 0:
            said, damage = bool(row["complaints"]), bool(row["damage"])
            tally["complaining"] += said
            tally["reported"] += said and damage
            tally["silent"] += damage and not said
            # FFmpeg reports errors in the cut, but none in the source.
            tally["new"] += said and not row["source_said"]
        if status != 0 or row["complaints"] or row["damage"]:
            rows.add(row)
        if bench.only is not None:
            print(json.dumps(row, indent=2))
    known = sorted({status for counts in statuses.values() for status in counts}, key=str)
    lines = [
        "# Every file into every container", "",
        f"`tools/soak containers` on {len(sources)} files, from 25 % to 70 %. Exit status 64 means that "
        "the range shows nothing, 65 that the file cannot be cut into that container.", "",
        "| container | " + " | ".join(map(str, known)) + " |", "|---|" + "---:|" * len(known)]
    for ending in ENDINGS:
        lines.append(f"| {ending} | " + " | ".join(
            str(statuses[ending][status]) for status in known) + " |")
    lines += ["", f"ffmpeg reports errors in {tally['complaining']} of the written cuts; in "
              f"{tally['reported']} of these, trim reported damage, and in {tally['new']}, ffmpeg "
              f"reports no errors in the source. trim reported damage in {tally['silent']} cuts in "
              "which ffmpeg reports no errors."]
    print("\n".join(lines))
    print(f"rows: {rows.path}")
    if bench.only is None:
        bench.write("containers", lines)
    return 1 if tally["broken"] else 0
