"""Cuts that other programs ask for: with trim, and as they cut exactly alone."""

import json
import os
import subprocess
from pathlib import Path

from .clips import AAC, CACHE, ffmpeg

ROOT = Path(__file__).resolve().parent.parent.parent
LENGTH, FIRST, LAST = 60, 20.3, 35.7
SOURCE = "testsrc2=s=640x360:r=30,noise=alls=6:allf=t"
DOORS = CACHE / "doors"


def python():
    """Returns the Python that has yt-dlp, as for `tools/soak doors`."""
    named = os.environ.get("TRIM_LISTS_PYTHON")
    found = Path(named) if named else CACHE.parent / "trim-soak" / "lists-venv/bin/python"
    return found if found.exists() else None


def clip(name, *codec):
    """Makes a minute of 360p30 with a keyframe every 250 frames at most."""
    path = DOORS / name
    if not path.exists():
        DOORS.mkdir(exist_ok=True)
        ffmpeg("-f", "lavfi", "-i", SOURCE, "-f", "lavfi", "-i", "sine=r=48000", "-t", LENGTH, *codec, *AAC, output=path)
    return path


def yt_dlp(trim):
    """Removes a sponsor from a file that is there already; the peer is --force-keyframes-at-cuts."""
    path = clip("sponsored.mp4", "-c:v", "libx264", "-preset", "veryfast", "-b:v", "1000k", "-g", 250)
    info = DOORS / "x.info.json"
    info.write_text(json.dumps({
        "id": "x", "title": "x", "ext": "mp4", "url": f"file://{path}", "extractor": "generic", "extractor_key": "Generic",
        "webpage_url": f"file://{path}", "duration": LENGTH,
        "sponsorblock_chapters": [{
            "start_time": FIRST, "end_time": LAST, "category": "sponsor", "title": "Sponsor", "type": "skip",
            "_categories": [["sponsor", FIRST, LAST, "Sponsor"]]}]}))

    def command(*words):
        return ["env", f"PYTHONPATH={ROOT / 'Bindings' / 'yt-dlp'}", str(python()), "-m", "yt_dlp", "--quiet", "--no-config",
                "--enable-file-urls", "--force-overwrites", "--load-info-json", str(info), "--sponsorblock-remove",
                "sponsor", *words]
    return (command("--use-postprocessor", f"Trim:trim={trim}", "-o", str(DOORS / "out.mp4")),
            command("--force-keyframes-at-cuts", "-o", str(DOORS / "peer.mp4")))


def comskip(trim):
    """Writes a recording without what comskip's list names; the peer encodes what is left."""
    path = clip("recording.ts", "-c:v", "mpeg2video", "-b:v", "2000k", "-g", 12, "-bf", 2)
    edl = DOORS / "recording.edl"
    edl.write_text(f"{FIRST}\t{LAST}\t0\n")
    kept = f"not(between(t,{FIRST + 1.4},{LAST + 1.4}))"
    return ([trim, "cut", str(path), "--cuts", str(edl), "-q", "-f", "-o", str(DOORS / "out.ts")],
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-copyts", "-i", str(path), "-vf", f"select='{kept}',setpts=N/30/TB",
             "-af", f"aselect='{kept}',asetpts=N/SR/TB", "-c:v", "mpeg2video", "-q:v", "2", *AAC, str(DOORS / "peer.ts")])


def is_right(name):
    """Checks that the last result lasts as long as what is left."""
    path = DOORS / {"door-yt-dlp": "out.mp4", "door-comskip": "out.ts"}[name]
    told = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path],
                          stdout=subprocess.PIPE, check=True).stdout
    return abs(float(told) - (LENGTH - (LAST - FIRST))) < 0.2


BENCHMARKS = {
    "door-yt-dlp": ("a sponsor out of a minute of 360p, from yt-dlp / --force-keyframes-at-cuts", yt_dlp, 3),
    "door-comskip": ("a commercial of comskip's out of a minute of MPEG-2 / encoding the rest", comskip, 3),
}
