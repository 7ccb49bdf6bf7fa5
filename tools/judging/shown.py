"""Makes the players' section of Documentation/Cuts.md, which a run without --players keeps."""

import collections
import shutil
import subprocess

from judging import screens
from judging.listing import faults, listing

BEGIN, END = "<!-- players: by tools/judge --players -->\n", "<!-- end of players -->\n"

HEAD = """\
## In other players

Cuts that a player shows correctly, out of those whose source it shows correctly: their duration, their
first frame, the frames on either side of each seam when seeking there, and all frames in order when
playing. Tested: {ranges}. The causes of errors are in
[018](Decisions/018-players.md). {versions}.

"""
COMMANDS = {"Chromium": ["chromium", "--version"], "Firefox": ["firefox-esr", "--version"],
            "mpv": ["mpv", "--version"], "VLC": ["vlc", "--version"],
            "GStreamer": ["gst-launch-1.0", "--version"]}


def section(chosen, rows):
    """Returns the section between its marks; empty if there is no row of a player."""
    mine = [row for row in rows if row["tool"] in screens.NAMES]
    seen = [name for name in screens.NAMES if any(row["tool"] == name for row in mine)]
    if not seen:
        return ""
    lines = ["| | " + " | ".join(seen) + " |", "|---|" + "---:|" * len(seen),
             line("all", seen, mine)]
    for clip in chosen:
        some = [row for row in mine if row["clip"] == clip.name]
        if some:
            lines.append(line(f"{clip.kind} {clip.container}", seen, some))
    wrong = [text for name in seen for text in listing(
        f"### Wrong in {name}", [row for row in mine if row["tool"] == name and row["faults"]], faults)]
    versions = "; ".join(filter(None, map(version, seen)))
    cells = {(row["range"], row["clip"]) for row in mine}
    ranges = ", ".join(f"{name} ({count} files)" for name, count in sorted(
        collections.Counter(name for name, _ in cells).items()))
    return BEGIN + HEAD.format(versions=versions, ranges=ranges) + "\n".join(lines) + "\n" + "".join(wrong) + END


def line(title, names, rows):
    return f"| {title} | " + " | ".join(
        right([row for row in rows if row["tool"] == name]) for name in names) + " |"


def right(rows):
    asked = [row["player"] for row in rows if row["player"] is not None]
    return f"{sum(asked)}/{len(asked)}" if asked else "—"


def version(name):
    command = COMMANDS[name]
    if not shutil.which(command[0]):
        return ""
    said = subprocess.run(command, capture_output=True, check=False).stdout.decode().splitlines()
    words = next((text for text in said if any(sign.isdigit() for sign in text)), name).split()
    number = next((word for word in words if word[0].isdigit()), "")
    return f"{name} {number}".strip()


def kept(old):
    """Returns the section of an earlier page."""
    if BEGIN not in old or END not in old:
        return ""
    return BEGIN + old.split(BEGIN)[1].split(END)[0] + END


def replaced(old, new):
    """Returns an earlier page with a new section."""
    had = kept(old)
    return old.replace(had, new) if had else old.rstrip("\n") + "\n\n" + new
