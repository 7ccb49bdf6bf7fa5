"""Tests the example that audits a folder: its answers and its plot."""

from __future__ import annotations

import csv
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("duckdb")
pytest.importorskip("matplotlib")
pq = pytest.importorskip("pyarrow.parquet")

PROGRAM = Path(__file__).resolve().parents[3] / "Examples" / "Audit" / "audit.py"


def test_an_audit_counts_the_files_that_lie(samples: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "MPLCONFIGDIR": str(tmp_path / "cache")}
    run = subprocess.run(
        [sys.executable, str(PROGRAM), str(samples), str(tmp_path)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    names = [path for path in samples.rglob("*") if path.is_file()]
    facts = pq.read_table(tmp_path / "facts.parquet").to_pylist()
    assert sorted(row["path"] for row in facts) == sorted(map(str, names))
    assert {row["schema"] for row in facts} == {1}
    failed = [row for row in facts if row["error_code"] is not None]
    assert f"{len(failed)} of {len(names)} could not be read" in run.stdout

    with (tmp_path / "by-container.csv").open() as file:
        answers = {row["name"]: row for row in csv.DictReader(file)}
    read = [row for row in facts if row["error_code"] is None]
    lies = {"declared_too_long", "declared_too_short"}
    wrong = sum(row["verdict"] in lies for row in read)
    assert f"{wrong} of {len(read)} declare a wrong duration" in run.stdout
    for name, answer in answers.items():
        same = [row for row in read if row["container"] == name]
        assert int(answer["files"]) == len(same)
        assert int(answer["lie"]) == sum(row["verdict"] in lies for row in same)
    assert int(answers["mp4"]["lie"]) > 0
    assert f"{'mp4':10} {answers['mp4']['files']:>6} files" in run.stdout

    picture = (tmp_path / "audit.png").read_bytes()
    width, height = struct.unpack(">II", picture[16:24])
    assert picture.startswith(b"\x89PNG") and width == 1800 and height > 400
    assert len(picture) > 20_000, "the plot is blank"
