"""What the seal costs: the same command with FFmpeg in a sealed process and in its own."""

import json
import shutil

from .films import CACHE, ffmpeg, looped_film, many_films, small_film


def both(trim, *words):
    return [trim, *words], [trim, "--isolation", "off", *words]


def matroska_film():
    """The small film in a container that only FFmpeg reads."""
    film = CACHE / "small.mkv"
    if not film.exists():
        ffmpeg("-i", small_film(), "-c", "copy", output=film)
    return film


def header(trim):
    return both(trim, "probe", str(small_film()))


def one_file(trim):
    return both(trim, "probe", str(matroska_film()))


def many_files(trim):
    return both(trim, "probe", "--jsonl", *map(str, many_films()))


def many_others(trim):
    """The same number in a container that only FFmpeg reads."""
    folder = CACHE / "many-matroska"
    folder.mkdir(exist_ok=True)
    films = [folder / f"{film.stem}.mkv" for film in many_films()]
    for film in films:
        if not film.exists():
            film.hardlink_to(matroska_film())
    return both(trim, "probe", "--jsonl", *map(str, films))


def tasks(trim):
    """Every kind of film, and each in a process that lasts."""
    part = CACHE / "part-tasks.jsonl"
    part.write_text("".join(
        json.dumps({"op": "probe", "path": str(film), "depth": "packets"}) + "\n"
        for film in [*many_films(), matroska_film()]))
    tasks = CACHE / "tasks.jsonl"
    shutil.move(part, tasks)
    return both(trim, "batch", str(tasks))


def cut(trim):
    film = looped_film("long-groups", 24, "6000k", 6)
    return both(trim, "cut", str(film), "--from", "106.2", "--to", "166.6", "-q", "-f", "-o",
                str(CACHE / "cut.mp4"))


# As in pairs: what is compared, the pair of commands, how many pairs.
SEALED = {
    "sealed-header": ("facts of a small MP4 / without a seal", header, 31),
    "sealed-probe": ("facts of a Matroska file / without a seal", one_file, 31),
    "sealed-files": ("200 MP4 files in one command / without a seal", many_files, 11),
    "sealed-others": ("200 Matroska files in one command / without a seal", many_others, 11),
    "sealed-batch": ("201 tasks of a batch, all packets / without a seal", tasks, 11),
    "sealed-cut": ("60.4 s out of ten minutes of 1080p / without a seal", cut, 7),
}
