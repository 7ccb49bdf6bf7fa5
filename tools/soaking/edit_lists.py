"""Holds the lists that trim reads and writes against the programs that own their formats."""

import concurrent.futures
import json
import os
import random
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

from soaking import bench as benches
from soaking import mutations

ABOUT = "lists of parts against the programs that own their formats, and a million rows of each kind"
COUNT = 20
PATIENCE = 600
# The Python with opentimelineio and the others; by default one of this soak's own.
PYTHON = Path(os.environ.get("TRIM_LISTS_PYTHON") or benches.CACHE / "lists-venv/bin/python")
PACKAGES = ["opentimelineio", "otio-cmx3600-adapter", "otio-fcpx-xml-adapter", "pysubs2", "scenedetect",
            "yt-dlp"]
PROGRAMS = ["ffmpeg", "ffprobe", "mkvmerge", "mkvextract", "comskip", "mpv"]
HELPER = Path(__file__).with_name("edit_lists_peer.py")

RATES = {"23.976": Fraction(24000, 1001), "24": Fraction(24), "25": Fraction(25),
         "29.97": Fraction(30000, 1001), "50": Fraction(50), "59.94": Fraction(60000, 1001)}
DROP_FRAME = {"29.97", "59.94"}


class Differs(Exception):
    """What trim and a program read differently."""


def absent():
    """What is missing: each a sentence with what to install."""
    missing = [f"{name}: no such program (Debian)" for name in PROGRAMS if not shutil.which(name)]
    if not PYTHON.exists():
        return [*missing, f"{', '.join(PACKAGES)}: no {PYTHON}; make it with: python3 -m venv "
                f"{PYTHON.parent.parent} && {PYTHON.parent}/pip install {' '.join(PACKAGES)}"]
    known = subprocess.run([PYTHON, "-m", "pip", "list", "--format=json"], capture_output=True, check=True)
    names = {row["name"].lower().replace("_", "-") for row in json.loads(known.stdout)}
    return missing + [f"{name}: not in {PYTHON.parent.parent} (PyPI)" for name in PACKAGES
                      if name not in names]


def versions():
    """The programs and their versions, as one sentence."""
    known = subprocess.run([PYTHON, "-m", "pip", "list", "--format=json"], capture_output=True, check=True)
    wanted = [f"{row['name']} {row['version']}" for row in json.loads(known.stdout)
              if row["name"].lower().replace("_", "-") in PACKAGES]
    for words in (["ffmpeg", "-version"], ["mkvmerge", "--version"], ["mpv", "--version"]):
        first = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()[0]
        wanted.append(f"{words[0]} {re.search(r'[0-9]+[.][0-9.]*[0-9]', first).group()}")
    return ", ".join(sorted(wanted, key=str.lower)) + ", comskip"


def call(words, **more):
    result = subprocess.run([str(word) for word in words], capture_output=True, timeout=PATIENCE, **more)
    if result.returncode != 0:
        text = result.stderr.decode(errors="replace") or result.stdout.decode(errors="replace")
        raise Differs(f"{Path(str(words[0])).name} {' '.join(map(str, words[1:3]))}: {text.strip()[-300:]}")
    return result.stdout


def peer(verb, **arguments):
    """Asks the Python of the other programs."""
    return json.loads(call([PYTHON, HELPER, verb], input=json.dumps(arguments).encode()))


def shown(bench, path, *files, statuses=(0,), words=()):
    """The list that trim reads, with exact times."""
    result = benches.run([bench.trim, "list", "show", "--json", *words, path, *files], PATIENCE)
    if result.status not in statuses:
        raise Differs(f"trim list show {path.name}: {result.status} {result.err.strip()[-300:]}")
    return json.loads(result.out)


def parts_of(document):
    return [(document["sources"][part["source"]]["name"], Fraction(part["from"]["value"]),
             Fraction(part["to"]["value"]), part["name"]) for part in document["parts"]]


def convert(bench, source, target, *words):
    call([bench.trim, "list", "convert", source, *words, "-f", "-o", target])


