"""The matrix: every film × every range × every tool, its record, and its order."""

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

from judging import (cutters, decoding, films, kept, marks, page, plans, players, ranges,
                     screens, shown, sound, verdict)

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "Documentation/Cuts.md"
RESULTS = films.CACHE / "results.jsonl"
JUDGE = hashlib.sha256(b"".join(
    Path(module.__file__).read_bytes()
    for module in (decoding, kept, marks, players, ranges, sound, verdict))).hexdigest()[:12]
# Not a tool: trim by a written plan, beside trim in one go.
PLAN = "plan"
TOOLS = ["trim", "reencode", PLAN, *cutters.PEERS]
# A request that trim declines: exit status 65 or 69, with its reason.
REFUSALS = (65, 69)


def recorded():
    if not RESULTS.exists():
        return {}
    rows = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    return {(row["film"], row["range"], row["tool"], row["version"]): row for row in rows}


def version_of(tool, film):
    """What makes a row stale: another binary of trim, another film, another judge."""
    made = film.path.with_name(film.name + ".recipe").stat().st_mtime_ns
    binary = Path(os.environ["TRIM"]).stat()
    mine = f"{binary.st_mtime_ns}-{binary.st_size}"
    if tool in screens.NAMES:
        return f"{screens.judge(tool)}-{made}-{mine}"
    return f"{JUDGE}-{made}-{mine if tool in ('trim', PLAN) else tool}"


def statements(run):
    """What trim says of where its sound begins, against where it was asked to, and of how late it
    is heard: track → both in seconds, None where the track is dropped."""
    if not run.report:
        return {}
    asked = run.report["range"]["from"]["seconds"]
    sounds = [track for track in run.report["tracks"] if track["type"] == "audio"]
    return {number: track["from"] and (track["from"]["seconds"] - asked,
                                       (track.get("offset") or {"seconds": 0.0})["seconds"])
            for number, track in enumerate(sounds)}


