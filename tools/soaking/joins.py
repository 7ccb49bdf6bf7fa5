"""Joins all pairs of twelve kinds of files into three containers: every picture, its time, and the sound."""

import collections
import functools
import json
import shutil
import subprocess

import numpy as np
from judging import cutters, marks
from soaking import bench as benches

ABOUT = "joins files of all kinds in pairs, beside ffmpeg's concat, mkvmerge and smartcut (needs numpy)"
FRAMES = 40
PATIENCE = 120
ENDINGS = ["mp4", "mkv", "ts"]
X264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-g", "12"]
AAC = ["-c:a", "aac", "-b:a", "128k"]
# A name, a file's name, frames a second, and what the encoders get.
KINDS = [
    ("H.264, closed groups", "closed.mp4", 25, [*X264, "-bf", "2", *AAC]),
    ("H.264, open groups", "open.mkv", 25,
     [*X264, "-bf", "2", "-x264-params", "open-gop=1", *AAC]),
    ("H.264, Baseline", "baseline.mp4", 25, [*X264, "-profile:v", "baseline", *AAC]),
    ("another size", "size.mp4", 25, ["-vf", "scale=480:360,setsar=1", *X264, *AAC]),
    ("another rate", "rate.mp4", 30, [*X264, "-bf", "2", *AAC]),
    ("rotated", "rotated.mp4", 25, ["-vf", "transpose=clock", *X264, *AAC]),
    ("HEVC", "hevc.mp4", 25,
     ["-c:v", "libx265", "-preset", "veryfast", "-crf", "20", "-x265-params", "log-level=none:keyint=12",
      "-tag:v", "hvc1", *AAC]),
    ("VP9", "vp9.mkv", 25,
     ["-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-deadline", "realtime", "-cpu-used", "6",
      "-c:a", "libopus"]),
    ("MPEG-2", "mpeg2.ts", 25, ["-c:v", "mpeg2video", "-q:v", "2", "-bf", "2", "-c:a", "mp2"]),
    ("AC-3 sound", "ac3.mkv", 25, [*X264, "-bf", "2", "-c:a", "ac3"]),
    ("sound alone", "sound.m4a", 25, ["-vn", *AAC]),
    ("no sound", "silent.mp4", 25, [*X264, "-bf", "2", "-an"]),
]
COUNT = len(KINDS) ** 2 * len(ENDINGS)
TOOLS = ["trim", "concat", "mkvmerge", "smartcut"]
FFMPEG = ["ffmpeg", "-nostdin", "-hide_banner", "-v", "error", "-y"]
# Matroska counts milliseconds, and so may the source.
TIME = 0.0021
# Samples at 48 kHz: 1 ms.
SOUND = 48


