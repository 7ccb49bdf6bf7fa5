"""Tests that the commands in Documentation/Fleet.md do what the page says."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from trim_media._locate import locate

PAGE = Path(__file__).resolve().parents[3] / "Documentation" / "Fleet.md"
LINES = re.findall(r"^(trim batch .*)$", PAGE.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize(
    ("line", "variable"),
    list(
        zip(
            LINES,
            ["JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX", "SLURM_ARRAY_TASK_ID"],
            strict=True,
        )
    ),
)
def test_an_array_job_does_every_task_once(
    line: str, variable: str, samples: Path, tmp_path: Path
) -> None:
    clips = sorted(str(path) for path in samples.glob("*.mp4"))
    tasks = [json.dumps({"op": "check", "path": path}) for path in clips]
    (tmp_path / "tasks.jsonl").write_text("\n".join(tasks))
    (tmp_path / "trim").symlink_to(locate())
    path = f"{tmp_path}:{os.environ['PATH']}"

    def array() -> list[dict[str, object]]:
        rows = []
        for index in range(3):
            environment = {**os.environ, "PATH": path, variable: str(index)}
            # The same command with 3 parts in place of 64.
            run = subprocess.run(
                ["bash", "-ec", line.replace("/64", "/3")],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                check=True,
            )
            rows += [json.loads(row) for row in run.stdout.splitlines()]
        return rows

    assert sorted(str(row["input"]["path"]) for row in array()) == clips  # type: ignore[index]
    done = [row["skipped"] for row in array() if row["error"] is None]
    assert done and all(done)
