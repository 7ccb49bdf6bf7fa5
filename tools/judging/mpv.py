"""Plays files in mpv, which demuxes, times and seeks by its own rules, but uses FFmpeg's decoders."""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from judging import marks

QUIET = ["mpv", "--no-config", "--no-audio", "--hr-seek=yes", "--untimed", "--msg-level=all=error",
         "--no-input-terminal", "--vo=image", "--vo-image-format=jpg"]


class Mpv:
    name = "mpv"

    def __init__(self):
        said = subprocess.run(["mpv", "--version"], stdout=subprocess.PIPE, check=False).stdout
        self.version = said.decode().split()[1]

    def look(self, path, seeks, plays=30_000):
        shown, length = self.show(path)
        if not shown:
            return {"fault": "no frames shown"}
        result = {"duration": length, "first": shown[0], "seeks": []}
        places = [[f"--start={float(time):.6f}", "--frames=1"] for time in seeks]
        # One process for all seeks; if one of them shows nothing, which is unknown, each is run by itself.
        found, _ = self.show(path, *places) if seeks else ([], None)
        if len(found) != len(seeks):
            found = [(self.show(path, place)[0] or ["nothing"])[0] for place in places]
        result["seeks"] = [[float(time), one] for time, one in zip(seeks, found)]
        result["play"] = {"shown": [[None, number] for number in shown], "outcome": "ended"}
        return result

    def show(self, path, *visits):
        """Returns the frames shown by each visit in turn, each with its own options, and the duration."""
        files = [word for options in visits or [[]] for word in ("--{", *options, str(path), "--}")]
        with tempfile.TemporaryDirectory(prefix="trim-judge-") as folder:
            said = subprocess.run(
                [*QUIET, f"--vo-image-outdir={folder}",
                 "--term-playing-msg=length ${=duration}", "--msg-level=cplayer=info", *files],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                timeout=120, check=False).stdout
            length = re.search(rb"length ([\d.]+)", said)
            pictures = sorted(Path(folder).glob("*.jpg"))
            if not pictures:
                return [], None
            command = ["ffmpeg", "-nostdin", "-v", "error", "-i", f"{folder}/%08d.jpg", "-f",
                       "rawvideo", "-pix_fmt", "gray", "-vf", f"scale={marks.WIDTH}:{marks.HEIGHT}",
                       "-fps_mode", "passthrough", "-"]
            gray = np.frombuffer(
                subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout, np.uint8)
        size = marks.WIDTH * marks.HEIGHT
        shown = gray[:len(gray) // size * size].reshape(-1, marks.HEIGHT, marks.WIDTH)
        return marks.numbers(shown).tolist(), float(length[1]) if length else None

    def close(self):
        pass


def installed():
    return [Mpv] if shutil.which("mpv") else []
