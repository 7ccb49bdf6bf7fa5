"""Measures what the sandbox costs: the same command with FFmpeg in a sealed process and in its own."""

import json
import shutil

from .clips import CACHE, ffmpeg, looped_clip, many_clips, small_clip


def both(trim, *words):
    return [trim, *words], [trim, "--isolation", "off", *words]


def matroska_clip():
    """Makes the small file in a container that only FFmpeg reads."""
    clip = CACHE / "small.mkv"
    if not clip.exists():
        ffmpeg("-i", small_clip(), "-c", "copy", output=clip)
    return clip


def header(trim):
    return both(trim, "probe", str(small_clip()))


def one_file(trim):
    return both(trim, "probe", str(matroska_clip()))


def many_files(trim):
    return both(trim, "probe", "--jsonl", *map(str, many_clips()))


def many_others(trim):
    """Probes the same number of files in a container that only FFmpeg reads."""
    folder = CACHE / "many-matroska"
    folder.mkdir(exist_ok=True)
    clips = [folder / f"{clip.stem}.mkv" for clip in many_clips()]
    for clip in clips:
        if not clip.exists():
            clip.hardlink_to(matroska_clip())
    return both(trim, "probe", "--jsonl", *map(str, clips))


def tasks(trim):
    """Probes files of both containers in a batch, whose processes stay alive."""
    part = CACHE / "part-tasks.jsonl"
    part.write_text("".join(
        json.dumps({"op": "probe", "path": str(clip), "depth": "packets"}) + "\n"
        for clip in [*many_clips(), matroska_clip()]))
    tasks = CACHE / "tasks.jsonl"
    shutil.move(part, tasks)
    return both(trim, "batch", str(tasks))


def cut(trim):
    clip = looped_clip("long-groups", 24, "6000k", 6)
    return both(trim, "cut", str(clip), "--from", "106.2", "--to", "166.6", "-q", "-f", "-o",
                str(CACHE / "cut.mp4"))


# As in pairs: (what is compared, what returns the two commands, number of pairs).
SEALED = {
    "sealed-header": ("facts of a small MP4, sealed / unsealed", header, 31),
    "sealed-probe": ("facts of a Matroska file, sealed / unsealed", one_file, 31),
    "sealed-files": ("200 MP4 files in one command, sealed / unsealed", many_files, 11),
    "sealed-others": ("200 Matroska files in one command, sealed / unsealed", many_others, 11),
    "sealed-batch": ("201 tasks of a batch, all packets, sealed / unsealed", tasks, 11),
    "sealed-cut": ("60.4 s out of ten minutes of 1080p, sealed / unsealed", cut, 7),
}
