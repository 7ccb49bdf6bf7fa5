"""Checks what else a cut must keep: rotation, languages, colors, shape, tags, chapters, subtitles."""

import json
import subprocess
from fractions import Fraction


def faults(source, cut, start, end):
    source.details = source.details or details(source)
    ours, theirs = details(cut), source.details
    if cut.path.suffix in (".mpg", ".vob") and len(cut.times) == 1 and not ours["colours"][-1]:
        # FFmpeg decodes no frame when it opens such a file, not even one of its own copies.
        ours["colours"][-1] = theirs["colours"][-1]
    for what in ("rotation", "languages", "colours", "shape"):
        if ours[what] != theirs[what]:
            yield f"{what} {ours[what]} instead of {theirs[what]}"
    lost = {key: value for key, value in theirs["tags"].items() if ours["tags"].get(key) != value}
    if lost:
        yield f"tags lost: {lost}"
    for what in ("chapters", "cues"):
        last = source.shown_end - source.origin if end is None else end
        wanted = clipped(theirs[what], source.origin + start, source.origin + last)
        got = clipped(ours[what], cut.origin, cut.origin + last - start)
        if len(got) != len(wanted) or any(differ(*pair) for pair in zip(got, wanted)):
            yield f"{what} {readable(got)} instead of {readable(wanted)}"


def clipped(spans, start, end):
    """Clips the spans that overlap [start, end) by more than 2 ms to it; times are relative to its start."""
    slack = Fraction(2, 1000)
    return [(max(a, start) - start, min(b, end) - start, text) for a, b, text in spans
            if b > start + slack and a < end - slack]


def differ(one, other):
    """Compares to within 40 ms: chapter times are milliseconds, and video and text are rounded separately."""
    return (abs(one[0] - other[0]) > Fraction(40, 1000) or one[2] != other[2]
            or abs(one[1] - other[1]) > Fraction(40, 1000))


def readable(spans):
    return [(round(float(a), 3), round(float(b), 3), text) for a, b, text in spans[:4]]


def pixels(video):
    """Returns the sample aspect ratio: pixels are square if the file does not state it."""
    ratio = video.get("sample_aspect_ratio")
    return "1:1" if ratio in (None, "0:1") else ratio


def details(seen):
    video = next((s for s in seen.streams if s["codec_type"] == "video"), {})
    side = [data for data in video.get("side_data_list", []) if "rotation" in data]
    command = ["ffprobe", "-v", "quiet", "-show_chapters", "-show_entries",
               "chapter=start_time,end_time:chapter_tags=title:format_tags=title,artist,comment",
               "-of", "json", str(seen.path)]
    told = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout or "{}")
    tags = {key.lower(): value for key, value in told.get("format", {}).get("tags", {}).items()}
    return {
        "rotation": side[0]["rotation"] if side else 0,
        "languages": [s.get("tags", {}).get("language", "und") for s in seen.streams
                      if s["codec_type"] in ("audio", "subtitle")],
        "colours": [video.get(key) for key in ("color_primaries", "color_transfer", "color_space",
                                               "pix_fmt", "field_order")],
        "shape": [video.get("width"), video.get("height"), pixels(video)],
        "tags": tags,
        "chapters": [(Fraction(c["start_time"]), Fraction(c["end_time"]),
                      c.get("tags", {}).get("title", "")) for c in told.get("chapters", [])],
        "cues": cues(seen),
    }


def cues(seen):
    if not any(s["codec_type"] == "subtitle" for s in seen.streams):
        return []
    command = ["ffprobe", "-v", "quiet", "-select_streams", "s:0", "-show_entries",
               "packet=pts_time,duration_time,size,data", "-show_data", "-of", "json",
               str(seen.path)]
    told = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout or "{}")
    found = []
    for packet in told.get("packets", []):
        text = "".join(line[51:] for line in packet.get("data", "").splitlines())
        if "cue" in text:
            start = Fraction(packet["pts_time"])
            found.append((start, start + Fraction(packet.get("duration_time", "0")),
                          text[text.index("cue"):].strip()))
    return found
