"""Defines what is compared: for each name, a pair of commands that answer the same question."""

import os
import shlex
import shutil

from .clips import (BATCH, CACHE, av1_clip, big_clip, full_hd_clip, looped_clip, many_clips,
                    small_clip, stereo_sound)
from .doors import BENCHMARKS as DOORS
from .sealed import SEALED

FFPROBE = ["ffprobe", "-v", "error"]


def header(trim):
    clip = str(small_clip())
    return ([trim, "probe", "--depth", "header", clip],
            [*FFPROBE, "-show_format", "-show_streams", clip])


def keyframes(trim):
    clip = str(big_clip())
    return ([trim, "probe", "--keyframes", "--json", clip],
            [*FFPROBE, "-show_packets", "-of", "csv", clip])


def packets(trim):
    clip = str(big_clip())
    return ([trim, "probe", "--depth", "packets", clip],
            [*FFPROBE, "-show_packets", "-of", "csv", clip])


def batch(trim):
    clips = [str(clip) for clip in many_clips()]
    probe = shlex.join([*FFPROBE, "-show_format", "-show_streams", "-of", "json"])
    loop = f'for clip; do {probe} "$clip"; done'
    return [trim, "probe", "--jsonl", *clips], ["sh", "-c", loop, "sh", *clips]


# Where the benchmarks write their output, overwriting it each time.
def drawn(name):
    return str(CACHE / name)


def exact_strip(trim):
    clip, target = str(full_hd_clip()), drawn("thumbnail.png")
    seek = shlex.join(["ffmpeg", "-nostdin", "-v", "error", "-y"])
    times = " ".join(str(30 + 60 * number) for number in range(10))
    loop = (f"for t in {times}; do {seek} -ss $t -i \"$1\" -frames:v 1 -vf scale=160:-2 \"$2\" "
            "|| exit; done")
    return ([trim, "strip", clip, "--json", "--count", "10", "-f", "-o", drawn("strip.png")],
            ["sh", "-c", loop, "sh", clip, target])


def fast_strip(trim):
    clip, target = str(full_hd_clip()), drawn("thumbnail.png")
    times = " ".join(f"{5 + 10 * number}%" for number in range(10))
    loop = (f"for t in {times}; do ffmpegthumbnailer -i \"$1\" -s 160 -t $t -o \"$2\" "
            "|| exit; done")
    return ([trim, "strip", clip, "--json", "--fast", "--count", "10", "-f", "-o",
             drawn("strip.png")],
            ["sh", "-c", loop, "sh", clip, target])


def waveform(trim):
    clip, target = str(stereo_sound()), drawn("peer-wave.png")
    return ([trim, "wave", clip, "--channels", "all", "-f", "-o", drawn("wave.png")],
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", clip, "-filter_complex",
             "showwavespic=s=1200x240", "-frames:v", "1", target])


def smartcut():
    return os.environ.get("SMARTCUT") or shutil.which("smartcut")


def scenedetect():
    return os.environ.get("SCENEDETECT") or shutil.which("scenedetect")


def silences(trim):
    clip = str(full_hd_clip())
    return ([trim, "find", clip, "--silence", "--json"],
            ["ffmpeg", "-nostdin", "-v", "error", "-i", clip, "-vn", "-af",
             "silencedetect=n=-40dB:d=0.5", "-f", "null", "-"])


def scenes(trim):
    """Both decode with two threads."""
    clip = str(full_hd_clip())
    return ([trim, "find", clip, "--scenes", "--json"],
            ["ffmpeg", "-nostdin", "-v", "error", "-threads", "2", "-i", clip, "-an", "-vf", "scdet",
             "-f", "null", "-"])


def content(trim):
    """PySceneDetect's fastest detector of hard cuts, with its automatic downscaling."""
    clip = str(full_hd_clip())
    return ([trim, "find", clip, "--scenes", "--json"],
            [scenedetect(), "-q", "-i", clip, "detect-content", "list-scenes", "-n"])


def trim_cut(trim, clip, start, end, *options):
    return [trim, "cut", str(clip), "--from", str(start), "--to", str(end), *options, "-q", "-f",
            "-o", drawn("cut.mp4")]


