"""Drives trim from the programs that people use: yt-dlp, mpv and comskip, each on files made here.

Each frame carries its number in its pictures, so that what a file shows is compared with what it should show, and
with what the program does alone. A picture counts as kept if it decodes to exactly the source's."""

import json
import os
import re
import shutil
import socket
import subprocess
import time
from collections import Counter
from fractions import Fraction

from soaking import bench as benches
from soaking.edit_lists import PYTHON, Differs, absent, call

ABOUT = "yt-dlp, mpv and comskip cut with trim: frames right, pictures kept, and what each does alone"
COUNT = 3
PATIENCE = 300
ROOT = benches.ROOT
RATE = 25
BITS = 12
# Twelve columns of eight pixels, one for each bit of the frame's number.
NUMBERED = "geq=lum='32+190*mod(floor(N/pow(2,floor(X/8))),2)':cb=128:cr=128"


def numbered(path, seconds, *codec, source=f"color=s=96x64:r={RATE}", filters=()):
    """Writes a clip whose frames carry their numbers."""
    call(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"{source}:d={seconds}", "-f", "lavfi", "-i",
          f"sine=f=400:r=48000:d={seconds}", "-vf", ",".join([NUMBERED, *filters]), *codec, path])


def pictures(path):
    """Returns the number and a hash of each picture that a file shows."""
    width, height = 96, 64
    raw = call(["ffmpeg", "-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-pix_fmt", "gray",
                "-f", "rawvideo", "-"])
    frames = [raw[place:place + width * height] for place in range(0, len(raw), width * height)]
    return [(sum(1 << bit for bit in range(BITS) if frame[32 * width + 8 * bit + 4] > 127), hash(frame))
            for frame in frames]


def kept(ranges):
    """Returns the numbers of the frames that begin in the ranges, or are on screen where one begins."""
    numbers = []
    for start, end in ranges:
        first, last = start * RATE, end * RATE
        numbers += range(int(first), -(-last.numerator // last.denominator))
    return numbers


def judged(what, path, source, wanted):
    """Returns a row: frames missing, wrong or twice, and the share of pictures kept bit for bit."""
    shown = pictures(path)
    wrong, right = Counter(number for number, _ in shown), Counter(wanted)
    missing, extra = (right - wrong).total(), (wrong - right).total()
    same = sum(picture in source for picture in shown)
    return {"what": what, "frames": len(wanted), "missing": missing, "extra": extra,
            "in_order": [number for number, _ in shown] == wanted, "kept": round(100 * same / max(1, len(shown)), 1)}


def require(row):
    if row["missing"] or row["extra"] or not row["in_order"]:
        raise Differs(f"{row['what']}: {row}")
    return row


# --- yt-dlp

def yt_dlp(bench, chance, folder):
    clip = folder / "source.mp4"
    numbered(clip, 24, "-c:v", "libx264", "-g", "100", "-preset", "veryfast", "-c:a", "aac", "-shortest")
    source = set(pictures(clip))
    first = Fraction(chance.randrange(50, 200), RATE)
    last = first + Fraction(chance.randrange(60, 200), RATE)
    (folder / "source.en.srt").write_text("1\n00:00:00,000 --> 00:00:24,000\na\n")
    # Nothing is left of it, and the others are cut all the same.
    gone = f"{srt_clock(first)} --> {srt_clock(last)}"
    (folder / "source.de.srt").write_text(f"1\n{gone}\na\n")
    info = {"id": "x", "title": "x", "ext": "mp4", "url": f"file://{clip}", "extractor": "generic",
            "extractor_key": "Generic", "webpage_url": f"file://{clip}", "duration": 24,
            "chapters": [{"start_time": 0, "end_time": 12, "title": "a"}, {"start_time": 12, "end_time": 24, "title": "b"}],
            "subtitles": {language: [{"url": f"file://{folder}/source.{language}.srt", "ext": "srt"}]
                          for language in ("en", "de")},
            "sponsorblock_chapters": [{
                "start_time": float(first), "end_time": float(last), "category": "sponsor", "title": "Sponsor",
                "type": "skip", "_categories": [["sponsor", float(first), float(last), "Sponsor"]]}]}
    (folder / "x.info.json").write_text(json.dumps(info))
    wanted = kept([(Fraction(0), first), (last, Fraction(24))])
    rows = []
    ways = [("yt-dlp with trim", ["--use-postprocessor", f"Trim:trim={bench.trim}"]), ("yt-dlp alone", []),
            ("yt-dlp --force-keyframes-at-cuts", ["--force-keyframes-at-cuts"])]
    for number, (what, words) in enumerate(ways):
        base = folder / f"out{number}"
        command = [PYTHON, "-m", "yt_dlp", "--quiet", "--no-config", "--enable-file-urls", "--load-info-json",
                   folder / "x.info.json", "--sponsorblock-remove", "sponsor", "--write-subs", "--sub-langs", "en" if number else "all",
                   "--embed-chapters", "-o", f"{base}.%(ext)s", *words]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "Bindings" / "yt-dlp")}
        call(command, env=environment)
        rows.append(judged(what, f"{base}.mp4", source, wanted))
        if number:
            continue
        require(rows[0])
        shown = pictures(f"{base}.mp4")
        length = 24 - (last - first)
        chapters = json.loads(call(["ffprobe", "-v", "error", "-show_chapters", "-of", "json", f"{base}.mp4"]))
        ends = [Fraction(row["end_time"]) for row in chapters["chapters"]]
        seam = 12 - (min(last, 12) - min(first, 12))
        if any(abs(a - b) > Fraction(1, 1000) for a, b in zip(ends, [seam, length], strict=True)):
            raise Differs(f"chapters end at {list(map(float, ends))}, not at {[float(seam), float(length)]}")
        text = base.with_suffix(".en.srt").read_text()
        if srt_clock(length) not in text:
            raise Differs(f"the subtitle is {text!r}, and the file {float(length)} s")
        # A file that is there already is not cut again.
        call(command, env=environment)
        if pictures(f"{base}.mp4") != shown or srt_clock(length) not in base.with_suffix(".en.srt").read_text():
            raise Differs("a second run cuts it again")
    return rows


