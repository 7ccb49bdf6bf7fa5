"""Runs every command on a small file of every container, extended to 4 GiB by a hole, and measures the peak
memory of its processes."""

import collections
import fcntl
import os
import pty
import re
import select
import subprocess
import termios
import time
from pathlib import Path

from soaking.bench import Rows, run as run_to_end

ABOUT = "runs every command on files extended to 4 GiB by a hole: the peak memory of any process"
END = 4 << 30
MOST_BYTES = 100 << 20
MOST_SECONDS = 180

VIDEO = ["-f", "lavfi", "-i", "testsrc=s=320x240:r=25:d=3"]
SOUND = ["-f", "lavfi", "-i", "sine=d=3:r=48000"]
H264 = [*VIDEO, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "25"]
BOTH = [*VIDEO, *SOUND, "-g", "25", "-pix_fmt", "yuv420p"]
WITH_H264 = [*BOTH, "-c:v", "libx264", "-c:a", "aac"]
CLIPS = {
    "mp4": WITH_H264, "mov": WITH_H264, "mkv": WITH_H264, "ts": WITH_H264, "flv": WITH_H264,
    "fragmented.mp4": [*WITH_H264, "-movflags", "frag_keyframe+empty_moov"],
    "webm": [*BOTH, "-c:v", "libvpx-vp9", "-cpu-used", "8", "-c:a", "libopus"],
    "mpg": [*BOTH, "-c:v", "mpeg2video", "-c:a", "mp2"],
    "avi": [*BOTH, "-c:v", "mpeg4", "-c:a", "mp3"],
    "mxf": [*BOTH, "-c:v", "mpeg2video", "-c:a", "pcm_s16le"],
    "wmv": [*BOTH, "-c:v", "wmv2", "-c:a", "wmav2"],
    "dv": ["-f", "lavfi", "-i", "testsrc=s=720x576:r=25:d=3", *SOUND, "-c:v", "dvvideo",
           "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le", "-ac", "2"],
    "gif": VIDEO,
    "ivf": [*VIDEO, "-c:v", "libvpx", "-g", "25"],
    "obu": [*VIDEO, "-c:v", "libsvtav1", "-preset", "12", "-g", "25", "-pix_fmt", "yuv420p"],
    "h264": H264,
    "hevc": [*VIDEO, "-c:v", "libx265", "-pix_fmt", "yuv420p", "-x265-params",
             "log-level=error:keyint=25"],
    "m2v": [*VIDEO, "-c:v", "mpeg2video"],
    "m4v": [*VIDEO, "-c:v", "mpeg4", "-f", "m4v"],
    "mp3": SOUND, "aac": SOUND, "ac3": SOUND, "eac3": SOUND, "flac": SOUND, "wav": SOUND,
    "w64": SOUND, "aiff": SOUND, "caf": SOUND, "au": SOUND, "wv": SOUND, "tta": SOUND,
    "ogg": [*SOUND, "-c:a", "libvorbis"],
    "opus": [*SOUND, "-c:a", "libopus"],
    "thd": [*SOUND, "-c:a", "truehd", "-strict", "-2", "-f", "truehd"],
    "mlp": [*SOUND, "-c:a", "mlp", "-strict", "-2"],
    "dts": [*SOUND, "-c:a", "dca", "-strict", "-2", "-ac", "2"],
}
SILENT = {"gif", "ivf", "obu", "h264", "hevc", "m2v", "m4v"}
SOUNDS = set(CLIPS) - SILENT - {
    "mp4", "mov", "mkv", "ts", "flv", "fragmented.mp4", "webm", "mpg", "avi", "mxf", "wmv", "dv"}
PART = ["--from", "0.5", "--to", "2.5"]
COMMANDS = {
    "probe": ["probe", "--json"],
    "packets": ["probe", "--json", "--depth", "packets"],
    "frames": ["probe", "--json", "--depth", "frames"],
    "check": ["check"],
    "cut": ["cut", *PART, "-o", "made{own}"],
    "reencode": ["cut", *PART, "--mode", "reencode", "-o", "made.mkv"],
    "strip": ["strip", "-o", "made.png"],
    "wave": ["wave", "-o", "made.png"],
    "timeline": ["timeline", "-o", "made.svg"],
    "play": ["play", *PART, "--loops", "1"],
    "edit": ["edit", *PART, "-o", "made{own}"],
}
# Containers that cuts are written to; cuts of other files are written to Matroska.
WRITTEN = {"mp4", "mov", "mkv", "ts", "webm", "avi", "flv", "mpg", "mp3", "aac", "flac", "ogg", "opus", "wav"}
# Text to wait for, and the key to press then; GIF is not cut, as there is no encoder for its edges.
EDITING = [[(b"OK: under", b"\r"), (b"Done: wrote", b"q")],
           [(b"OK: under", b"\r"), (b"Not cut", b"q")]]
COUNT = len(CLIPS) * len(COMMANDS)


def commands_of(kind):
    for command in COMMANDS:
        if command in ("strip", "edit") and kind in SOUNDS:
            continue
        if command == "wave" and kind in SILENT:
            continue
        yield command


def made(folder):
    """Makes a file of each kind, extended by a hole; yields its kind and path."""
    for kind, options in CLIPS.items():
        path = folder / f"clip.{kind}"
        result = run_to_end(["ffmpeg", "-nostdin", "-v", "error", *options, path], MOST_SECONDS)
        if result.status:
            raise SystemExit(f"soak: cannot make {kind}: {result.err}")
        os.truncate(path, END)
        yield kind, path


