"""Cuts damaged clips: no broken promise, no crash, and no unreported damage."""

import collections
import json

from soaking import bench as benches
from soaking import clips

ABOUT = "cuts clips with flipped bits, zeros, splices or a missing end"
COUNT = 5000
# Timeout for one cut or one decode, in seconds, on a busy machine.
PATIENCE = 400
# Exit statuses that no clip may cause, however damaged: an internal error, a failed write.
BROKEN = {70: "internal error", 74: "failed write"}


def flip_bits(chance, data):
    """Flips up to forty bits anywhere; half of the time only after the first 4 KiB."""
    start = min(4096, len(data) // 4) if chance.random() < 0.5 else 0
    for _ in range(chance.randint(1, 40)):
        data[chance.randrange(start, len(data))] ^= 1 << chance.randrange(8)


def flip_burst(chance, data):
    """Overwrites forty bytes in a row, somewhere in the media."""
    start = chance.randrange(len(data) // 4, len(data))
    for place in range(start, min(len(data), start + 40)):
        data[place] = chance.randrange(256)


def truncate(chance, data):
    del data[chance.randrange(max(1, len(data) // 8), len(data)):]


def zero_stretch(chance, data):
    start = chance.randrange(len(data))
    for place in range(start, min(len(data), start + chance.randint(1, 4096))):
        data[place] = 0


def splice(chance, data):
    """Inserts bytes from another place, overwrites some with them, or removes some."""
    size = chance.randint(1, min(2048, len(data) // 4))
    source = chance.randrange(len(data) - size)
    target = chance.randrange(len(data) - size)
    kind = chance.randrange(3)
    if kind == 0:
        data[target:target] = data[source:source + size]
    elif kind == 1:
        data[target:target + size] = data[source:source + size]
    else:
        del data[target:target + size]


MUTATIONS = [flip_bits, flip_burst, truncate, zero_stretch, splice]
RANGES = [("25%", "70%"), ("25%", "70%"), ("0", "60%"), ("40%", None), ("10%", "30%")]
MODES = ["smart"] * 6 + ["copy", "edit-list", "reencode"]
OTHERS = [".mp4", ".mkv", ".mov", ".ts"]


def one_range(chance, path):
    """Returns the options of a cut of one range, and the ending of its output."""
    begin, end = chance.choice(RANGES)
    mode = chance.choice(MODES)
    own = clips.OWN.get(path.suffix.lower(), path.suffix.lower())
    ending = chance.choice(OTHERS) if chance.random() < 0.25 else own
    if mode == "edit-list" and ending not in (".mp4", ".mov"):
        mode = "smart"
    return ["--from", begin, *(["--to", end] if end else []), "--mode", mode], ending


def cell(bench, sources, number, folder, cut):
    chance = bench.chance(number)
    name, path = chance.choice(sources)
    mutation = chance.choice(MUTATIONS)
    choice, ending = cut(chance, path)
    data = bytearray(path.read_bytes())
    mutation(chance, data)
    mutant = folder / f"mutant{path.suffix.lower()}"
    mutant.write_bytes(data)
    output = folder / f"cut{ending}"
    words = [*choice, "--verify", bench.options.verify]
    result = benches.run(
        [bench.trim, "cut", mutant, *words, "--json", "-o", output], PATIENCE)
    row = {"clip": name, "mutation": mutation.__name__, "words": words, "to": ending,
           "status": result.status, "late": result.late, "err": result.err.strip()[:600]}
    if result.late or result.status < 0 or result.status in BROKEN:
        return row
    if result.status == 0:
        record = json.loads(result.out)
        verification = record.get("verification")
        row["damage"] = len(record.get("damage") or [])
        if isinstance(verification, dict):
            row["not_decoded"] = verification.get("not_decoded")
        said = benches.complaints(output, PATIENCE)
        row["complaints"] = len(said)
        if said and not row["damage"]:
            row["said"] = said[:6]
            row["source_said"] = benches.complaints(mutant, PATIENCE)[:6]
            clean = folder / f"clean{ending}"
            intact = benches.run([bench.trim, "cut", path, *words, "-q", "-o", clean], PATIENCE)
            if intact.status == 0:
                row["intact_said"] = benches.complaints(clean, PATIENCE)[:6]
                # As many messages about the same cut of the intact clip: not damage.
                if len(row["intact_said"]) >= len(row["said"]):
                    row["complaints"] = 0
    return row


def run(bench, matrix="mutations", cut=one_range):
    sources = clips.all_clips()
    rows = benches.Rows(matrix)
    tally = collections.Counter()
    statuses = collections.defaultdict(collections.Counter)
    for row in bench.cells(lambda number, folder: cell(bench, sources, number, folder, cut)):
        status = "late" if row["late"] else row["status"]
        statuses[row["mutation"]][status] += 1
        tally[status] += 1
        is_quiet = row.get("complaints") and not row["damage"]
        if row["status"] == 0:
            tally["complaining"] += bool(row["complaints"])
            tally["reported"] += bool(row["complaints"] and row["damage"])
            tally["silent"] += bool(row["damage"] and not row["complaints"])
            tally["blind"] += bool(is_quiet and row.get("not_decoded"))
        if row["late"] or row["status"] < 0 or row["status"] in BROKEN or is_quiet:
            rows.add(row)
        if bench.only is not None:
            print(json.dumps(row, indent=2))
    lines = table(bench, matrix, len(sources), statuses, tally)
    print("\n".join(lines))
    print(f"rows: {rows.path}")
    if bench.only is None:
        proof = bench.options.verify
        name = matrix.replace("_", "-")
        bench.write(name if proof == "edges" else f"{name}-{proof}", lines)
    broken = sum(count for status, count in tally.items()
                 if status in ("late", *BROKEN) or isinstance(status, int) and status < 0)
    return 1 if broken or tally["reported"] * 10 < tally["complaining"] * 9 else 0


def table(bench, matrix, sources, statuses, tally):
    known = sorted({status for counts in statuses.values() for status in counts}, key=str)
    total = sum(sum(counts.values()) for counts in statuses.values())
    lines = [
        "# Cuts of damaged clips", "",
        f"`tools/soak {matrix} --count {total} --seed {bench.seed}` on {sources} clips, "
        f"`--verify {bench.options.verify}`.", "",
        "Exit statuses by mutation:", "",
        "| mutation | " + " | ".join(str(status) for status in known) + " |",
        "|---|" + "---:|" * len(known),
    ]
    for name in sorted(statuses):
        cells = " | ".join(str(statuses[name][status]) for status in known)
        lines.append(f"| {name.replace('_', ' ')} | {cells} |")
    lines.append("| all | " + " | ".join(str(tally[status]) for status in known) + " |")
    lines += [
        "", "| written cuts | |", "|---|---:|",
        f"| ffmpeg reports errors | {tally['complaining']} |",
        f"| of these, trim reported damage | {tally['reported']} |",
        f"| of these, trim reported none, but listed packets that it did not decode | {tally['blind']} |",
        f"| trim reported damage, ffmpeg reports no errors | {tally['silent']} |",
    ]
    return lines