def same(what, ours, theirs):
    if ours != theirs:
        place = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
        raise Differs(f"{what}: part {place}: {ours[place:place + 1]} and {theirs[place:place + 1]}, "
                      f"{len(ours)} and {len(theirs)} parts")


def frames(chance, count, longest=100_000):
    """Parts as frames: start and end."""
    parts = []
    for _ in range(count):
        start = chance.randrange(longest)
        parts.append((start, start + chance.randrange(1, 5000)))
    return parts


def clips_of(chance, rate, count=8):
    """Clips of two files, as the helper takes them."""
    names = [f"file:///media/{name}" for name in ("a.mov", "b%20c.mov")]
    return [{"url": chance.choice(names), "name": f"clip {place}", "start": start, "length": end - start}
            for place, (start, end) in enumerate(frames(chance, count))]


def expected(clips, rate):
    return [(clip["url"], clip["start"] / rate, (clip["start"] + clip["length"]) / rate, clip["name"])
            for clip in clips]


# Each check takes the bench, a random generator and a folder, and raises Differs.

def otio_theirs(bench, chance, folder):
    for name, rate in RATES.items():
        clips, path = clips_of(chance, rate), folder / "theirs.otio"
        peer("write", path=str(path), clips=clips, rate=float(rate))
        document = shown(bench, path)
        same(f"OpenTimelineIO at {name}", parts_of(document), expected(clips, rate))
        if Fraction(document["rate"]) != rate:
            raise Differs(f"OpenTimelineIO at {name}: the rate {document['rate']}")


def otio_ours(bench, chance, folder):
    for name, rate in RATES.items():
        clips, path, again = clips_of(chance, rate), folder / "theirs.otio", folder / "ours.otio"
        peer("write", path=str(path), clips=clips, rate=float(rate))
        convert(bench, path, again)
        read = peer("read", path=str(again))
        if {clip["rate"] for clip in read} != {float(rate)}:
            raise Differs(f"at {name} it reads the rates {[clip['rate'] for clip in read]}")
        same(f"our OpenTimelineIO at {name}",
             [(clip["url"], clip["start"], clip["length"], clip["name"]) for clip in read],
             [(clip["url"], clip["start"], clip["length"], clip["name"]) for clip in clips])


def cmx_theirs(bench, chance, folder):
    for name, rate in RATES.items():
        clips, path = clips_of(chance, rate), folder / "theirs.edl"
        clip = media(folder, name)
        peer("write", path=str(path), clips=clips, rate=float(rate))
        ours = parts_of(shown(bench, path, statuses=(0, 1), words=[]) if name in DROP_FRAME - {"59.94"}
                        else shown_at(bench, path, clip))
        same(f"CMX 3600 at {name}", [part[1:3] for part in ours],
             [part[1:3] for part in expected(clips, rate)])


def shown_at(bench, path, clip):
    """The list as of a file's rate, whatever files it names: all of them are one here."""
    text = path.read_text()
    urls = sorted(set(re.findall(r"FROM CLIP: (\S+)", text)))
    for url in urls:
        text = text.replace(url, f"file://{clip}")
    alone = path.with_name("alone.edl")
    alone.write_text(re.sub(r"(?m)^(\d+)  \S+", r"\1  AX", text))
    return shown(bench, alone, clip, statuses=(0, 1))


def cmx_ours(bench, chance, folder):
    for name, rate in RATES.items():
        clips, path, edl = clips_of(chance, rate), folder / "theirs.otio", folder / "ours.edl"
        peer("write", path=str(path), clips=clips, rate=float(rate))
        convert(bench, path, edl, "--as", "cmx3600")
        if ("FCM: DROP FRAME" in edl.read_text()) != (name in DROP_FRAME):
            raise Differs(f"at {name} it is drop-frame, or not")
        read = peer("read", path=str(edl), rate=float(rate))
        same(f"our CMX 3600 at {name}",
             [(clip["url"], clip["start"], clip["length"], clip["name"]) for clip in read],
             [(clip["url"], clip["start"], clip["length"], clip["name"]) for clip in clips])


