"""Documentation/Cuts.md, out of the rows of a run."""

import platform
import subprocess

from judging import cutters, earlier, shown
from judging.listing import faults, listing

HEAD = """\
# Cuts

Made by `tools/judge`; not edited by hand.
{versions}

Marked files of every kind of coding and container, each cut in these ways: key to key, one frame
after a key, one before, mid GOP to mid GOP, inside one GOP, off the frame grid, to the very end,
one frame, and 60.4 s of one file a family. Every picture bears its number and the sound is nowhere
the same; FFmpeg's tools decode source and cut, and none of trim's code judges them.

A cut is *right* when it has every picture of the range and no other, in order; their times differ
from the source's by nothing (Matroska: its millisecond); sound and picture are within 1 ms of where
they were, without gaps; sound begins and ends where the range does (where a container cannot begin
within a packet: within that packet); it declares the length it presents; no decoder complains that
did not complain of the source; tags, chapters, subtitles, rotation, languages and colours are kept.

"""

COLUMNS = """\
- *frames*: pictures right of those asked for.
- *PTS*: the worst error of a picture's time, ms.
- *kept*: the share of pictures that are the source's bit for bit, beside what is possible without
  hidden pictures, from the first clean keyframe to the last packet before the end.
- *dB*: the worst picture of the others, against the source (luma).
- *A/V*: the worst offset of sound against picture, ms.
- *declared*: cuts that declare what they present, of those whose container declares.
- *player*: cuts of which GStreamer's demuxers and decoders that are not FFmpeg's (OpenH264,
  libde265, libvpx, libaom, libmpeg2) show the same pictures, of those whose source they can show.
- *CPU*: against `ffmpeg` encoding all of the same range again with the file's settings.
"""


NAMES = {"copy": "ffmpeg -c copy", "plan": "trim by a written plan, beside one go"}


def text(chosen, rows, trim, older, old):
    """The page; what `old` says of players and of peers is kept where none was asked: trim's build
    changes nothing about a peer's cuts."""
    ours = [row for row in rows if row["tool"] == "trim"]
    parts = [HEAD.format(versions=versions(trim))]
    if older:
        parts.append(f"Of the {len(ours)} cuts, {older} were judged with an earlier build.\n\n")
    asked = {row["tool"] for row in rows}
    before = earlier.Page(old, [name for name in cutters.PEERS if name not in asked])
    parts.append("\n".join(totals(rows, before)) + "\n\n" + COLUMNS)
    peers = [name for name in cutters.PEERS if name in asked or name in before.peers]
    for title, is_sound in (("Files", False), ("Sound alone", True)):
        some = [film for film in chosen if film.is_sound == is_sound]
        if some:
            parts.append(f"\n## {title}\n\n" + "\n".join(table(some, rows, peers, before)) + "\n")
    parts += listing("## Wrong", [row for row in ours if row["faults"]], faults)
    parts += listing("## Other files by a plan",
                     [row for row in rows if row["tool"] == "plan" and row["faults"]], faults)
    parts += listing("## Refused", [row for row in ours if "refused" in row],
                     lambda row: row["refused"])
    parts.append("\n" + (shown.section(chosen, rows) or shown.kept(old)))
    return "".join(parts).rstrip("\n") + "\n"


def versions(trim):
    def first(*command):
        said = subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout.decode()
        return said.splitlines()[0].split(" Copyright")[0]
    return f"Judged: {first(trim, '--version')}, with {first('ffmpeg', '-version')}, " \
           f"{platform.machine()}."


def totals(rows, before):
    yield "| | right | wrong | refused |"
    yield "|---|---:|---:|---:|"
    for tool in ["trim", "plan", *cutters.PEERS]:
        mine = [row for row in rows if row["tool"] == tool]
        if mine:
            refused = sum("refused" in row for row in mine)
            wrong = sum(bool(row["faults"]) for row in mine)
            name = NAMES.get(tool, tool)
            yield f"| {name} | {len(mine) - wrong - refused} | {wrong} | {refused} |"
        elif tool in before.totals:
            yield before.totals[tool]


def table(chosen, rows, peers, before):
    is_sound = chosen[0].is_sound
    columns = ["A/V", "declared", "refused", *peers]
    if not is_sound:
        columns = ["frames", "PTS", "kept", "dB", "A/V", "declared", "player", "CPU",
                   "refused", *peers]
    yield "| | " + " | ".join(["right", *columns]) + " |"
    yield "|---|" + "---:|" * (len(columns) + 1)
    for film in chosen:
        mine = {tool: [row for row in rows if row["tool"] == tool and row["film"] == film.name]
                for tool in ["trim", "reencode", *peers]}
        if mine["trim"]:
            cells = dict(figures(mine["trim"], mine["reencode"]))
            name = f"{film.kind} {film.container}"
            cells |= {peer: before.cells.get((name, peer)) or (right(mine[peer]) if mine[peer] else "—")
                      for peer in peers}
            yield (f"| {name} | "
                   + " | ".join(cells[name] for name in ["right", *columns]) + " |")


def right(rows):
    return f"{sum(not row['faults'] and 'refused' not in row for row in rows)}/{len(rows)}"


def figures(rows, reencoded):
    done = [row for row in rows if "refused" not in row]
    seen = [row for row in done if "right_frames" in row]
    exact = [row for row in seen if row.get("same_pictures")]
    yield "right", right(rows)
    yield "frames", (f"{sum(row.get('right_frames', 0) for row in seen)}"
                     f"/{sum(row['wanted'] for row in seen)}" if seen else "—")
    yield "PTS", worst((row["pts"] for row in exact), 1000, 1)
    wanted = sum(row["wanted"] for row in exact)
    kept, best = (sum(row[name] for row in exact) for name in ("identical", "best"))
    yield "kept", f"{kept / wanted:.2f} of {best / wanted:.2f}" if wanted else "—"
    noises = [row["psnr"] for row in exact if row["psnr"] is not None]
    yield "dB", f"{min(noises):.0f}" if noises else "—"
    yield "A/V", worst((row["av"] for row in done if "av" in row), 1000, 2)
    told = [row for row in done if row.get("declared") is not None]
    lies = sum(any("declares" in fault for fault in row["faults"]) for row in told)
    yield "declared", f"{len(told) - lies}/{len(told)}" if told else "—"
    yield "player", shown.right([{"player": None} | row for row in done])
    yield "refused", str(len(rows) - len(done) or "")
    theirs = {row["range"]: row["cpu"] for row in reencoded}
    same = [row for row in done if row["range"] in theirs]
    yield "CPU", (f"{sum(row['cpu'] for row in same) / sum(theirs.values()):.2f}"
                  if same and sum(theirs.values()) else "—")


def worst(values, scale, digits):
    values = [abs(value) * scale for value in values]
    return f"{max(values):.{digits}f}" if values else "—"