def smart_cut(trim):
    """Cuts with 64 re-encoded frames before the first keyframe, and 248 after the last copied GOP."""
    clip = looped_clip("long-groups", 24, "6000k", 6)
    return (trim_cut(trim, clip, 106.2, 166.6),
            [smartcut(), str(clip), drawn("peer-cut.mp4"), "--keep", "106.2,166.6"])


def av1_cut(trim):
    clip = av1_clip()
    return (trim_cut(trim, clip, 7.1, 12.3),
            [smartcut(), str(clip), drawn("peer-cut.mp4"), "--keep", "7.1,12.3"])


def copied(start, end, *options):
    """Pairs a cut that encodes nothing with a copy of the same packets by ffmpeg."""
    def commands(trim):
        clip = full_hd_clip()
        return (trim_cut(trim, clip, start, end, *options),
                ["ffmpeg", "-nostdin", "-v", "error", "-y", "-ss", str(start), "-to", str(end),
                 "-i", str(clip), "-map", "0", "-c", "copy", drawn("peer-cut.mp4")])
    return commands


def damage_search(trim):
    """Cuts from keyframe to keyframe, with and without looking for damage in what is copied."""
    clip = full_hd_clip()
    return (trim_cut(trim, clip, 100, 160), trim_cut(trim, clip, 100, 160, "--verify", "written"))


def long_cut(trim):
    long, short = (looped_clip(name, times, "700k", 0)
                   for name, times in (("two-hours", 288), ("ten-minutes", 24)))
    return (trim_cut(trim, long, 306.2, 366.6), trim_cut(trim, short, 306.2, 366.6))


# Name: (what is compared, what returns the two commands, number of pairs).
BENCHMARKS = {
    "header": ("facts of a small MP4, from its header", header, 31),
    "keyframes": ("length and all keyframes of a 300 MB MP4", keyframes, 9),
    "packets": ("scan of all packets of a 300 MB MP4", packets, 21),
    "exact": ("ten exact frames of ten minutes of 1080p / ten seeks with ffmpeg", exact_strip, 5),
    "fast": ("ten keyframes of the same / ffmpegthumbnailer, ten times", fast_strip, 7),
    "waveform": ("the waveform of ten minutes of stereo / showwavespic", waveform, 9),
    "batch": (f"{BATCH} files in one process / a loop over ffprobe", batch, 3),
    "smart-cut": ("60.4 s out of ten minutes of 1080p / smartcut", smart_cut, 3),
    "av1-cut": ("5.2 s of AV1 / smartcut", av1_cut, 1),
    "key-cut": ("60 s, keyframe to keyframe, unverified / ffmpeg -c copy",
                copied(100, 160, "--verify", "none"), 15),
    "proven-key-cut": ("60 s, keyframe to keyframe, verified / ffmpeg -c copy", copied(100, 160), 15),
    "damage-search": ("60 s, keyframe to keyframe, verified / the same without the search for damage",
                      damage_search, 21),
    "copy-cut": ("60.4 s with --mode copy, unverified / ffmpeg -c copy",
                 copied(100.2, 160.6, "--mode", "copy", "--verify", "none"), 15),
    "proven-copy-cut": ("60.4 s with --mode copy, verified / ffmpeg -c copy",
                        copied(100.2, 160.6, "--mode", "copy"), 15),
    "long-cut": ("60.4 s out of two hours / out of ten minutes", long_cut, 7),
    "find-silence": ("silence in ten minutes / silencedetect", silences, 7),
    "find-scenes": ("scenes in ten minutes of 1080p / scdet", scenes, 3),
    "find-content": ("the same / PySceneDetect", content, 3),
    **DOORS,
    **SEALED,
}

# What `--only pictures` measures.
PICTURES = ["exact", "fast", "waveform", "painting"]
# What `--only cut` measures.
CUTS = ["smart-cut", "av1-cut", "key-cut", "proven-key-cut", "damage-search", "copy-cut",
        "proven-copy-cut", "long-cut"]
# Benchmarks with smartcut as the peer, for which there is no Debian package.
NEED_SMARTCUT = ["smart-cut", "av1-cut"]
# What `--only find` measures; the last with PySceneDetect as the peer, which is on PyPI.
FINDS = ["find-silence", "find-scenes", "find-content"]
NEED_SCENEDETECT = ["find-content"]
