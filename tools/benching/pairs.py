"""What is compared: for each name a pair of commands that answer the same question."""

import os
import shlex
import shutil

from .films import (BATCH, CACHE, av1_film, big_film, full_hd_film, looped_film, many_films,
                    small_film, stereo_sound)
from .sealed import SEALED

FFPROBE = ["ffprobe", "-v", "error"]


def header(trim):
    film = str(small_film())
    return ([trim, "probe", "--depth", "header", film],
            [*FFPROBE, "-show_format", "-show_streams", film])


def keyframes(trim):
    film = str(big_film())
    return ([trim, "probe", "--keyframes", "--json", film],
            [*FFPROBE, "-show_packets", "-of", "csv", film])


def packets(trim):
    film = str(big_film())
    return ([trim, "probe", "--depth", "packets", film],
            [*FFPROBE, "-show_packets", "-of", "csv", film])


def batch(trim):
    films = [str(film) for film in many_films()]
    probe = shlex.join([*FFPROBE, "-show_format", "-show_streams", "-of", "json"])
    loop = f'for film; do {probe} "$film"; done'
    return [trim, "probe", "--jsonl", *films], ["sh", "-c", loop, "sh", *films]


# What the pictures of the benchmarks are written to, over and over.
def drawn(name):
    return str(CACHE / name)


def exact_strip(trim):
    film, target = str(full_hd_film()), drawn("thumbnail.png")
    seek = shlex.join(["ffmpeg", "-nostdin", "-v", "error", "-y"])
    times = " ".join(str(30 + 60 * number) for number in range(10))
    loop = (f"for t in {times}; do {seek} -ss $t -i \"$1\" -frames:v 1 -vf scale=160:-2 \"$2\" "
            "|| exit; done")
    return ([trim, "strip", film, "--json", "--count", "10", "-f", "-o", drawn("strip.png")],
            ["sh", "-c", loop, "sh", film, target])


def fast_strip(trim):
    film, target = str(full_hd_film()), drawn("thumbnail.png")
    times = " ".join(f"{5 + 10 * number}%" for number in range(10))
    loop = (f"for t in {times}; do ffmpegthumbnailer -i \"$1\" -s 160 -t $t -o \"$2\" "
            "|| exit; done")
    return ([trim, "strip", film, "--json", "--fast", "--count", "10", "-f", "-o",
             drawn("strip.png")],
            ["sh", "-c", loop, "sh", film, target])


def waveform(trim):
    film, target = str(stereo_sound()), drawn("peer-wave.png")
    return ([trim, "wave", film, "--channels", "all", "-f", "-o", drawn("wave.png")],
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", film, "-filter_complex",
             "showwavespic=s=1200x240", "-frames:v", "1", target])


def smartcut():
    return os.environ.get("SMARTCUT") or shutil.which("smartcut")


def trim_cut(trim, film, start, end, *options):
    return [trim, "cut", str(film), "--from", str(start), "--to", str(end), *options, "-q", "-f",
            "-o", drawn("cut.mp4")]


def smart_cut(trim):
    """A head of 64 pictures up to a keyframe; behind the last one it copies, a tail of 248."""
    film = looped_film("long-groups", 24, "6000k", 6)
    return (trim_cut(trim, film, 106.2, 166.6),
            [smartcut(), str(film), drawn("peer-cut.mp4"), "--keep", "106.2,166.6"])


def av1_cut(trim):
    film = av1_film()
    return (trim_cut(trim, film, 7.1, 12.3),
            [smartcut(), str(film), drawn("peer-cut.mp4"), "--keep", "7.1,12.3"])


def copied(start, end, *options):
    """A cut without anything to encode, beside a copy of the same packets by ffmpeg."""
    def commands(trim):
        film = full_hd_film()
        return (trim_cut(trim, film, start, end, *options),
                ["ffmpeg", "-nostdin", "-v", "error", "-y", "-ss", str(start), "-to", str(end),
                 "-i", str(film), "-map", "0", "-c", "copy", drawn("peer-cut.mp4")])
    return commands


def damage_search(trim):
    """The same cut, from key to key, with and without a look for damage in what is copied."""
    film = full_hd_film()
    return (trim_cut(trim, film, 100, 160), trim_cut(trim, film, 100, 160, "--verify", "written"))


def long_cut(trim):
    long, short = (looped_film(name, times, "700k", 0)
                   for name, times in (("two-hours", 288), ("ten-minutes", 24)))
    return (trim_cut(trim, long, 306.2, 366.6), trim_cut(trim, short, 306.2, 366.6))


# Name: what is compared, the pair of commands, how many pairs.
BENCHMARKS = {
    "header": ("facts of a small MP4, from its header", header, 31),
    "keyframes": ("length and all keyframes of a 300 MB MP4", keyframes, 9),
    "packets": ("scan of all packets of a 300 MB MP4", packets, 21),
    "exact": ("ten exact pictures of ten minutes of 1080p / ten seeks of ffmpeg", exact_strip, 5),
    "fast": ("ten keyframes of the same / ffmpegthumbnailer, ten times", fast_strip, 7),
    "waveform": ("the waveform of ten minutes of stereo / showwavespic", waveform, 9),
    "batch": (f"{BATCH} files in one process / a loop over ffprobe", batch, 3),
    "smart-cut": ("60.4 s out of ten minutes of 1080p / smartcut", smart_cut, 3),
    "av1-cut": ("5.2 s of AV1 / smartcut", av1_cut, 1),
    "key-cut": ("60 s from key to key, unproven / ffmpeg -c copy",
                copied(100, 160, "--verify", "none"), 15),
    "proven-key-cut": ("60 s from key to key, proven / ffmpeg -c copy", copied(100, 160), 15),
    "damage-search": ("60 s from key to key, proven / the same without a look for damage",
                      damage_search, 21),
    "copy-cut": ("60.4 s with --mode copy, unproven / ffmpeg -c copy",
                 copied(100.2, 160.6, "--mode", "copy", "--verify", "none"), 15),
    "proven-copy-cut": ("60.4 s with --mode copy, proven / ffmpeg -c copy",
                        copied(100.2, 160.6, "--mode", "copy"), 15),
    "long-cut": ("60.4 s out of two hours / out of ten minutes", long_cut, 7),
    **SEALED,
}

# All that `--only pictures` measures.
PICTURES = ["exact", "fast", "waveform", "painting"]
# All that `--only cut` measures.
CUTS = ["smart-cut", "av1-cut", "key-cut", "proven-key-cut", "damage-search", "copy-cut",
        "proven-copy-cut", "long-cut"]
# What has smartcut as its peer, which is no Debian package.
NEED_SMARTCUT = ["smart-cut", "av1-cut"]