def fcpx_theirs(bench, chance, folder):
    for name, rate in RATES.items():
        clips, path = clips_of(chance, rate), folder / "theirs.fcpxml"
        peer("write", path=str(path), clips=clips, rate=float(rate))
        same(f"Final Cut Pro at {name}", parts_of(shown(bench, path)), expected(clips, rate))


def subtitles(bench, chance, folder):
    cues = [{"start": start, "end": start + chance.randrange(1, 900) * 10, "text": f"Cue {place}, ä"}
            for place, start in enumerate(range(0, 3_700_000, 10_070))]
    for ending in ("ass", "ssa", "srt", "vtt"):
        path = folder / f"theirs.{ending}"
        peer("subtitles", path=str(path), cues=cues)
        ours = [(start, end, text) for _, start, end, text in parts_of(shown(bench, path))]
        same(f"pysubs2's {ending}", ours,
             [(Fraction(cue["start"], 1000), Fraction(cue["end"], 1000), cue["text"]) for cue in cues])


def whisper(bench, chance, folder):
    segments = [{"id": place, "start": place * 7.3, "end": place * 7.3 + 0.1 * chance.randrange(1, 60),
                 "text": f" Words {place}."} for place in range(200)]
    path = folder / "whisper.json"
    path.write_text(json.dumps({"text": "", "segments": segments, "language": "en"}))
    ours = [(round(start * 1000), round(end * 1000), text)
            for _, start, end, text in parts_of(shown(bench, path))]
    same("whisper as pysubs2 reads it", ours,
         [(cue["start"], cue["end"], cue["text"].strip()) for cue in peer("whisper", path=str(path))])


def scenes(bench, chance, folder):
    lengths = [chance.randrange(20, 80) for _ in range(4)]
    colors = ["red", "blue", "green", "white"]
    inputs, clip = [], folder / "scenes.mp4"
    for color, length in zip(colors, lengths):
        inputs += ["-f", "lavfi", "-i", f"color={color}:s=320x240:r=25:d={length / 25}"]
    call(["ffmpeg", "-v", "error", "-y", *inputs, "-filter_complex", "concat=n=4:v=1", "-c:v", "libx264", clip])
    call([PYTHON.parent / "scenedetect", "-q", "-i", clip, "-o", folder / "sd", "detect-content",
          "--min-scene-len", "10", "list-scenes", "save-edl", "save-otio"])
    ends = [sum(lengths[:place]) for place in range(5)]
    truth = [(Fraction(a, 25), Fraction(b, 25)) for a, b in zip(ends, ends[1:])]
    for name in ("scenes-Scenes.csv", "scenes.otio"):
        same(f"PySceneDetect's {name}",
             [part[1:3] for part in parts_of(shown(bench, folder / "sd" / name, clip))], truth)
    # Its EDL has a frame less where the product of seconds and rate, in floating point, is below a whole
    # number: `int((total_seconds * frame_rate) % frame_rate)`.
    ours = [part[1:3] for part in parts_of(shown(bench, folder / "sd/scenes.edl", clip))]
    if len(ours) != len(truth) or any(
            not 0 <= right - read <= Fraction(1, 25)
            for pair, other in zip(ours, truth) for read, right in zip(pair, other)):
        raise Differs(f"PySceneDetect's scenes.edl: {ours} and {truth}")


def yt_dlp(bench, chance, folder):
    segments, end = [], 0
    for place in range(12):
        start = end + 2 + chance.randrange(10_000) / 1000
        end = start + 1 + chance.randrange(100_000) / 1000
        kind = chance.choice(["skip", "skip", "skip", "chapter"])
        segments.append({"segment": [start, end], "category": "chapter" if kind == "chapter" else "sponsor",
                         "actionType": kind, "UUID": f"{place}", "videoDuration": 3600,
                         "description": f"No. {place}"})
    api, info = folder / "sponsors.json", folder / "clip.info.json"
    api.write_text(json.dumps(segments))
    theirs = peer("sponsors", path=str(info), segments=segments, duration=3600)
    removed = [(Fraction(str(cut[0])), Fraction(str(cut[1]))) for cut in theirs["removed"]]
    for path in (api, info):
        same(f"what yt-dlp removes, in {path.name}",
             [part[1:3] for part in parts_of(shown(bench, path))], removed)
    chapters = [(Fraction(str(start)), Fraction(str(end)), title) for start, end, title in theirs["chapters"]]
    same("yt-dlp's chapters", [part[1:] for part in parts_of(shown(bench, folder / "chapters.info.json"))],
         chapters)