class Peaks:
    """The peak memory of a process and of its children while it runs."""

    def __init__(self, process):
        self.process, self.own, self.others = process, 0, 0

    def look(self):
        self.own = max(self.own, self.high_water(self.process.pid))
        for child in self.children(self.process.pid):
            self.others = max(self.others, self.high_water(child))

    @staticmethod
    def children(pid):
        found = []
        try:
            for task in os.listdir(f"/proc/{pid}/task"):
                found += Path(f"/proc/{pid}/task/{task}/children").read_text().split()
        except OSError:
            pass
        return map(int, found)

    @staticmethod
    def high_water(pid):
        try:
            status = Path(f"/proc/{pid}/status").read_text()
        except OSError:
            return 0
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        return int(found[1]) << 10 if found else 0

    def ended(self, usage):
        """Adds the system's figure for the largest of them, once all have been waited for."""
        largest = usage.ru_maxrss << 10
        if largest > max(self.own, self.others):
            self.others = largest


def watched(command, folder, keys):
    """Runs a command on its own terminal; presses each key once the text before it appears."""
    controller, terminal = pty.openpty()
    fcntl.ioctl(controller, termios.TIOCSWINSZ, b"\x1e\x00\x64\x00\x00\x00\x00\x00")
    process = subprocess.Popen(
        [str(word) for word in command], stdin=terminal, stdout=terminal, stderr=terminal,
        start_new_session=True, cwd=folder,
        env={**os.environ, "TERM": "xterm-256color", "TRIM_NO_TUTORIAL": "1", "LANG": "C.UTF-8"})
    os.close(terminal)
    peaks, text, seen, keys = Peaks(process), b"", b"", list(keys)
    end, late = time.monotonic() + MOST_SECONDS, False
    while True:
        peaks.look()
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() > end:
            late = True
            process.kill()
        if not select.select([controller], [], [], 0.005)[0]:
            continue
        try:
            new = os.read(controller, 65536)
        except OSError:
            time.sleep(0.005)
            continue
        text, seen = (text + new)[-4000:], seen + new
        if keys and keys[0][0] in seen:
            os.write(controller, keys.pop(0)[1])
            seen = b""
    os.close(controller)
    process.returncode = os.waitstatus_to_exitcode(status)
    peaks.ended(usage)
    return process.returncode, late, peaks, text.decode(errors="replace"), keys


def run(bench):
    clips = dict(made(bench.folder))
    cells = [(kind, command) for kind in clips for command in commands_of(kind)]
    bench.count = len(cells)

    def work(number, folder):
        kind, command = cells[number]
        own = f".{kind.split('.')[-1]}" if kind.split(".")[-1] in WRITTEN else ".mkv"
        words = [word.format(own=own) for word in COMMANDS[command]]
        keys = EDITING[kind == "gif"] if command == "edit" else []
        start = time.monotonic()
        status, late, peaks, text, left = watched(
            [bench.trim, words[0], clips[kind], *words[1:], "--timeout", "120"], folder, keys)
        findings = []
        most = max(peaks.own, peaks.others)
        if most > MOST_BYTES:
            findings.append(f"{most >> 20} MiB")
        if late:
            findings.append("timed out")
        elif status < 0 or status in (70, 74, 75):
            findings.append(f"status {status}")
        elif left and status == 0:
            findings.append(f"{left[0][0].decode()} did not appear")
        return {"kind": kind, "command": command, "status": status, "own": peaks.own,
                "sealed": peaks.others, "seconds": round(time.monotonic() - start, 1),
                "text": text[-300:], "findings": findings}

    rows, found, wrong = Rows("sparse"), collections.defaultdict(dict), 0
    for row in bench.cells(work):
        rows.add(row)
        found[row["kind"]][row["command"]] = row
        wrong += bool(row["findings"])
        if row["findings"] or bench.only is not None:
            print(f"cell {row['cell']}, {row['kind']} {row['command']}: {row['findings']}"
                  f" {row['text']!r}", flush=True)
    lines = [
        "# Files extended to 4 GiB by a hole", "",
        f"`tools/soak sparse`: {bench.count} runs on {len(clips)} kinds of small files, each extended to"
        " 4 GiB by a hole, which takes no space on the disk. The peak memory in MiB (`VmHWM`, `ru_maxrss`)"
        " of each command: the larger of its main process and its sealed processes; the limit is"
        f" {MOST_BYTES >> 20}. The exit status is in parentheses if it is not 0: 65 means that the tail is"
        " damage, or that the command does not support the file. `play` and `edit` run on a terminal:"
        " `play` plays the part once, `edit` cuts it when a key is pressed.", "",
        "| file | " + " | ".join(COMMANDS) + " |", "|---|" + "---:|" * len(COMMANDS)]
    for kind, row in found.items():
        figures = []
        for command in COMMANDS:
            if cell := row.get(command):
                figure = str(-(-max(cell["own"], cell["sealed"]) >> 20))
                figures.append(figure + (f" ({cell['status']})" if cell["status"] else ""))
            else:
                figures.append("")
        lines.append(f"| {kind} | " + " | ".join(figures) + " |")
    cells_seen = [cell for row in found.values() for cell in row.values()]
    lines += ["", f"The largest: {max(c['own'] for c in cells_seen) >> 20} MiB in a main process,"
              f" {max(c['sealed'] for c in cells_seen) >> 20} MiB in a sealed process; {wrong} runs"
              " failed."]
    print("\n".join(lines))
    bench.write("sparse", lines)
    return 1 if wrong else 0
