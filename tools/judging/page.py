"""Documentation/Cuts.md, out of the rows of a run."""

import platform
import re
import subprocess

from judging import cutters, screens

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
they were, without holes; sound begins and ends where the range does (where a container cannot begin
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
- *Chromium*, *Firefox*, *mpv*: cuts that the player shows right, of those whose source it shows
  right: as long as they are, their first picture, the pictures on either side of each seam when it
  seeks there, and all of them in order when it plays.
- *CPU*: against `ffmpeg` encoding all of the same range again with the file's settings.
"""


def text(chosen, rows, trim, older):
    ours = [row for row in rows if row["tool"] == "trim"]
    parts = [HEAD.format(versions=versions(trim))]
    if older:
        parts.append(f"Of the {len(ours)} cuts, {older} were judged with an earlier build.\n\n")
    parts.append("\n".join(totals(rows)) + "\n\n" + COLUMNS)
    peers = [name for name in cutters.PEERS if any(row["tool"] == name for row in rows)]
    for title, is_sound in (("Files", False), ("Sound alone", True)):
        some = [film for film in chosen if film.is_sound == is_sound]
        if some:
            parts.append(f"\n## {title}\n\n" + "\n".join(table(some, rows, peers)) + "\n")
    parts += listing("Wrong", [row for row in ours if row["faults"]],
                     lambda row: "; ".join(row["faults"]))
    for name in ["plan", *screens.NAMES]:
        parts += listing("Other files by a plan" if name == "plan" else f"Wrong in {name}",
                         [row for row in rows if row["tool"] == name and row["faults"]],
                         lambda row: "; ".join(row["faults"]))
    parts += listing("Refused", [row for row in ours if "refused" in row],
                     lambda row: row["refused"])
    return "".join(parts)


def listing(title, rows, reason):
    """One line for all ranges of a film that fail in the same words."""
    found = {}
    for row in rows:
        words = re.sub(r"(^trim: )?/\S*/", "", reason(row)).splitlines() or [""]
        found.setdefault((row["film"], words[0]), []).append(row["range"])
    if found:
        yield f"\n## {title}\n\n" + "".join(
            f"- {film}, {', '.join(names)}: {words}\n"
            for (film, words), names in sorted(found.items()))


def versions(trim):
    def first(*command):
        said = subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout.decode()
        return said.splitlines()[0].split(" Copyright")[0]
    return f"Judged: {first(trim, '--version')}, with {first('ffmpeg', '-version')}, " \
           f"{platform.machine()}."


def totals(rows):
    yield "| | right | wrong | refused |"
    yield "|---|---:|---:|---:|"
    for tool in ["trim", "plan", *cutters.PEERS]:
        mine = [row for row in rows if row["tool"] == tool]
        if mine:
            refused = sum("refused" in row for row in mine)
            wrong = sum(bool(row["faults"]) for row in mine)
            name = {"copy": "ffmpeg -c copy",
                    "plan": "trim by a written plan, beside one go"}.get(tool, tool)
            yield f"| {name} | {len(mine) - wrong - refused} | {wrong} | {refused} |"


def table(chosen, rows, peers):
    is_sound = chosen[0].is_sound
    columns = ["A/V", "declared", "refused", *peers]
    seen = [name for name in screens.NAMES if any(row["tool"] == name for row in rows)]
    if not is_sound:
        columns = ["frames", "PTS", "kept", "dB", "A/V", "declared", "player", *seen, "CPU",
                   "refused", *peers]
    yield "| | " + " | ".join(["right", *columns]) + " |"
    yield "|---|" + "---:|" * (len(columns) + 1)
    for film in chosen:
        mine = {tool: [row for row in rows if row["tool"] == tool and row["film"] == film.name]
                for tool in ["trim", "reencode", *peers, *screens.NAMES]}
        if mine["trim"]:
            cells = dict(figures(mine["trim"], mine["reencode"]))
            cells |= {peer: right(mine[peer]) for peer in peers}
            cells |= {name: shown(mine[name]) for name in seen}
            yield (f"| {film.kind} {film.container} | "
                   + " | ".join(cells[name] for name in ["right", *columns]) + " |")


def right(rows):
    return f"{sum(not row['faults'] and 'refused' not in row for row in rows)}/{len(rows)}"


def shown(rows):
    asked = [row["player"] for row in rows if row["player"] is not None]
    return f"{sum(asked)}/{len(asked)}" if asked else "—"


def figures(rows, reencoded):
    done = [row for row in rows if "refused" not in row]
    shown = [row for row in done if "right_frames" in row]
    exact = [row for row in shown if row.get("same_pictures")]
    yield "right", right(rows)
    yield "frames", (f"{sum(row.get('right_frames', 0) for row in shown)}"
                     f"/{sum(row['wanted'] for row in shown)}" if shown else "—")
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
    asked = [row["player"] for row in done if row.get("player") is not None]
    yield "player", f"{sum(asked)}/{len(asked)}" if asked else "—"
    yield "refused", str(len(rows) - len(done) or "")
    theirs = {row["range"]: row["cpu"] for row in reencoded}
    same = [row for row in done if row["range"] in theirs]
    yield "CPU", (f"{sum(row['cpu'] for row in same) / sum(theirs.values()):.2f}"
                  if same and sum(theirs.values()) else "—")


def worst(values, scale, digits):
    values = [abs(value) * scale for value in values]
    return f"{max(values):.{digits}f}" if values else "—"