def media(folder, name):
    """A small clip of a rate."""
    path = folder / f"clip-{name}.mp4"
    if not path.exists():
        call(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
              f"testsrc=s=64x64:r={RATES[name]}:d=20", "-c:v", "libx264", "-preset", "ultrafast", path])
    return path


def long_file(folder):
    """A clip of 2,000,000 s, with a frame every 1000 s."""
    path = folder / "long.mp4"
    if not path.exists():
        call(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=s=64x64:r=1/1000:d=2000000", "-c:v", "libx264",
              "-preset", "ultrafast", path])
    return path


def chapter_list(folder, chance):
    """Parts that follow one another in whole milliseconds, as TSV."""
    ends = sorted(chance.sample(range(1, 19_000), 7))
    parts = list(zip([0, *ends], [*ends, 19_500]))
    path = folder / "chapters.tsv"
    path.write_text("".join(f"{a / 1000}\t{b / 1000}\tNo. {i} = ä; #\n" for i, (a, b) in enumerate(parts)))
    return path, [(Fraction(a, 1000), Fraction(b, 1000), f"No. {i} = ä; #") for i, (a, b) in enumerate(parts)]


def probed(path):
    rows = json.loads(call(["ffprobe", "-v", "error", "-show_chapters", "-of", "json", path]))["chapters"]
    return [(row["start"] * Fraction(row["time_base"]), row["end"] * Fraction(row["time_base"]),
             row["tags"]["title"]) for row in rows]


def ffmetadata(bench, chance, folder):
    clip = media(folder, "25")
    source, parts = chapter_list(folder, chance)
    text, made, again = folder / "ours.ffmetadata", folder / "made.mkv", folder / "theirs.ffmetadata"
    convert(bench, source, text)
    call(["ffmpeg", "-v", "error", "-y", "-i", clip, "-i", text, "-map_chapters", "1", "-c", "copy", made])
    same("chapters that ffmpeg read from ours", probed(made), parts)
    call(["ffmpeg", "-v", "error", "-y", "-i", made, "-f", "ffmetadata", again])
    same("ffmpeg's metadata", [part[1:] for part in parts_of(shown(bench, again))], parts)


def matroska(bench, chance, folder):
    clip = media(folder, "25")
    source, parts = chapter_list(folder, chance)
    text, made, again = folder / "ours.xml", folder / "made.mkv", folder / "theirs.xml"
    convert(bench, source, text)
    call(["mkvmerge", "-q", "-o", made, "--chapters", text, clip])
    same("chapters that mkvmerge read from ours", probed(made), parts)
    call(["mkvextract", "-q", made, "chapters", again])
    same("mkvextract's chapters", [part[1:] for part in parts_of(shown(bench, again))], parts)
    simple, back = folder / "ours.chapters", folder / "simple.mkv"
    convert(bench, source, simple)
    call(["mkvmerge", "-q", "-o", back, "--chapters", simple, clip])
    same("simple chapters that mkvmerge read from ours", [part[::2] for part in probed(back)],
         [part[::2] for part in parts])
    call(["mkvextract", "-q", back, "chapters", "-s", simple])
    same("mkvextract's simple chapters",
         [part[1::2] for part in parts_of(shown(bench, simple, long_file(bench.folder)))], [part[::2] for part in parts])
    ordered = folder / "ordered.tsv"
    ordered.write_text("".join(reversed(source.read_text().splitlines(keepends=True))))
    convert(bench, ordered, text)
    call(["mkvmerge", "-q", "-o", made, "--chapters", text, clip])
    call(["mkvextract", "-q", made, "chapters", again])
    if "EditionFlagOrdered>1" not in again.read_text():
        raise Differs("the edition is not ordered")
    same("an ordered edition", [part[1:] for part in parts_of(shown(bench, again))], parts[::-1])


