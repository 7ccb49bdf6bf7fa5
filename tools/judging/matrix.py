"""Runs the matrix of all clips, ranges and tools, and records the results."""

import argparse
import fnmatch
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import traceback
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from judging import (cutters, decoding, clips, kept, marks, page, plans, players, ranges,
                     screens, shown, sound, verdict)

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "Documentation/Cuts.md"
RESULTS = clips.CACHE / "results.jsonl"
JUDGE = hashlib.sha256(b"".join(
    Path(module.__file__).read_bytes()
    for module in (decoding, kept, marks, players, ranges, sound, verdict))).hexdigest()[:12]
# Not a tool: trim with a written plan, compared with trim in one step.
PLAN = "plan"
TOOLS = ["trim", "reencode", PLAN, *cutters.PEERS]
# The exit statuses with which trim refuses a request and states why.
REFUSALS = (65, 69)


def recorded():
    if not RESULTS.exists():
        return {}
    rows = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    return {(row["clip"], row["range"], row["tool"], row["version"]): row for row in rows}


def version_of(tool, clip):
    """Returns a version that changes with the judge, the clip and the binary, so that old rows are stale."""
    made = clip.path.with_name(clip.name + ".recipe").stat().st_mtime_ns
    binary = Path(os.environ["TRIM"]).stat()
    mine = f"{binary.st_mtime_ns}-{binary.st_size}"
    if tool in screens.NAMES:
        return f"{screens.judge(tool)}-{made}-{mine}"
    return f"{JUDGE}-{made}-{mine if tool in ('trim', PLAN) else tool}"


def statements(run):
    """Returns what trim reports for each audio track: how far it starts from the requested time, and
    how late it is heard, both in seconds; None if the track is dropped."""
    if not run.report:
        return {}
    asked = run.report["range"]["from"]["seconds"]
    sounds = [track for track in run.report["tracks"] if track["type"] == "audio"]
    return {number: track["from"] and (track["from"]["seconds"] - asked,
                                       (track.get("offset") or {"seconds": 0.0})["seconds"])
            for number, track in enumerate(sounds)}


def judge_cell(tool, clip, source, name, span, folder):
    output = Path(folder) / f"cut.{cutters.suffix(tool, clip)}"
    is_joined = name == ranges.JOINED
    wrong = []
    if tool == PLAN:
        run, wrong = plans.faults(
            cutters.joined(clip, span, output) if is_joined else
            cutters.command("trim", clip, source, *span, output), output)
    elif tool == "trim":
        run = made(clip, source, name, span, output)
    else:
        run = cutters.run(tool, clip, source, *span, output, name == ranges.TYPED)
    row = {"clip": clip.name, "range": name, "tool": tool, "version": version_of(tool, clip),
           "command": run.command, "status": run.status, "cpu": round(run.cpu, 3), "faults": wrong}
    if tool == PLAN and wrong:
        return row
    if run.status in REFUSALS and tool in ("trim", PLAN):
        row["refused"] = run.said
    elif tool == PLAN and not run.status:
        return row
    elif not output.exists() or (run.status and tool != "mkvmerge"):
        row["faults"] = [f"exit status {run.status}: {run.said[:300]}"]
    elif tool != "reencode":
        try:
            cut = decoding.decode(output)
            row.update(verdict.judge_joined(clip, source, cut, span) if is_joined else
                       verdict.judge(clip, source, cut, *span, statements(run)))
            if not is_joined and tool == "trim" and source.times:
                wanted = [source.numbers[index] for index in ranges.wanted(source, *span)]
                row["player"] = players.agree(output, source, wanted)
        except Exception:
            row["faults"] = ["cannot be judged: " + traceback.format_exc()[-400:]]
    return row


def judge_clip(clip, wanted, tools):
    """Judges all cells of a clip that are not recorded yet, and returns their rows."""
    clips.make(clip)
    known = recorded()
    source, rows = None, []
    for tool in tools:
        missing = [name for name in wanted or ranges.NAMES
                   if (clip.name, name, tool, version_of(tool, clip)) not in known]
        if tool == "reencode":
            missing = [name for name in missing if name in ("mid-gop", "60.4s")]
        # Peers do not join parts.
        missing = [name for name in missing if name != ranges.JOINED or tool in ("trim", PLAN)]
        if not missing:
            continue
        source = source or decoding.decode(clip.path)
        spans = ranges.of(clip, source)
        with tempfile.TemporaryDirectory(prefix="trim-judge-") as folder:
            for name in missing:
                if name in spans:
                    rows.append(judge_cell(tool, clip, source, name, spans[name], folder))
                    note(rows[-1])
    return rows


def judge_screens(clip, wanted, names):
    """Records what players show of trim's cuts of a clip, unless it is recorded already."""
    clips.make(clip)
    if clip.is_sound or clip.seconds > clips.SHORT:
        return
    known, source, alike = recorded(), None, clip.alike
    for name in wanted or ranges.NAMES:
        missing = [tool for tool in names
                   if (clip.name, name, tool, version_of(tool, clip)) not in known]
        if not missing:
            continue
        source = source or decoding.decode(clip.path)
        spans = ranges.of(clip, source)
        if name not in spans:
            continue
        witness = source
        if alike != clip:
            clips.make(alike)
            witness = decoding.decode(alike.path)
        with tempfile.TemporaryDirectory(prefix="trim-judge-") as folder:
            output = Path(folder) / f"cut.{clip.target}"
            run = made(clip, source, name, spans[name], output)
            cut = decoding.decode(output) if not run.status else None
            for tool in missing:
                note({"clip": clip.name, "range": name, "tool": tool, "faults": [],
                      "version": version_of(tool, clip),
                      **shown_by(tool, witness, cut, run.report)})


