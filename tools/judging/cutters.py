"""Runs the tools that cut: trim and its peers, each as its manual says."""

import json
import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass

from judging import clips

PEERS = ["copy", "mkvmerge", "smartcut"]


@dataclass
class Run:
    command: str
    status: int
    said: str
    cpu: float
    # trim's own report, from its JSON.
    report: dict = None


def smartcut():
    return os.environ.get("SMARTCUT") or shutil.which("smartcut")


def available():
    found = {"copy": True, "mkvmerge": bool(shutil.which("mkvmerge")), "smartcut": bool(smartcut())}
    return [name for name in PEERS if found[name]]


def decimal(time):
    """Formats a time, rounded down to the microsecond: rounded up, it would exclude the frame it names."""
    return f"{int(time * 1_000_000) / 1_000_000:.6f}"


def clock(time):
    seconds = float(decimal(time))
    return f"{int(seconds) // 3600:02}:{int(seconds) // 60 % 60:02}:{seconds % 60:09.6f}"


def displayed(time):
    """Formats a time to the nearest millisecond, as players display it."""
    return f"{round(time * 1000) / 1000:.3f}"


def joined(clip, parts, output):
    keep = [word for start, end in parts for word in ("--keep", f"{decimal(start)}..{decimal(end)}")]
    return [os.environ["TRIM"], "cut", str(clip.path), *keep, "--join", "--json", "-f", "-o", output]


def command(tool, clip, source, start, end, output, is_typed=False):
    last = source.shown_end - source.origin if end is None else end
    write = displayed if is_typed and tool == "trim" else decimal
    begin, stop = write(start), write(last)
    path = str(clip.path)
    if tool == "trim":
        to = [] if end is None else ["--to", stop]
        return [os.environ["TRIM"], "cut", path, "--from", begin, *to, "--json", "-f", "-o", output]
    if tool == "copy":
        to = [] if end is None else ["-to", stop]
        return [*clips.FFMPEG, "-ss", begin, *to, "-i", path, "-map", "0", "-c", "copy", output]
    if tool == "reencode":
        return [*clips.FFMPEG, "-ss", begin, "-to", stop, "-i", path, *video_options(clip),
                "-c:a", "copy", output]
    if tool == "mkvmerge":
        parts = f"parts:{clock(start)}-{clock(last)}"
        return ["mkvmerge", "-q", "-o", output, "--split", parts, path]
    return [smartcut(), path, output, "--keep", f"{begin},{stop}"]


def video_options(clip):
    """Returns the clip's own encoder settings, without the filters that set its timestamps."""
    options = clip.options
    while clip.base:
        clip = next(one for one in clips.all_clips() if one.name == clip.base)
        options = clip.options
    words = shlex.split(options)
    if "-c:v" not in words:
        return []
    kept, skip = [], False
    for word, following in zip(words, [*words[1:], ""]):
        if skip:
            skip = False
        elif word in ("-c:v", "-preset", "-crf", "-g", "-bf", "-q:v", "-b:v", "-deadline",
                      "-cpu-used", "-profile:v", "-pix_fmt", "-x264-params", "-x265-params",
                      "-lag-in-frames", "-flags"):
            kept += [word, following]
            skip = True
    return kept


def suffix(tool, clip):
    return "mkv" if tool == "mkvmerge" else clip.target


def run(tool, clip, source, start, end, output, is_typed=False):
    return execute(tool, command(tool, clip, source, start, end, output, is_typed), output)


def spoken(words, output):
    """Runs a command and saves its standard output."""
    done = subprocess.run([str(word) for word in words], capture_output=True, check=False)
    output.write_bytes(done.stdout)
    return Run(shlex.join(map(str, words)), done.returncode,
               done.stderr.decode(errors="replace").strip()[-400:], 0)


def execute(tool, words, output):
    words = [str(word) for word in words]
    for old in output.parent.glob(output.stem + "*"):
        old.unlink()
    log, report = output.with_suffix(".log"), output.with_suffix(".out")
    with open(log, "wb") as errors, open(report, "wb") as result, open(os.devnull, "rb") as nothing:
        process = subprocess.Popen(words, stdin=nothing, stdout=result, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    parts = output.with_name(output.stem + "-001" + output.suffix)
    if parts.exists():
        parts.rename(output)
    said = log.read_text(errors="replace").strip()
    told = json.loads(report.read_text() or "null") if tool == "trim" and not status else None
    log.unlink()
    report.unlink()
    return Run(shlex.join(words), process.returncode, said[-400:],
               usage.ru_utime + usage.ru_stime, told)