def comskip(bench, chance, folder):
    breaks = [59.5 + chance.randrange(20) / 25, 74.5, 89.5, 104.5]
    when = "+".join(f"between(t,{start},{start + 0.5})" for start in breaks)
    clip, out, ini = folder / "broadcast.ts", folder / "comskip", folder / "comskip.ini"
    out.mkdir()
    call(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=s=320x240:r=25:d=180", "-f", "lavfi",
          "-i", "sine=f=400:r=48000:d=180", "-filter_complex",
          f"[0]drawbox=c=black:t=fill:enable='{when}'[v];[1]volume=0:enable='{when}'[a]", "-map", "[v]",
          "-map", "[a]", "-c:v", "mpeg2video", "-b:v", "800k", "-c:a", "mp2", "-ac", "2", clip])
    ini.write_text("detect_method=127\noutput_edl=1\noutput_default=1\nmin_show_segment_length=60\n"
                   "max_commercialbreak=400\nmin_commercialbreak=20\nmax_commercial_size=65\n"
                   "min_commercial_size=4\n")
    subprocess.run(["comskip", f"--ini={ini}", f"--output={out}", clip], capture_output=True, timeout=PATIENCE,
                   stdin=subprocess.DEVNULL)
    edl, txt = out / "broadcast.edl", out / "broadcast.txt"
    if not edl.exists() or not edl.read_text().strip():
        raise Differs("comskip found no commercials")
    removed = [part[1:3] for part in parts_of(shown(bench, edl, clip))]
    frames_of = [part[1:3] for part in parts_of(shown(bench, txt, clip, statuses=(0, 1)))]
    if not set(removed) <= set(frames_of):
        raise Differs(f"its EDL has {removed}, its TXT {frames_of}")
    written = folder / "ours.edl"
    convert(bench, edl, written, "--as", "edl")
    lines = [[Fraction(field) for field in line.split()[:2]] for line in edl.read_text().splitlines()]
    ours = [[Fraction(field) for field in line.split()[:2]] for line in written.read_text().splitlines()]
    same("our EDL", ours, lines)


def mpv(bench, chance, folder):
    clip = media(folder, "25")
    source, parts = chapter_list(folder, chance)
    chosen = chance.sample(source.read_text().splitlines(keepends=True), 4)
    source.write_text("".join(chosen))
    edl = folder / "ours-mpv.edl"
    convert(bench, source, edl, clip, "--as", "mpv")
    text = call(["mpv", "--no-config", "--vo=null", "--ao=null", "--frames=1",
                 "--term-playing-msg=LENGTH ${=duration} CHAPTERS ${=chapters}", edl]).decode()
    length, chapters = re.search(r"LENGTH ([0-9.]+) CHAPTERS (\d+)", text).groups()
    wanted = sum(end - start for _, start, end, _ in parts_of(shown(bench, source)))
    if Fraction(length) != wanted or int(chapters) != 4:
        raise Differs(f"mpv shows {length} s in {chapters} chapters, not {float(wanted)} in 4")
    same("our own reading", [part[1:] for part in parts_of(shown(bench, edl))],
         [part[1:] for part in parts_of(shown(bench, source))])


