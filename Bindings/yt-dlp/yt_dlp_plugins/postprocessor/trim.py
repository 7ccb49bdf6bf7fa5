"""Cuts what yt-dlp removes with trim: at the exact frame, re-encoding almost nothing."""

from __future__ import annotations

import copy
import json
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
        output = prepend_extension(path, "trimmed")
        with tempfile.TemporaryDirectory() as folder:
            cut = self._cut(path, output, removed, Path(folder, "list.json"))
            plan = Path(folder, "plan.json")
            plan.write_text(json.dumps(cut))
            texts = [
                (text, self._retimed(text, plan, Path(folder))) for text in self._subtitles(info)
            ]
            # Files are replaced only after all of them were written.
            uncut = [self._replace(path, output)]
            uncut += [self._replace(text, str(new)) for text, new in texts]
        parts = [_part(part) for part in cut["parts"]]
        info["chapters"] = _moved(chapters, parts) or None
        info["sponsorblock_chapters"] = _moved(sponsors, parts)
        info["duration"] = float(Fraction(cut["written"]["length"]["value"]))
        self.to_screen(cut["summary"])
        return uncut, info

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

    def _subtitles(self, info: dict[str, Any]) -> list[str]:
        """Returns the subtitle files that move with the cut."""
        found = []
        for one in (info.get("requested_subtitles") or {}).values():
            path = one.get("filepath")
            if not path or not Path(path).exists():
                continue
            if one["ext"] in {"srt", "vtt", "ass", "ssa"}:
                found.append(path)
            else:
                self.report_warning(
                    f'{one["ext"]} subtitles cannot be cut; "{path}" is now out of sync'
                )
        return found

    def _replace(self, path: str, new: str) -> str:
        """Puts a new file in the place of an old one, and returns the name that this has now."""
        uncut = prepend_extension(path, "uncut")
        modified = Path(path).stat().st_mtime
        Path(path).replace(uncut)
        shutil.move(new, path)
        self.try_utime(path, modified, modified)
        return uncut


def _range(chapter: dict[str, Any]) -> Range:
    # A float means the decimal that was read from JSON.
    return Fraction(repr(chapter["start_time"])), Fraction(repr(chapter["end_time"]))


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
