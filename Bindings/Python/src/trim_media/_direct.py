"""Commands of the engine that need no workers: lists, and texts with times."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from typing import Any

from ._errors import error_of_row
from ._locate import locate
from ._tasks import Path


def run(words: Sequence[str], files: Sequence[Path], stdin: bytes | None = None) -> dict[str, Any]:
    """Runs a command with `--json`, and returns its document; raises a `TrimError` if it fails.

    Files come after the options, where a name that begins with a dash is a name too.
    """
    command: list[str | bytes] = [locate(), *words, "--json", "--", *map(os.fsencode, files)]
    done = subprocess.run(command, input=stdin or b"", capture_output=True, check=False)
    try:
        document: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        text = done.stderr.decode(errors="replace").strip()
        document = {"error": {"code": "unknown", "retryable": False, "message": text, "hint": None}}
    if "error" in document:
        named = document.get("input") or {}
        raise error_of_row(
            {**document["error"], "status": done.returncode}, named.get("path") or words[0]
        )
    return document
