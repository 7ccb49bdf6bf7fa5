"""The source files of a matrix."""

import os

from soaking.bench import ROOT

KINDS = {".mp4", ".mov", ".m4a", ".m4v", ".f4v", ".3gp", ".mkv", ".webm", ".ts", ".mts", ".m2ts", ".avi",
         ".mp3", ".aac", ".adts", ".flac", ".ogg", ".opus", ".wav", ".flv", ".mxf", ".mpg", ".ps"}
# The extension of the cut, for sources whose cut has another extension.
OWN = {".m4v": ".mp4", ".f4v": ".mp4", ".3gp": ".mp4", ".adts": ".mkv",
       ".aac": ".mkv", ".mxf": ".mkv"}


def all_clips(largest=2_000_000, kinds=frozenset(KINDS)):
    """Returns names and paths, in the same order on every machine."""
    found = {}
    folders = {"samples": ROOT / "samples"}
    for name in ("TRIM_CORPUS", "TRIM_JUDGED", "TRIM_CASES"):
        if os.environ.get(name):
            folders[name.removeprefix("TRIM_").lower()] = ROOT / os.environ[name]
    for label, folder in folders.items():
        for path in folder.rglob("*"):
            if path.suffix.lower() in kinds and path.is_file():
                if 64 < path.stat().st_size <= largest:
                    found[f"{label}/{path.relative_to(folder)}"] = path
    return [(name, found[name]) for name in sorted(found)]
