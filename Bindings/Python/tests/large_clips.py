"""Files of more than 8 MB, of which the engine does not read everything, made from small ones."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

_MORE = 20_000_000


def _box(kind: bytes, length: int = _MORE) -> bytes:
    """A box whose content no track uses."""
    return (8 + length).to_bytes(4, "big") + kind + bytes(length)


def index_first(samples: Path) -> bytes:
    data = (samples / "b-frames.mp4").read_bytes()
    assert data.find(b"moov") < data.find(b"mdat")
    return data + _box(b"mdat")


def index_last(samples: Path) -> bytes:
    data = (samples / "ntsc.mp4").read_bytes()
    movie = data.find(b"moov") - 4
    assert data.find(b"mdat") < movie
    return data[:movie] + _box(b"mdat") + data[movie:]


def fragmented(samples: Path) -> bytes:
    return (samples / "fragmented.mp4").read_bytes() + _box(b"free")


def matroska(folder: Path) -> bytes:
    if shutil.which("ffmpeg") is None:
        pytest.skip("ffmpeg is not installed")
    target = folder / "made.mkv"
    noise = "testsrc2=s=480x360:r=25,noise=alls=100:allf=t"
    made = ["-f", "lavfi", "-i", noise, "-t", "3", "-c:v", "mpeg2video", "-g", "12", "-q:v", "1"]
    command = ["ffmpeg", "-nostdin", "-v", "error", *made, str(target)]
    subprocess.run(command, check=True, timeout=60)
    return target.read_bytes()
