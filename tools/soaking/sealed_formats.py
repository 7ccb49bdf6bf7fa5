"""Reads, draws and cuts mutated files of the formats that need the complete sandbox."""

import collections
import json

from soaking import bench as benches
from soaking import mutations

ABOUT = "probes, draws and cuts mutated files of the formats that need the complete sandbox"
# Cells of 100 files.
COUNT = 200
FILES = 100
PATIENCE = 1800
PICTURES = ["apng.apng", "raw.y4m"]
FILMS = ["h264-aac.nut", "rv20-ac3.rm"]
SOUNDS = ["8svx.iff", "dsd.dff", "dsd.dsf", "pcm.ast", "pcm.nist", "pcm.sf", "pcm.sox", "pcm.voc",
          "silence-sv8.mpc", "silence.ape", "silence.mpc"]
SEEDS = sorted(PICTURES + FILMS + SOUNDS)
PROBES = [{"op": "probe", "depth": "packets"}, {"op": "probe", "depth": "frames"}]
SHOWN = [{"op": "strip", "output": "strip.png"},
         {"op": "cut", "from": "10%", "to": "90%", "output": "cut.mkv"},
         {"op": "cut", "from": "25%", "to": "75%", "output": "cut.mp4"}]
HEARD = [{"op": "wave"}, {"op": "cut", "from": "25%", "to": "75%", "output": "cut.wav"},
         {"op": "cut", "from": "10%", "to": "90%", "output": "cut.mka"}]
# Codes of a row that no file may cause: those of a bug, and of a process that failed.
BROKEN = {"internalError", "verificationFailed", "workerMissing", "notIsolated"}
# FFmpeg crashed or did not end: the sandbox kept it from the rest, and it is a finding all the same.
CONTAINED = {"decoderCrashed", "timedOut"}


def flip_header(chance, data):
    """Replaces up to eight bytes among the first 128."""
    for _ in range(chance.randint(1, 8)):
        value = chance.choice([0, 1, 127, 128, 255, chance.randrange(256)])
        data[chance.randrange(min(128, len(data)))] = value


MUTATIONS = [*mutations.MUTATIONS, flip_header, flip_header, flip_header]


def cell(bench, number, folder):
    chance = bench.chance(number)
    lines, made = [], []
    for place in range(FILES):
        name = chance.choice(SEEDS)
        data = bytearray((benches.ROOT / "Tests/Fuzzing/Seeds" / name).read_bytes())
        used = [chance.choice(MUTATIONS) for _ in range(chance.randint(1, 3))]
        for mutation in used:
            if len(data) >= 16:
                mutation(chance, data)
        path = folder / f"{place}-{name}"
        path.write_bytes(data)
        shown = SHOWN if name not in SOUNDS else []
        heard = HEARD if name not in PICTURES else []
        task = dict(chance.choice(PROBES + shown + heard))
        if "output" in task:
            task["output"] = str(folder / f"{place}-{task['output']}")
        lines.append(json.dumps({"id": place, "path": str(path), **task}))
        made.append((name, task["op"]))
    tasks = folder / "tasks.jsonl"
    tasks.write_text("\n".join(lines) + "\n")
    result = benches.run(
        ["sh", "-c", 'exec "$0" batch --isolation required --jobs 1 --failures ok <"$1"',
         bench.trim, tasks], PATIENCE)
    row = {"status": result.status, "late": result.late, "err": result.err[:600], "codes": {},
           "findings": []}
    codes, refused = collections.Counter(), collections.Counter()
    answered = set()
    for line in result.out.splitlines():
        answer = json.loads(line)
        if answer.get("id") is None:
            continue
        answered.add(answer["id"])
        code = (answer.get("error") or {}).get("code") or "read"
        seed, operation = made[answer["id"]]
        codes[f"{seed} {'read' if code == 'read' else 'refused'}"] += 1
        if code != "read":
            refused[code] += 1
        if code in BROKEN | CONTAINED:
            message = answer["error"]["message"][:300]
            row["findings"].append([answer["id"], seed, operation, code, message])
    row["codes"] = dict(codes)
    row["refused"] = dict(refused)
    row["unanswered"] = len(made) - len(answered)
    return row


def told(counts):
    return ", ".join(f"{name} {counts[name]}" for name in sorted(counts)) or "none"


def run(bench):
    rows = benches.Rows("sealed_formats")
    totals, refused = collections.Counter(), collections.Counter()
    findings = []
    broken = 0
    for row in bench.cells(lambda number, folder: cell(bench, number, folder)):
        totals.update(row["codes"])
        refused.update(row["refused"])
        findings += row["findings"]
        if row["late"] or row["status"] != 0 or row["unanswered"] or row["findings"]:
            broken += 1
            rows.add(row)
        if bench.only is not None:
            print(json.dumps(row, indent=2))
    count = sum(totals.values())
    lines = [
        "# Mutated files of the formats that need the complete sandbox", "",
        f"`tools/soak sealed_formats --count {bench.count} --seed {bench.seed}`: {count} executions over",
        f"{len(SEEDS)} seeds (Tests/Fuzzing/Seeds). Each is a probe, a picture or a cut of a file with one",
        "to three mutations, a hundred in each `trim batch --isolation required`.", "",
        "| seed | read | refused |", "|---|---:|---:|",
    ]
    for seed in SEEDS:
        lines.append(f"| {seed} | {totals[f'{seed} read']} | {totals[f'{seed} refused']} |")
    kinds = collections.Counter(finding[3] for finding in findings)
    lines += ["", f"Batches that crashed, hung, left a file unanswered or had a finding: {broken}."]
    lines += [f"Findings (a crash or a hang in the sandbox, status 70): {told(kinds)}.", "",
              f"Refused by code: {told(refused)}."]
    print("\n".join(lines))
    print(f"rows: {rows.path}")
    if bench.only is None:
        bench.write("sealed-formats", lines)
    return 1 if broken else 0
