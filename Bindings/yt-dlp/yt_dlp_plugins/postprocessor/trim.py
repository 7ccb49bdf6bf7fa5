"""Cuts what yt-dlp removes with trim: at the exact frame, re-encoding almost nothing."""

from __future__ import annotations

import copy
import json
import math
import os
import shutil
import subprocess
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

from yt_dlp.postprocessor.common import PostProcessor
from yt_dlp.postprocessor.modify_chapters import ModifyChaptersPP
from yt_dlp.utils import PostProcessingError, prepend_extension

Range = tuple[Fraction, Fraction]

# Stands for the end of an open range: later than any file ends, and within the times of trim.
_ENDLESS = Fraction(1 << 31)


class TrimPP(PostProcessor):
    """What `--sponsorblock-remove` and `--remove-chapters` name is removed by trim, in place of
    ffmpeg with or without `--force-keyframes-at-cuts`:

        yt-dlp --sponsorblock-remove sponsor --use-postprocessor Trim URL

    Options, after `Trim:` and separated by semicolons:

    - keep: what else is kept of the file, such as `keep=10..20,1:00+30`, joined in this order
    - mode: `smart` (the default), `copy` or `reencode`, as in `trim cut`
    - trim: the program, if it is not on the PATH
    """

    def __init__(
        self,
        downloader: Any = None,
        keep: str = "",
        mode: str = "smart",
        trim: str = "",
        **options: Any,
    ) -> None:
        super().__init__(downloader)
        if options:
            raise PostProcessingError(f"Trim has no option {next(iter(options))!r}")
        self._keep = [part for part in keep.split(",") if part]
        self._mode = mode
        self._program = trim or os.environ.get("TRIM_ENGINE") or "trim"
        self._theirs: ModifyChaptersPP | None = None

    @PostProcessor._restrict_to(images=False)
    def run(self, info: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        chapters, sponsors = self._marked(info)
        removed = [_range(one) for one in chapters + sponsors if one.get("remove")]
        if not removed and not self._keep:
            return [], info
        path = info["filepath"]
        if not info.get("__real_download") and self._is_cut(info, removed):
            self.to_screen(f'"{path}" is already cut')
            return self._adapted(info, removed, chapters, sponsors), info
        output = prepend_extension(path, "trimmed")
        try:
            return self._written(info, output, removed, chapters, sponsors), info
        finally:
            Path(output).unlink(missing_ok=True)

    def _written(
        self,
        info: dict[str, Any],
        output: str,
        removed: list[Range],
        chapters: list[Any],
        sponsors: list[Any],
    ) -> list[str]:
        """Cuts the file and its subtitles, and returns the names that the uncut ones have then."""
        path = info["filepath"]
        with tempfile.TemporaryDirectory() as folder:
            cut = self._cut(path, output, removed, Path(folder, "list.json"))
            length = Fraction(cut["written"]["length"]["value"])
            if not info.get("__real_download") and _is_near(self._length(path), length, 2):
                raise self._undecided(path)
            plan = Path(folder, "plan.json")
            plan.write_text(json.dumps(cut))
            texts = self._subtitles(info, plan, Path(folder))
            # Files are replaced only after all of them were written.
            uncut = [self._replace(path, output)]
            uncut += [self._replace(text, str(new)) for text, new in texts]
        parts = [_part(part) for part in cut["parts"]]
        info["chapters"] = _moved(chapters, parts) or None
        info["sponsorblock_chapters"] = _moved(sponsors, parts)
        info["duration"] = float(length)
        self.to_screen(cut["summary"])
        return uncut

    def _is_cut(self, info: dict[str, Any], removed: list[Range]) -> bool:
        """Whether a file that was not downloaded now was cut when it was.

        Its length tells, as for yt-dlp's own post-processor; what it does not tell is an error,
        since a second cut would remove other pictures.
        """
        path = info["filepath"]
        real, whole = self._length(path), info.get("duration")
        if not real or not whole:
            raise self._undecided(path)
        # Sites state whole seconds.
        if _is_near(real, whole, 1):
            return False
        parts = _kept(removed, Fraction(repr(whole)))
        left = sum(end - start for start, end, _ in parts)
        if self._keep or not _is_near(real, left, 2):
            raise self._undecided(path)
        return True

    def _adapted(
        self, info: dict[str, Any], removed: list[Range], chapters: list[Any], sponsors: list[Any]
    ) -> list[str]:
        """Moves the chapters and subtitles of a file that is already cut, to the frame.

        Returns the names that the subtitles have then that yt-dlp downloaded.
        """
        parts = _kept(removed, Fraction(repr(info["duration"])))
        uncut = []
        # yt-dlp downloads subtitles anew even where the video stays, unless nothing is replaced.
        if self._downloader and self._downloader.params.get("overwrites", True):
            with tempfile.TemporaryDirectory() as folder:
                plan = Path(folder, "plan.json")
                rows = [
                    {"written_from": {"value": str(start)}, "written_to": {"value": str(end)}}
                    for start, end, _ in parts
                ]
                plan.write_text(json.dumps({"parts": rows}))
                texts = self._subtitles(info, plan, Path(folder))
                uncut = [self._replace(text, str(new)) for text, new in texts]
        info["chapters"] = _moved(chapters, parts) or None
        info["sponsorblock_chapters"] = _moved(sponsors, parts)
        info["duration"] = self._length(info["filepath"])
        return uncut

    def _length(self, path: str) -> float | None:
        return self._theirs._get_real_video_duration(path, False) if self._theirs else None

    def _undecided(self, path: str) -> PostProcessingError:
        return PostProcessingError(
            f'"{path}" was there before, and its length does not tell whether it is already cut: '
            "move it away to download it anew, or cut it with trim cut"
        )

    def _marked(self, info: dict[str, Any]) -> tuple[list[Any], list[Any]]:
        """Returns the chapters, with what yt-dlp was asked to remove marked so."""
        if self._theirs is None:
            self._theirs = self._taken_over()
        self._theirs._fixup_chapters(info)
        chapters, sponsors = self._theirs._mark_chapters_to_remove(
            copy.deepcopy(info.get("chapters") or []),
            copy.deepcopy(info.get("sponsorblock_chapters") or []),
        )
        return chapters, sponsors

    def _taken_over(self) -> ModifyChaptersPP:
        """Returns the work of yt-dlp's own post-processor, which then only marks what stays."""
        queue = self._downloader._pps["post_process"] if self._downloader else []
        for own in queue:
            if isinstance(own, ModifyChaptersPP):
                theirs = copy.copy(own)
                own._remove_chapters_patterns = set()
                own._remove_sponsor_segments = set()
                own._ranges_to_remove = set()
                return theirs
        return ModifyChaptersPP(self._downloader)

    def _cut(self, path: str, output: str, removed: list[Range], edits: Path) -> dict[str, Any]:
        words = ["cut", "--json", "--force", f"--mode={self._mode}", f"--output={output}"]
        if removed:
            rows = [
                {"source": 0, "range": {"start": str(a), "end": str(b)}, "isKept": False}
                for a, b in removed
                if a < b
            ]
            edits.write_text(json.dumps({"version": 1, "sources": [{}], "parts": rows}))
            words += [f"--cuts={edits}", "--cuts-are=remove"]
        words += [f"--keep={part}" for part in self._keep]
        if len(self._keep) > 1 and not removed:
            words.append("--join")
        return json.loads(self._trim([*words, "--", path]))

    def _retimed(self, path: str, plan: Path, folder: Path) -> Path:
        output = folder / Path(path).name
        self._trim(["retime", f"--by={plan}", f"--output={output}", "--force", "--", path])
        return output

    def _trim(self, words: list[str]) -> bytes:
        if shutil.which(self._program) is None:
            raise PostProcessingError(
                f"{self._program} not found: install trim, or name it with Trim:trim="
            )
        done = subprocess.run(
            [self._program, *words], stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        if done.returncode != 0:
            raise PostProcessingError(done.stderr.decode(errors="replace").strip())
        return done.stdout

    def _subtitles(self, info: dict[str, Any], plan: Path, folder: Path) -> list[tuple[str, Path]]:
        """Writes the subtitles that move with the cut anew; others are left out, and named."""
        moved = []
        stay = {}
        for language, one in (info.get("requested_subtitles") or {}).items():
            path = one.get("filepath")
            if not path or not Path(path).exists():
                stay[language] = one
                continue
            try:
                if one["ext"] not in {"srt", "vtt", "ass", "ssa"}:
                    raise PostProcessingError(f"{one['ext']} subtitles cannot be cut")
                moved.append((path, self._retimed(path, plan, folder)))
                stay[language] = one
            except PostProcessingError as error:
                self.report_warning(f'{error.msg}; "{path}" is now out of sync, and left out')
        if info.get("requested_subtitles"):
            # Those that stay may be embedded. Other formats of the same video share the old list.
            info["requested_subtitles"] = stay
        return moved

    def _replace(self, path: str, new: str) -> str:
        """Puts a new file in the place of an old one, and returns the name that this has now."""
        uncut = prepend_extension(path, "uncut")
        modified = Path(path).stat().st_mtime
        Path(path).replace(uncut)
        shutil.move(new, path)
        self.try_utime(path, modified, modified)
        return uncut


def _range(chapter: dict[str, Any]) -> Range:
    return _time(chapter["start_time"]), _time(chapter["end_time"])


def _time(seconds: float) -> Fraction:
    # A float means the decimal that was read from JSON.
    return _ENDLESS if seconds == math.inf else Fraction(repr(seconds))


def _is_near(length: float | None, other: float | Fraction, tolerance: int) -> bool:
    return length is not None and abs(length - other) <= tolerance


def _kept(removed: list[Range], end: Fraction) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Returns what is kept of a file that ends there, with its times in the output."""
    parts = []
    position = output = Fraction(0)
    for first, last in [*sorted(removed), (end, end)]:
        first = min(first, end)
        if first > position:
            parts.append((position, first, output))
            output += first - position
        position = max(position, last)
    return parts


def _part(part: dict[str, Any]) -> tuple[Fraction, Fraction, Fraction]:
    start, end, output = (
        Fraction(part[key]["value"]) for key in ("written_from", "written_to", "output_from")
    )
    return start, end, output


def _image(start: Fraction, end: Fraction, parts: list[Any]) -> list[tuple[float, float]]:
    """Returns where a range is in the output; what is adjacent there is one range."""
    images: list[list[Fraction]] = []
    for first, last, output in parts:
        a, b = max(start, first), min(end, last)
        if a >= b:
            continue
        a, b = a - first + output, b - first + output
        if images and images[-1][1] == a:
            images[-1][1] = b
        else:
            images.append([a, b])
    return [(float(a), float(b)) for a, b in images]


def _moved(chapters: list[Any], parts: list[Any]) -> list[Any]:
    """Returns the chapters that stay, with their times in the output."""
    moved = []
    for chapter in chapters:
        if chapter.get("remove"):
            continue
        for start, end in _image(*_range(chapter), parts):
            one = {**chapter, "start_time": start, "end_time": end}
            if "_categories" in one:
                one["_categories"] = [(c, start, end, name) for c, _, _, name in one["_categories"]]
            moved.append(one)
    return sorted(moved, key=lambda one: one["start_time"])
