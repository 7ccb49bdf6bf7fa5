"""Tests the example that makes the cuts of a table: each is made once, even if it is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pq = pytest.importorskip("pyarrow.parquet")

import trim_media  # noqa: E402

PROGRAM = Path(__file__).resolve().parents[3] / "Examples" / "CutJob" / "cut_job.py"
CUTS = 24


def started(table: Path, folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, str(PROGRAM), str(table), str(folder)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)


def run(table: Path, folder: Path) -> tuple[int, str, list[dict[str, Any]]]:
    job = started(table, folder)
    words, _ = job.communicate(timeout=60)
    return job.returncode, words, pq.read_table(folder / "cuts.parquet").to_pylist()


def made(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("*.mp4")}


def test_a_killed_job_is_resumed(samples: Path, tmp_path: Path) -> None:
    table, folder = tmp_path / "cuts.csv", tmp_path / "cuts"
    clip = samples / "b-frames.mp4"
    lines = [f"{number:03},{clip},{number}/100,3" for number in range(CUTS)]
    table.write_text("\n".join(["id,path,start,end", *lines]))
    job = started(table, folder)
    end = time.monotonic() + 20
    while len(made(folder)) < 3:
        assert time.monotonic() < end and job.poll() is None, "the first cuts did not appear"
        time.sleep(0.01)
    job.send_signal(signal.SIGKILL)
    job.communicate(timeout=10)
    first = made(folder)
    assert not (folder / "cuts.parquet").exists(), "the job finished before it was killed"

    status, _, rows = run(table, folder)
    after = made(folder)
    assert status == 0 and len(after) == CUTS
    assert {name: after[name] for name in first} == first
    assert [Path(row["output"]).name[:3] for row in rows] == [line[:3] for line in lines]
    assert sum(row["existed"] for row in rows) >= len(first)
    for number in (0, CUTS - 1):
        length = trim_media.probe(rows[number]["output"]).length
        assert length is not None
        assert length.as_integer_ratio() == (rows[number]["length_num"], rows[number]["length_den"])

    status, words, again = run(table, folder)
    assert (status, words) == (0, f"0 made, {CUTS} existed, 0 failed\n")
    assert made(folder) == after
    keys = ("output", "output_bytes", "length_num", "length_den")
    assert [[row[key] for key in keys] for row in again] == [
        [row[key] for key in keys] for row in rows
    ]
    assert {path.name for path in folder.iterdir()} == {*after, "cuts.parquet"}


def test_a_failed_cut_is_a_row(samples: Path, tmp_path: Path) -> None:
    table, folder = tmp_path / "cuts.csv", tmp_path / "cuts"
    rows = [f"{samples / 'ntsc.mp4'},0,1", f"{samples / 'absent.mp4'},0,1"]
    table.write_text("\n".join(["path,start,length", *rows]))
    status, words, found = run(table, folder)
    assert (status, words) == (1, "1 made, 0 existed, 1 failed\n")
    assert [row["error_code"] for row in found] == [None, "inputMissing"]
