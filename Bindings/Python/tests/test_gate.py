"""Tests the example that checks uploads: it rejects files that break a rule, and names the rule."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("duckdb")
pq = pytest.importorskip("pyarrow.parquet")

PROGRAM = Path(__file__).resolve().parents[3] / "Examples" / "Gate" / "gate.py"


def gate(folder: Path, report: Path, *options: str) -> tuple[int, str, dict[str, set[str]]]:
    """Returns its exit status, what it printed, and the rules that each rejected file breaks."""
    command = [sys.executable, str(PROGRAM), str(folder), str(report), *options]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert run.stderr == ""
    with (report / "rejected.csv").open() as file:
        rows = list(csv.DictReader(file))
    broken = {Path(row["path"]).name: set(row["rules"].split()) for row in rows}
    return run.returncode, run.stdout, broken


def declaring(source: Path, target: Path, seconds: int) -> None:
    """Writes a copy whose headers declare another length, with the same media."""
    data = bytearray(source.read_bytes())
    movie, track, media = (data.index(kind) for kind in (b"mvhd", b"tkhd", b"mdhd"))
    for box, length_at, scale_of in ((movie, 20, movie), (track, 24, movie), (media, 20, media)):
        scale = int.from_bytes(data[scale_of + 16 : scale_of + 20], "big")
        data[box + length_at : box + length_at + 4] = (seconds * scale).to_bytes(4, "big")
    target.write_bytes(data)


@pytest.fixture
def uploads(samples: Path, tmp_path: Path) -> Path:
    """Files that each break a rule, except one."""
    found = tmp_path / "uploads"
    found.mkdir()
    for name in ("ntsc.mp4", "at-limit.mp4", "not-media.mp4", "truncated.mp4"):
        (found / name).write_bytes((samples / name).read_bytes())
    declaring(samples / "ntsc.mp4", found / "lies.mp4", 9)
    return found


def test_a_gate_names_the_rules_that_a_file_breaks(uploads: Path, tmp_path: Path) -> None:
    status, words, broken = gate(uploads, tmp_path / "report")
    assert broken == {
        "at-limit.mp4": {"too_long"},
        "lies.mp4": {"declares_other_length"},
        "not-media.mp4": {"unreadable"},
        "truncated.mp4": {"damaged", "truncated"},
    }
    assert status == 1 and "4 of 5 files are rejected" in words
    verdicts = pq.read_table(tmp_path / "report" / "verdicts.parquet").to_pylist()
    assert [Path(row["path"]).name for row in verdicts] == sorted(
        path.name for path in uploads.iterdir()
    )
    assert [row["passes"] for row in verdicts] == [
        Path(row["path"]).name == "ntsc.mp4" for row in verdicts
    ]


def test_a_limit_is_exact(uploads: Path, tmp_path: Path) -> None:
    for path in uploads.iterdir():
        if path.name != "ntsc.mp4":
            path.unlink()
    # It is 1001/250 s long: 1 ns below the maximum, and exactly the minimum.
    limits = ["--max-length=4004000001/1000000000", "--min-length=1001/250"]
    assert gate(uploads, tmp_path / "report", *limits) == (0, "0 of 1 files are rejected\n", {})