def srt_clock(seconds):
    milliseconds = round(seconds * 1000)
    return f"00:00:{milliseconds // 1000:02},{milliseconds % 1000:03}"


# --- mpv

class Player:
    """A headless mpv, driven over its IPC."""

    def __init__(self, clip, folder, trim):
        path = folder / "mpv"
        self.log = ""
        self.process = subprocess.Popen(
            ["mpv", "--no-config", "--vo=null", "--ao=null", "--pause", "--keep-open", "--hr-seek=yes",
             f"--script={ROOT}/Bindings/mpv/trim.lua", f"--script-opts=trim-program={trim}",
             f"--input-ipc-server={path}", clip],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(1)
        self.rest = b""
        self.until(lambda: self.connects(path), "no socket")
        self.command("request_log_messages", "info")
        self.until(lambda: self.command("get_property", "time-pos") is not None, "nothing is shown")

    def connects(self, path):
        try:
            self.socket.connect(str(path))
        except OSError:
            return False
        return True

    def until(self, holds, reason):
        end = time.monotonic() + 30
        while not holds():
            if time.monotonic() > end:
                raise Differs(f"mpv: {reason}: {self.log[-300:]}")
            time.sleep(0.05)

    def command(self, *words):
        self.socket.sendall(json.dumps({"command": words, "request_id": 7}).encode() + b"\n")
        while True:
            answer = self.message()
            if answer.get("request_id") == 7 and "error" in answer:
                return answer.get("data") if answer["error"] == "success" else None

    def message(self):
        while b"\n" not in self.rest:
            self.rest += self.socket.recv(1 << 16)
        line, _, self.rest = self.rest.partition(b"\n")
        message = json.loads(line)
        if message.get("event") == "log-message" and message.get("prefix") == "trim":
            self.log += message["text"]
        return message

    def press(self, key, expected):
        self.log = ""
        self.command("keypress", key)

        def said():
            self.command("get_property", "time-pos")
            return re.search(expected, self.log)

        self.until(said, f"'{key}' does not say '{expected}'")

    def seek(self, frame):
        # mpv shows the first frame that does not begin earlier.
        self.command("seek", (frame - 0.4) / RATE, "absolute+exact")
        self.until(lambda: self.command("get_property", "seeking") is False
                   and round((self.command("get_property", "time-pos") or -1) * RATE) == frame,
                   f"frame {frame} is not shown")

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.socket.close()


def mpv(bench, chance, folder):
    clip = folder / "clip.mp4"
    numbered(clip, 12, "-c:v", "libx264", "-g", "100", "-preset", "veryfast", "-c:a", "aac", "-shortest")
    source = set(pictures(clip))
    first, last = chance.randrange(10, 100), chance.randrange(120, 280)
    player = Player(clip, folder, bench.trim)
    try:
        player.press("t", "mark In")
        player.seek(last)
        player.press("o", "Out")
        player.seek(first)
        player.press("i", "In")
        player.press("t", "trim: clip-trimmed.mp4")
        player.press("T", "trim: clip-trimmed-2.mp4")
        player.press("Ctrl+t", "no marks")
        player.press("t", "mark In")
    finally:
        player.close()
    return [require(judged("mpv: the part", folder / "clip-trimmed.mp4", source, list(range(first, last)))),
            require(judged("mpv: without the part", folder / "clip-trimmed-2.mp4", source,
                           [*range(first), *range(last, 12 * RATE)]))]


# --- comskip

def comskip(bench, chance, folder):
    breaks = [59.5 + chance.randrange(20) / RATE, 74.5, 89.5, 104.5]
    when = "+".join(f"between(t,{start},{start + 0.5})" for start in breaks)
    clip = folder / "recording.ts"
    call(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"color=s=96x64:r={RATE}:d=160", "-f", "lavfi", "-i",
          "sine=f=400:r=48000:d=160", "-filter_complex",
          f"[0]{NUMBERED},scale=384:256:flags=neighbor,drawbox=c=black:t=fill:enable='{when}'[v];"
          f"[1]volume=0:enable='{when}'[a]", "-map", "[v]", "-map", "[a]", "-c:v", "mpeg2video", "-b:v", "1500k", "-c:a",
          "mp2", "-ac", "2", clip])
    (folder / "comskip.ini").write_text(
        "detect_method=127\noutput_edl=1\noutput_default=0\nmin_show_segment_length=60\nmax_commercialbreak=400\n"
        "min_commercialbreak=20\nmax_commercial_size=65\nmin_commercial_size=4\n")
    # As documented: one line from the recording to a clean file. comskip's status is 0 where it found commercials.
    done = subprocess.run(
        f'comskip --ini=comskip.ini recording.ts; "{bench.trim}" cut recording.ts --cuts recording.edl -o clean.ts',
        shell=True, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, timeout=PATIENCE)
    if done.returncode != 0:
        raise Differs(f"comskip and trim: {done.stderr.decode(errors='replace')[-300:]}")
    edl = [[Fraction(field) for field in line.split()[:2]] for line in (folder / "recording.edl").read_text().splitlines()]
    rest, start = [], Fraction(0)
    for a, b in edl:
        rest.append((start, a))
        start = b
    rest.append((start, Fraction(160)))
    wanted = [number for number in kept(rest) if not any(b - 0.1 <= number / RATE <= b + 0.6 for b in breaks)]
    rows = []
    alone = folder / "alone.ts"
    (folder / "list").write_text("".join(
        f"file recording.ts\ninpoint {float(a) + 1.4}\noutpoint {float(b) + 1.4}\n" for a, b in rest if a < b))
    call(["ffmpeg", "-v", "error", "-y", "-f", "concat", "-i", folder / "list", "-c", "copy", alone])
    small = folder / "small.mkv"
    for what, path in (("comskip and trim", folder / "clean.ts"), ("comskip and ffmpeg's concat", alone)):
        shown = {}
        for name in (clip, path):
            call(["ffmpeg", "-v", "error", "-y", "-i", name, "-vf", "scale=96:64:flags=neighbor", "-fps_mode", "passthrough",
                  "-an", "-c:v", "ffv1", small])
            # Black pictures between the blocks have no number.
            shown[name] = [one for one in pictures(small)
                           if not any(b - 0.1 <= one[0] / RATE <= b + 0.6 for b in breaks) and one[0] > 2]
        right, there = Counter(n for n in wanted if n > 2), Counter(n for n, _ in shown[path])
        source = set(shown[clip])
        rows.append({"what": what, "frames": right.total(), "missing": (right - there).total(),
                     "extra": (there - right).total(),
                     "in_order": [n for n, _ in shown[path]] == [n for n in wanted if n > 2],
                     "kept": round(100 * sum(one in source for one in shown[path]) / max(1, len(shown[path])), 1)})
    require(rows[0])
    return rows


