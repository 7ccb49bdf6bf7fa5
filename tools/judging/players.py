"""Checks that GStreamer's demuxers, with decoders that are not FFmpeg's, show the same frames."""

import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from judging import marks

DEMUXERS = {"mp4": "qtdemux", "mov": "qtdemux", "mkv": "matroskademux", "webm": "matroskademux",
            "3gp": "qtdemux", "flv": "flvdemux", "ts": "tsdemux", "avi": "avidemux",
            "mpg": "mpegpsdemux", "vob": "mpegpsdemux"}
DECODERS = {"h264": "h264parse ! openh264dec", "hevc": "h265parse ! libde265dec", "vp8": "vp8dec",
            "vp9": "vp9dec", "av1": "av1parse ! av1dec", "mjpeg": "jpegdec",
            "mpeg1video": "mpegvideoparse ! mpeg2dec",
            "mpeg2video": "mpegvideoparse ! mpeg2dec"}


@cache
def has(decoder):
    if not shutil.which("gst-inspect-1.0"):
        return False
    name = decoder.split(" ! ")[-1]
    return subprocess.run(["gst-inspect-1.0", "--exists", name], check=False).returncode == 0


def numbers(path, codec):
    """Returns the numbers of the frames shown; None if no such decoder is installed, or if it fails."""
    decoder, demuxer = DECODERS.get(codec, ""), DEMUXERS.get(path.suffix[1:])
    if not demuxer or not decoder or not has(decoder):
        return None
    with tempfile.TemporaryDirectory(prefix="trim-judge-") as folder:
        target = Path(folder) / "gray"
        line = (f"filesrc location={path} ! {demuxer} ! queue ! {decoder} ! videoconvert ! "
                f"video/x-raw,format=GRAY8 ! filesink location={target}")
        try:
            result = subprocess.run(["gst-launch-1.0", "-q", *line.split()], timeout=60,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        except subprocess.TimeoutExpired:
            return None
        gray = np.fromfile(target, np.uint8) if target.exists() else np.zeros(0, np.uint8)
        size = marks.WIDTH * marks.HEIGHT
        if result.returncode or len(gray) < size:
            return None
        shown = gray[:len(gray) // size * size].reshape(-1, marks.HEIGHT, marks.WIDTH)
        return marks.numbers(shown).tolist()


def agree(path, source, wanted):
    """Returns whether all requested frames are shown; None if the player cannot show the source.

    A decoder may lose the last frames of a stream, as many as with the source. Cuts of fewer than
    three frames are not judged: of a stream with a single frame, OpenH264 shows nothing.
    """
    if len(wanted) < 3:
        return None
    codec = next((s["codec_name"] for s in source.streams if s["codec_type"] == "video"), "")
    whole = of_source(source.path, codec)
    lacking = len(source.numbers) - len(whole or [])
    if not whole or lacking > 2 or whole != source.numbers[:len(whole)] or lacking >= len(wanted):
        return None
    return numbers(path, codec) == wanted[:len(wanted) - lacking]


@cache
def of_source(path, codec):
    return numbers(path, codec)