def judge_cell(tool, film, source, name, span, folder):
    output = Path(folder) / f"cut.{cutters.suffix(tool, film)}"
    is_joined = name == ranges.JOINED
    wrong = []
    if tool == PLAN:
        run, wrong = plans.faults(
            cutters.joined(film, span, output) if is_joined else
            cutters.command("trim", film, source, *span, output), output)
    elif tool == "trim":
        run = made(film, source, name, span, output)
    else:
        run = cutters.run(tool, film, source, *span, output, name == ranges.TYPED)
    row = {"film": film.name, "range": name, "tool": tool, "version": version_of(tool, film),
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
            row.update(verdict.judge_joined(film, source, cut, span) if is_joined else
                       verdict.judge(film, source, cut, *span, statements(run)))
            if not is_joined and tool == "trim" and source.times:
                wanted = [source.numbers[index] for index in ranges.wanted(source, *span)]
                row["player"] = players.agree(output, source, wanted)
        except Exception:
            row["faults"] = ["cannot be judged: " + traceback.format_exc()[-400:]]
    return row


def judge_film(film, wanted, tools):
    """All cells of a film that are not recorded yet."""
    films.make(film)
    known = recorded()
    source, rows = None, []
    for tool in tools:
        missing = [name for name in wanted or ranges.NAMES
                   if (film.name, name, tool, version_of(tool, film)) not in known]
        if tool == "reencode":
            missing = [name for name in missing if name in ("mid-gop", "60.4s")]
        # Peers join nothing.
        missing = [name for name in missing if name != ranges.JOINED or tool in ("trim", PLAN)]
        if not missing:
            continue
        source = source or decoding.decode(film.path)
        spans = ranges.of(film, source)
        with tempfile.TemporaryDirectory(prefix="trim-judge-") as folder:
            for name in missing:
                if name in spans:
                    rows.append(judge_cell(tool, film, source, name, spans[name], folder))
                    note(rows[-1])
    return rows


def judge_screens(film, wanted, names):
    """What players show of trim's cuts of a film, where that is not recorded yet."""
    films.make(film)
    if film.is_sound or film.seconds > films.SHORT:
        return
    known, source, alike = recorded(), None, film.alike
    for name in wanted or ranges.NAMES:
        missing = [tool for tool in names
                   if (film.name, name, tool, version_of(tool, film)) not in known]
        if not missing:
            continue
        source = source or decoding.decode(film.path)
        spans = ranges.of(film, source)
        if name not in spans:
            continue
        witness = source
        if alike != film:
            films.make(alike)
            witness = decoding.decode(alike.path)
        with tempfile.TemporaryDirectory(prefix="trim-judge-") as folder:
            output = Path(folder) / f"cut.{film.target}"
            run = made(film, source, name, spans[name], output)
            cut = decoding.decode(output) if not run.status else None
            for tool in missing:
                note({"film": film.name, "range": name, "tool": tool, "faults": [],
                      "version": version_of(tool, film),
                      **shown_by(tool, witness, cut, run.report)})


def made(film, source, name, span, output):
    """A cut of trim's."""
    if name == ranges.JOINED:
        return cutters.execute("trim", cutters.joined(film, span, output), output)
    return cutters.run("trim", film, source, *span, output, name == ranges.TYPED)


def shown_by(tool, source, cut, report):
    """`player`: whether the cut is shown right; None where the source is not, or there is no cut."""
    if cut is None:
        return {"player": None}
    try:
        found = screens.faults(tool, source, cut, report)
    except Exception as error:
        return {"player": None, "lost": str(error)[-200:]}
    return {"player": None if found is None else not found, "faults": found or []}


def note(row):
    """One write a row: several processes append to the file."""
    with open(RESULTS, "a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
    if row["tool"] in ("trim", PLAN):
        verdict_of = "refused" if "refused" in row else "WRONG" if row["faults"] else "right"
        print(f"{row['film']:26} {row['range']:11} {verdict_of:8} {'; '.join(row['faults'])[:180]}",
              flush=True)


def judge_group(group, wanted, tools, names):
    """Films that are made one out of the other, in their order."""
    for film in group:
        judge_film(film, wanted, tools)
        if names:
            judge_screens(film, wanted, names)
    screens.close()


def grouped(chosen):
    """Each with what it is made from before it."""
    groups = {}
    for film in films.all_films():
        if film.base:
            groups[film.base.split(".")[0]].append(film)
        else:
            groups.setdefault(film.kind, []).append(film)
    return [[film for film in group if film in chosen or any(
        other.base == film.name and other in chosen for other in group)]
        for group in groups.values()]


def main(usage):
    parser = argparse.ArgumentParser(description=usage.splitlines()[0])
    parser.add_argument("--only", metavar="PATTERN", help="films whose name is like h264-*.mp4")
    parser.add_argument("--ranges", metavar="NAME,…", help=", ".join(ranges.NAMES))
    parser.add_argument("--tools", metavar="NAME,…", default="trim", help=", ".join(TOOLS) +
                        "; those that are not installed are left out")
    parser.add_argument("--players", nargs="?", const=",".join(screens.NAMES), default="",
                        metavar="NAME,…", help="the installed players too: " + ", ".join(screens.NAMES))
    parser.add_argument("--latest", action="store_true",
                        help="cut nothing: a page of each cell's latest row, whatever its binary")
    parser.add_argument("--trim", metavar="PATH", help="the binary to judge")
    parser.add_argument("-j", type=int, default=os.cpu_count(), metavar="N")
    options = parser.parse_args()
    os.environ["TRIM"] = options.trim or os.environ.get("TRIM") or str(ROOT / ".build/tool/trim")
    if not options.trim and os.environ["TRIM"].endswith(".build/tool/trim"):
        subprocess.run([ROOT / "tools/trim", "--version"], stdout=subprocess.DEVNULL, check=True)
    films.make_master()
    chosen = [film for film in films.all_films()
              if fnmatch.fnmatch(film.name, options.only or "*")]
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
    """The last recorded row of each cell of these films."""
    names = {film.name for film in chosen}
    return list({key[:3]: row for key, row in recorded().items() if key[0] in names}.values())


def older_than_this(rows):
    """How many of trim's rows are of an earlier binary."""
    named = {film.name: film for film in films.all_films()}
    return sum(row["version"].split("-", 2)[2] != version_of("trim", named[row["film"]])
               .split("-", 2)[2] for row in rows if row["tool"] == "trim")


def current(chosen):
    """The recorded rows of these films, of this binary."""
    known = recorded()
    return {key: row for key, row in known.items() for film in chosen
            if film.name == key[0] and key[3] == version_of(key[2], film)}