def made(folder):
    """Makes one file of each kind: pictures with numbers of their own, and noise that is not repeated."""
    pictures = list(marks.pictures(FRAMES * len(KINDS)))
    for place, (_, name, rate, words) in enumerate(KINDS):
        video, audio = folder / "video.raw", folder / "audio.raw"
        video.write_bytes(b"".join(pictures[FRAMES * place:FRAMES * (place + 1)]))
        audio.write_bytes(marks.sound(2, 100 + place)[:4 * marks.RATE * FRAMES // rate])
        subprocess.run(
            [*FFMPEG, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{marks.WIDTH}x{marks.HEIGHT}",
             "-r", str(rate), "-i", video, "-f", "s16le", "-ar", str(marks.RATE), "-ac", "2", "-i", audio,
             *words, folder / name], check=True)
        if name == "rotated.mp4":
            turned = folder / "turned.mp4"
            subprocess.run([*FFMPEG, "-i", folder / name, "-c", "copy", "-metadata:s:v", "rotate=90",
                            turned], check=True)
            turned.rename(folder / name)
    return folder


def output(command):
    return subprocess.run([str(word) for word in command], capture_output=True, check=False).stdout


def probe(path, entries, streams="v"):
    return json.loads(output(["ffprobe", "-v", "error", "-select_streams", streams, "-show_entries", entries,
                              "-of", "json", path]) or "{}")


def start(path):
    """Returns when a file begins; what is before 0 in Matroska is the priming of its sound."""
    return max(0, float(probe(path, "format=start_time").get("format", {}).get("start_time") or 0))


def frames(path):
    """Returns the hash and the time of every picture as coded, from the beginning of the file."""
    text = output(["ffmpeg", "-v", "error", "-noautorotate", "-copyts", "-i", path, "-map", "0:v",
                   "-fps_mode", "passthrough", "-enc_time_base", "1:90000", "-f", "framemd5", "-"]).decode()
    rows = [line.split(",") for line in text.splitlines() if line and line[0] != "#"]
    begin = start(path)
    return [(row[5].strip(), int(row[2]) / 90000 - begin) for row in rows]


def shown_size(path):
    """Returns the size of a picture as it is shown: turned, with square pixels."""
    streams = probe(path, "stream=width,height,sample_aspect_ratio:stream_side_data=rotation").get("streams")
    if not streams:
        return None
    stream = streams[0]
    width, height = stream["width"], stream["height"]
    across, down = (stream.get("sample_aspect_ratio") or "1:1").split(":")
    if across != "0":
        width = width * int(across) / int(down)
    turns = [side["rotation"] for side in stream.get("side_data_list", []) if "rotation" in side]
    return (height, width) if turns and turns[0] % 180 else (width, height)


def numbers(path, size):
    """Reads the numbers in all pictures, of which those of a source with that size are a part."""
    whole, turn = shown_size(path), ""
    if whole is None or size is None:
        return []
    if (whole[0] < whole[1]) != (size[0] < size[1]):
        # FFmpeg's muxers for Matroska and transport streams write no rotation.
        whole, turn = (whole[1], whole[0]), "transpose=cclock,"
    scale = min(whole[0] / size[0], whole[1] / size[1])
    width, height = size[0] * scale, size[1] * scale
    crop = (f"crop={round(width)}:{round(height)}:{round((whole[0] - width) / 2)}:"
            f"{round((whole[1] - height) / 2)}:exact=1")
    raw = output(["ffmpeg", "-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-vf",
                  f"{turn}{crop},scale={marks.WIDTH}:{marks.HEIGHT}:flags=area,format=gray", "-f", "rawvideo", "-"])
    size = marks.WIDTH * marks.HEIGHT
    pictures = np.frombuffer(raw[:len(raw) // size * size], np.uint8)
    return [int(one) for one in marks.numbers(pictures.reshape(-1, marks.HEIGHT, marks.WIDTH))]


def sound(path):
    raw = output(["ffmpeg", "-v", "error", "-copyts", "-i", path, "-map", "0:a:0", "-af",
                  f"aresample={marks.RATE}:async=1:first_pts={round(start(path) * marks.RATE)}", "-ac", "1", "-ar", str(marks.RATE), "-f", "s16le", "-"])
    return np.frombuffer(raw[:len(raw) // 2 * 2], "<i2").astype(float)


def lag(found, wanted, place, begin):
    """Returns how many samples later than at begin + place a stretch of a source is heard."""
    reach, length = 2400, 6000
    stretch = wanted[place:place + length]
    low = max(0, begin + place - reach)
    window = found[low:begin + place + reach + length]
    if len(stretch) < length or len(window) < length:
        return None
    likeness = np.correlate(window, stretch, "valid")
    return int(likeness.argmax()) + low - begin - place


class Sources:
    """What the sources show, found out once."""

    def __init__(self, folder):
        self.folder = folder
        self.frames = functools.cache(lambda name: frames(folder / name))
        self.size = functools.cache(lambda name: shown_size(folder / name))
        self.sound = functools.cache(lambda name: sound(folder / name))
        self.refusal = None

    def smartcut_says(self, command):
        """Returns how smartcut ends, which takes one file: as it did the first time, if it refused then."""
        done = self.refusal or benches.run(command, PATIENCE)
        self.refusal = done if done.status != 0 else None
        return done


def commands(tool, bench, one, other, target, folder):
    if tool == "trim":
        return [bench.trim, "join", one, other, "-o", target, "--json", "--verify", bench.options.verify]
    if tool == "concat":
        names = folder / "names.txt"
        names.write_text(f"file '{one}'\nfile '{other}'\n")
        return [*FFMPEG, "-f", "concat", "-safe", "0", "-i", names, "-map", "0", "-c", "copy", target]
    if tool == "mkvmerge":
        return ["mkvmerge", "-q", "-o", target, one, "+", other]
    # It takes one file: a second one is an error of its command line.
    return [cutters.smartcut(), one, other, target]


def judged(path, pair, begins, sources):
    """Compares a joined file with its sources: faults, and the share of pictures that are as they were."""
    row = {"lost": 0, "late": 0, "unheard": 0, "kept": 0, "shown": 0}
    found, heard = frames(path), sound(path)
    read_at = functools.cache(lambda size: numbers(path, size))
    place, lead = 0, 0
    if path.suffix == ".ts" and found and sources.size(pair[0][1]):
        # A transport stream has no zero: it begins with what comes first, after up to a packet of sound that it
        # cannot hide a part of. Its first picture shows where zero is.
        lead = found[0][1] - sources.frames(pair[0][1])[0][1]
        lead = lead if abs(lead) < 0.021 else 0
    for begin, (index, name) in zip(begins, pair):
        size, own = sources.size(name), sources.frames(name) if sources.size(name) else []
        wanted = [FRAMES * index + number for number in range(len(own))]
        if size is None:
            # Black pictures, as many as fit.
            while place < len(found) and found[place][1] < begin + FRAMES / 25 - 0.02:
                place += 1
        else:
            read = read_at(size)[place:place + len(own)]
            row["lost"] += sum(one != two for one, two in zip(read, wanted)) + len(wanted) - len(read)
            for (now, time), (before, when) in zip(found[place:], own):
                row["late"] += abs(time - lead - begin - when) > TIME
                row["kept"] += now == before
            row["shown"] += len(own)
            place += len(own)
        if name != "silent.mp4":
            source = sources.sound(name)
            for at in (4800, len(source) - 12_000):
                off = lag(heard, source, at, round((begin + lead) * marks.RATE))
                row["unheard"] += off is None or abs(off) > SOUND
    row["lost"] += max(0, len(found) - place)
    return row


def cell(bench, sources, number, folder):
    pairs = len(KINDS) ** 2
    # Neighboring cells are unlike each other, so that a sample has something of everything.
    number = number * 89 % COUNT
    ending, number = ENDINGS[number // pairs], number % pairs
    pair = [(place, KINDS[place][1]) for place in (number // len(KINDS), number % len(KINDS))]
    one, other = (sources.folder / name for _, name in pair)
    row = {"pair": [KINDS[place][0] for place, _ in pair], "to": ending, "tools": {}}
    begins = None
    for tool in TOOLS:
        if tool == "mkvmerge" and (ending != "mkv" or not shutil.which("mkvmerge")):
            continue
        if tool == "smartcut" and not cutters.smartcut():
            continue
        target = folder / f"{tool}.{ending}"
        done = sources.smartcut_says(commands(tool, bench, one, other, target, folder)) if tool == "smartcut" \
            else benches.run(commands(tool, bench, one, other, target, folder), PATIENCE)
        # mkvmerge exits with 1 after warnings.
        if done.status not in ([0, 1] if tool == "mkvmerge" else [0]) or not target.exists():
            row["tools"][tool] = {"status": done.status, "said": (done.err or "").strip()[-200:]}
            continue
        if tool == "trim":
            parts = json.loads(done.out)["parts"]
            begins = [float(part["output_from"]["seconds"]) for part in parts]
            encoded = sum(track["encoded"] for part in parts for track in part["tracks"]
                          if track["type"] == "video")
        if begins is None:
            continue
        row["tools"][tool] = {"status": 0, **judged(target, pair, begins, sources)}
        if tool == "trim":
            row["tools"][tool]["encoded"] = encoded
    return row


def run(bench):
    folder = bench.folder / "sources"
    folder.mkdir()
    sources = Sources(made(folder))
    rows = benches.Rows("joins")
    tally = collections.defaultdict(collections.Counter)
    for row in bench.cells(lambda number, folder: cell(bench, sources, number, folder)):
        is_odd = False
        for tool, result in row["tools"].items():
            count = tally[tool, row["to"]]
            count["joins"] += 1
            if result["status"] != 0:
                count["refused"] += 1
                is_odd |= tool == "trim"
                continue
            for key in ("lost", "late", "unheard"):
                count[key] += result[key]
                is_odd |= tool == "trim" and result[key] > 0
            count["whole"] += not any(result[key] for key in ("lost", "late", "unheard"))
            count["kept"] += result["kept"]
            count["shown"] += result["shown"]
        if is_odd:
            tally["odd", ""]["all"] += 1
            rows.add(row)
        if bench.only is not None:
            print(json.dumps(row, indent=2))
    lines = [
        "# Files of all kinds, joined in pairs", "",
        f"`tools/soak joins --count {bench.count}`: {', '.join(name for name, *_ in KINDS)}; each with each, "
        f"into {', '.join('.' + ending for ending in ENDINGS)}. A picture is known by the number in it, sound by "
        "its noise; times are compared with the map that trim gives, within a millisecond of rounding at each end. "
        "smartcut takes one file only.", "",
        "| tool | output | joins | refused | all right | pictures lost or twice | at another time | "
        "sound off by 1 ms or missing | pictures bit for bit |",
        "|---|---|" + "---:|" * 7,
    ]
    for tool in TOOLS:
        for ending in ENDINGS:
            count = tally.get((tool, ending))
            if not count:
                continue
            kept = f"{100 * count['kept'] / count['shown']:.0f} %" if count["shown"] else "–"
            lines.append(
                f"| {tool} | .{ending} | {count['joins']} | {count['refused']} | {count['whole']} | "
                f"{count['lost']} | {count['late']} | {count['unheard']} | {kept} |")
    print("\n".join(lines))
    print(f"rows: {rows.path}")
    if bench.only is None:
        bench.write("joins", lines)
    return 1 if tally["odd", ""]["all"] else 0