def made(clip, source, name, span, output):
    """Makes a cut with trim."""
    if name == ranges.JOINED:
        return cutters.execute("trim", cutters.joined(clip, span, output), output)
    return cutters.run("trim", clip, source, *span, output, name == ranges.TYPED)


def shown_by(tool, source, cut, report):
    """Returns `player`: whether the cut is shown right; None if the source is not, or there is no cut."""
    if cut is None:
        return {"player": None}
    try:
        found = screens.faults(tool, source, cut, report)
    except Exception as error:
        return {"player": None, "lost": str(error)[-200:]}
    return {"player": None if found is None else not found, "faults": found or []}


def note(row):
    """Records a row in a single write, since several processes append to the file."""
    with open(RESULTS, "a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
    if row["tool"] in ("trim", PLAN):
        verdict_of = "refused" if "refused" in row else "WRONG" if row["faults"] else "right"
        print(f"{row['clip']:26} {row['range']:11} {verdict_of:8} {'; '.join(row['faults'])[:180]}",
              flush=True)


def judge_group(group, wanted, tools, names):
    """Judges clips that are made from one another, in order."""
    for clip in group:
        judge_clip(clip, wanted, tools)
        if names:
            judge_screens(clip, wanted, names)
    screens.close()


def grouped(chosen):
    """Groups the chosen clips, each after the clip it is made from."""
    groups = {}
    for clip in clips.all_clips():
        if clip.base:
            groups[clip.base.split(".")[0]].append(clip)
        else:
            groups.setdefault(clip.kind, []).append(clip)
    return [[clip for clip in group if clip in chosen or any(
        other.base == clip.name and other in chosen for other in group)]
        for group in groups.values()]


def main(usage):
    parser = argparse.ArgumentParser(description=usage.splitlines()[0])
    parser.add_argument("--only", metavar="PATTERN", help="clips whose names match, such as h264-*.mp4")
    parser.add_argument("--ranges", metavar="NAME,…", help=", ".join(ranges.NAMES))
    parser.add_argument("--tools", metavar="NAME,…", default="trim", help=", ".join(TOOLS) +
                        "; those that are not installed are skipped")
    parser.add_argument("--players", nargs="?", const=",".join(screens.NAMES), default="",
                        metavar="NAME,…", help="test these players too: " + ", ".join(screens.NAMES))
    parser.add_argument("--latest", action="store_true",
                        help="cut nothing; use each cell's latest row, whatever its binary")
    parser.add_argument("--trim", metavar="PATH", help="the binary to judge")
    parser.add_argument("-j", type=int, default=os.cpu_count(), metavar="N")
    options = parser.parse_args()
    os.environ["TRIM"] = options.trim or os.environ.get("TRIM") or str(ROOT / ".build/tool/trim")
    if not options.trim and os.environ["TRIM"].endswith(".build/tool/trim"):
        subprocess.run([ROOT / "tools/trim", "--version"], stdout=subprocess.DEVNULL, check=True)
    clips.make_master()
    chosen = [clip for clip in clips.all_clips()
              if fnmatch.fnmatch(clip.name, options.only or "*")]
    wanted = options.ranges.split(",") if options.ranges else None
    tools = [tool for tool in options.tools.split(",")
             if tool in ("trim", "reencode", PLAN, *cutters.available())]
    names = [name for name in screens.installed() if name in options.players.split(",")]
    groups = [] if options.latest else grouped(chosen)
    with ProcessPoolExecutor(options.j) as pool:
        work = [pool.submit(judge_group, group, wanted, tools, names)
                for group in groups if group]
        for one in work:
            one.result()
    rows = latest(chosen) if options.latest else list(current(chosen).values())
    old = PAGE.read_text()
    if tools:
        text = page.text(chosen, rows, os.environ["TRIM"], older_than_this(rows), old)
    else:
        text = shown.replaced(old, shown.section(chosen, rows))
    if options.only or wanted:
        print(text)
    else:
        PAGE.write_text(text)
    sys.exit(1 if any(row["faults"] for row in rows if row["tool"] in ("trim", PLAN))
             else 0)


def latest(chosen):
    """Returns the latest recorded row of each cell of these clips."""
    names = {clip.name for clip in chosen}
    return list({key[:3]: row for key, row in recorded().items() if key[0] in names}.values())


def older_than_this(rows):
    """Counts the rows of trim that are from an earlier binary."""
    named = {clip.name: clip for clip in clips.all_clips()}
    return sum(row["version"].split("-", 2)[2] != version_of("trim", named[row["clip"]])
               .split("-", 2)[2] for row in rows if row["tool"] == "trim")


def current(chosen):
    """Returns the recorded rows of these clips from this binary."""
    known = recorded()
    return {key: row for key, row in known.items() for clip in chosen
            if clip.name == key[0] and key[3] == version_of(key[2], clip)}