CHECKS = {"yt-dlp": yt_dlp, "mpv": mpv, "comskip": comskip}


def run(bench):
    missing = absent()
    if missing:
        print("\n".join(f"soak: {line}" for line in missing))
        return 1
    rows = benches.Rows("doors")

    def work(cell, folder):
        row = {"rows": [], "failures": []}
        for name, check in CHECKS.items():
            place = folder / name
            place.mkdir()
            try:
                row["rows"] += check(bench, bench.chance(f"{name}:{cell}"), place)
            except (Differs, OSError, subprocess.SubprocessError) as failure:
                row["failures"].append(f"{name}: {failure}")
        return row

    table, failures = {}, []
    for row in bench.cells(work):
        rows.add(row)
        failures += [f"cell {row['cell']}: {one}" for one in row["failures"]]
        for one in row["rows"]:
            table.setdefault(one["what"], []).append(one)
    lines = ["# Cutting from other programs", "",
             f"`tools/soak doors --count {bench.count} --seed {bench.seed}`: made clips whose frames carry their numbers, "
             "a removal, or a part, at random frames. Missing and extra frames are counted over all runs; kept is the "
             "share of pictures that decode to exactly the source's.", "",
             "| way | runs | frames | missing | extra | kept |", "|---|---:|---:|---:|---:|---:|"]
    for what, ones in table.items():
        total = {key: sum(one[key] for one in ones) for key in ("frames", "missing", "extra")}
        share = sum(one["kept"] for one in ones) / len(ones)
        lines.append(f"| {what} | {len(ones)} | {total['frames']} | {total['missing']} | {total['extra']} | {share:.1f} % |")
    print("\n".join(lines))
    for failure in failures:
        print(f"soak: {failure}")
    bench.write("doors", lines)
    return 1 if failures else 0