def damaged(bench, chance, folder):
    """Lists with random bytes changed: an answer or a sentence, never a crash."""
    source, _ = chapter_list(folder, chance)
    clips = clips_of(chance, RATES["25"])
    for name in ("a.otio", "a.fcpxml", "a.edl"):
        peer("write", path=str(folder / name), clips=clips, rate=25.0)
    for name in ("a.llc", "a.xml", "a.csv", "a.ffmetadata"):
        convert(bench, source, folder / name)
    for path in sorted(folder.glob("a.*")):
        whole = path.read_bytes()
        for _ in range(10):
            data = bytearray(whole)
            for _ in range(chance.randint(1, 4)):
                mutations.flip_bits(chance, data) if chance.random() < 0.5 else data.__setitem__(
                    chance.randrange(len(data)), chance.choice(b'{}[]<>"\\/&;:,0-e\n\0'))
            wrong = path.with_name(f"wrong{path.suffix}")
            wrong.write_bytes(data[:chance.randint(len(data) // 2, len(data))] if chance.random() < 0.3 else data)
            result = benches.run([bench.trim, "list", "show", wrong], PATIENCE)
            if result.status not in (0, 65):
                kept = bench.folder.parent / f"edit-lists-{bench.seed}{path.suffix}"
                shutil.copy(wrong, kept)
                raise Differs(f"{kept}: {result.status} {result.err.strip()[-300:]}")


CHECKS = [
    ("OpenTimelineIO", "reads ours", otio_ours), ("OpenTimelineIO", "we read its", otio_theirs),
    ("otio-cmx3600-adapter", "reads ours (DF and NDF)", cmx_ours),
    ("otio-cmx3600-adapter", "we read its (DF and NDF)", cmx_theirs),
    ("otio-fcpx-xml-adapter", "we read its", fcpx_theirs), ("pysubs2", "we read its ASS, SSA, SRT, VTT", subtitles),
    ("pysubs2", "reads a whisper transcript as we do", whisper),
    ("scenedetect", "its CSV and OTIO are the truth, its EDL is within a frame of it", scenes),
    ("yt-dlp", "we read its info.json, and remove what it removes", yt_dlp),
    ("ffmpeg", "metadata, both ways", ffmetadata),
    ("mkvmerge, mkvextract", "chapters and ordered editions, both ways", matroska),
    ("comskip", "we read its EDL and TXT", comskip), ("mpv", "plays ours", mpv),
    ("", "damaged lists: an answer or a sentence", damaged),
]


def hours(seconds, places=3, point="."):
    """A time of day, which goes on after 99 hours."""
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}{point}" + f"{seconds % 1:.{places}f}"[2:]


def label(frame):
    """A timecode at 25 frames per second."""
    return f"{frame // 90000:02}:{frame // 1500 % 60:02}:{frame // 25 % 60:02}:{frame % 25:02}"


def otio_clip(n):
    return json.dumps({"OTIO_SCHEMA": "Clip.2", "name": f"n{n}", "source_range": {
        "OTIO_SCHEMA": "TimeRange.1",
        "start_time": {"OTIO_SCHEMA": "RationalTime.1", "rate": 25.0, "value": float(25 * n)},
        "duration": {"OTIO_SCHEMA": "RationalTime.1", "rate": 25.0, "value": 10.0}}})


# A list of many rows in each format: what it begins with, a row, what is between rows, what it ends with, and the
# format it is written as. A cue sheet has 99 tracks at most.
MANY = {
    "csv": ("", lambda n: f"{n}.25,{n}.75,n{n}\n", "", "", "csv"),
    "tsv": ("", lambda n: f"{n}.25\t{n}.75\tn{n}\n", "", "", "csv"),
    "audacity": ("", lambda n: f"{n}.250000\t{n}.750000\tn{n}\n", "", "", "csv"),
    "edl": ("", lambda n: f"{n}.25 {n}.75 0\n", "", "", "edl"),
    "mpv": ("# mpv EDL v0\n", lambda n: f"a.mkv,{n}.25,0.5\n", "", "", "csv"),
    "comskip": ("FILE PROCESSING COMPLETE 3000000 FRAMES AT  2500\n-------------------\n",
                lambda n: f"{3 * n + 1}\t{3 * n + 3}\n", "", "", "edl"),
    "cmx3600": ("TITLE: many\nFCM: NON-DROP FRAME\n", lambda n: f"{n + 1:06}  AX       V     C        {label(2 * n)} "
                f"{label(2 * n + 2)} {label(2 * n)} {label(2 * n + 2)}\n", "", "", "csv"),
    "scenedetect": ("Scene Number,Start Frame,Start Timecode,Start Time (seconds),End Frame,End Timecode,"
                    "End Time (seconds),Length (frames),Length (timecode),Length (seconds)\n",
                    lambda n: f"{n + 1},{25 * n + 1},{hours(n)},{n}.000,{25 * n + 25},{hours(n + 1)},{n + 1}.000,25,"
                    "00:00:01.000,1.000\n", "", "", "csv"),
    "ffmetadata": (";FFMETADATA1\n", lambda n: f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={1000 * n}\nEND={1000 * n + 1000}\n"
                   f"title=n{n}\n", "", "", "csv"),
    "youtube": ("", lambda n: f"{n // 3600}:{n // 60 % 60:02}:{n % 60:02} n{n}\n", "", "", "csv"),
    "srt": ("", lambda n: f"{n + 1}\n{hours(n, point=',')} --> {hours(n + 0.5, point=',')}\nWords {n}\n\n", "", "", "csv"),
    "vtt": ("WEBVTT\n\n", lambda n: f"{hours(n)} --> {hours(n + 0.5)}\nWords {n}\n\n", "", "", "csv"),
    "ass": ("[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, "
            "MarginV, Effect, Text\n", lambda n: f"Dialogue: 0,{hours(n, 2)},{hours(n + 0.5, 2)},Default,,0,0,0,,n{n}\n",
            "", "", "csv"),
    "sponsorblock": ("[", lambda n: f'{{"segment":[{n}.25,{n}.75],"category":"sponsor","actionType":"skip"}}', ",\n", "]\n",
                     "edl"),
    "yt-dlp": ('{"id": "x", "extractor": "generic", "duration": 2000000, "chapters": [',
               lambda n: f'{{"start_time": {n}.0, "end_time": {n + 1}.0, "title": "n{n}"}}', ",\n", "]}\n", "csv"),
    "whisper": ('{"text": "", "language": "en", "segments": [',
                lambda n: f'{{"id": {n}, "start": {n}.25, "end": {n}.75, "text": " n{n}"}}', ",\n", "]}\n", "csv"),
    "llc": ("{version: 2, cutSegments: [\n", lambda n: f"{{start: {n}.25, end: {n}.75, name: 'n{n}'}},\n", "", "]}\n", "csv"),
    "otio": ('{"OTIO_SCHEMA": "Timeline.1", "tracks": {"OTIO_SCHEMA": "Stack.1", "children": [{"OTIO_SCHEMA": "Track.1", '
             '"kind": "Video", "children": [', otio_clip, ",\n", "]}]}}\n", "csv"),
    "fcpxml": ('<?xml version="1.0"?>\n<fcpxml version="1.8"><resources><asset id="a" src="file:///a.mov" start="0s" '
               'duration="2000000s"/></resources><project name="p"><sequence><spine>\n',
               lambda n: f'<asset-clip ref="a" name="n{n}" offset="{n}s" start="{n}s" duration="1s"><marker start="{n}s" '
               f'value="m"/></asset-clip>\n', "", "</spine></sequence></project></fcpxml>\n", "csv"),
    "mkv-chapters": ("<Chapters><EditionEntry>\n", lambda n: f"<ChapterAtom><ChapterTimeStart>{hours(n)}</ChapterTimeStart>"
                     f"<ChapterTimeEnd>{hours(n + 1)}</ChapterTimeEnd></ChapterAtom>\n", "", "</EditionEntry></Chapters>\n",
                     "csv"),
    "trim": ('{"version": 1, "sources": [{}], "parts": [', lambda n: f'{{"source": 0, "range": {{"start": "{n}", "end": '
             f'"{n + 1}"}}, "isKept": true}}', ",\n", "]}\n", "csv"),
}
LENGTH = int(os.environ.get("TRIM_LIST_ROWS", "1000000"))
# Seconds of CPU and bytes of memory for each row of the most verbose formats, in a debug build.
MOST_SECONDS, MOST_BYTES = 400e-6, 3000


def rows_of(kind, count):
    """A list of many rows, as text in pieces."""
    head, row, between, tail, _ = MANY[kind]
    yield head
    for n in range(count):
        yield row(n) if n == 0 else between + row(n)
    yield tail


MEASURED = """
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
sys.exit(status)
"""


def many(bench, kind):
    """Reads a long list and writes it in another format: its rows, its size, the time and the peak memory."""
    source, target = bench.folder / f"many.{kind}", bench.folder / f"many-{kind}.out"
    with source.open("w") as file:
        file.writelines(rows_of(kind, LENGTH))
    beside = {"cmx3600": [media(bench.folder, "25")], "youtube": [long_file(bench.folder)]}.get(kind, [])
    words = [bench.trim, "list", "convert", source, *beside, "--as", MANY[kind][4], "--drop", "names",
             "--drop", "markers", "-q", "-f", "-o", target]
    out = subprocess.run([str(word) for word in ["python3", "-c", MEASURED, *words]], capture_output=True)
    if out.returncode != 0:
        raise Differs(f"{kind}: {out.returncode} {out.stderr.decode(errors='replace')[-300:]}")
    seconds, memory = out.stdout.decode().split()[-2:]
    seconds, memory, size = float(seconds), int(memory) * 1024, source.stat().st_size
    with target.open() as file:
        rows = sum(1 for _ in file)
    source.unlink()
    target.unlink()
    if rows != LENGTH:
        raise Differs(f"{kind}: {rows} of {LENGTH} rows")
    if seconds > 20 + MOST_SECONDS * LENGTH or memory > 200e6 + MOST_BYTES * LENGTH:
        raise Differs(f"{kind}: {seconds:.0f} s and {memory / 1e6:.0f} MB")
    return f"| {kind} | {rows} | {size / 1e6:.0f} MB | {seconds:.0f} s | {memory / 1e6:.0f} MB |"


def run(bench):
    missing = absent()
    if missing:
        print("soak: not everything is here, which is a failure of this soak:")
        print("\n".join(f"  {line}" for line in missing))
        return 1
    rows, lines, failures = benches.Rows("edit_lists"), [], 0
    # Two formats need the rate or the end of their file.
    media(bench.folder, "25")
    long_file(bench.folder)
    pool = concurrent.futures.ThreadPoolExecutor(bench.jobs)
    lengthy = [pool.submit(many, bench, kind) for kind in MANY]
    for program, what, check in CHECKS:
        reasons = []
        turns = bench.count if check not in (scenes, comskip) else min(2, bench.count)
        for number in range(turns):
            folder = bench.folder / f"{check.__name__}-{number}"
            folder.mkdir()
            try:
                check(bench, random.Random(f"{bench.seed}:{check.__name__}:{number}"), folder)
            except (Differs, subprocess.TimeoutExpired) as error:
                reasons.append(str(error))
                rows.add({"check": check.__name__, "cell": number, "error": str(error)})
            shutil.rmtree(folder)
        failures += len(reasons)
        lines.append(f"| {program} | {what} | {turns} | {len(reasons)} |")
        print(lines[-1], *sorted(set(reasons))[:2], sep="\n  ", flush=True)
    long = []
    for kind, work in zip(MANY, lengthy):
        try:
            long.append(work.result())
        except Differs as error:
            failures += 1
            long.append(f"| {kind} | {error} | | | |")
        print(long[-1], flush=True)
    lines = [
        "# Lists of parts against the programs that own their formats", "",
        f"`tools/soak edit_lists --count {bench.count} --seed {bench.seed}`, with {versions()}. Times are "
        "compared exactly, at " + ", ".join(RATES) + " frames per second where a format has frames.", "",
        "| program | what | lists | differences |", "|---|---|---:|---:|", *lines, "",
        f"Lists of {LENGTH} rows, read and written as another format without names, with the time of the processor and the peak memory of a "
        f"{bench.trim.parent.name} build:", "",
        "| format | rows | size | time | memory |", "|---|---:|---:|---:|---:|", *long,
    ]
    print(f"rows: {rows.path}")
    bench.write("edit-lists", lines)
    return 1 if failures else 0
