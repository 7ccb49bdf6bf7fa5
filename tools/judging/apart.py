"""Runs a player in a separate process for each file, so that a library that hangs can be killed."""

import importlib
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

# Time limits in seconds: for opening and playing a file, and for each seek.
LIMIT, SEEK = 120, 12


class Apart:
    """A player that is implemented by the class `kind` of `module`."""

    module = kind = name = ""
    # How far a seek may miss its target, in seconds.
    reach = 0
    # How many frames it may skip at the start.
    skips = 0

    def look(self, path, seeks, plays=30_000):
        command = [sys.executable, "-B", __file__, self.module, self.kind, str(path), str(plays),
                   *(str(Fraction(time)) for time in seeks)]
        try:
            said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  stdin=subprocess.DEVNULL, timeout=LIMIT + SEEK * len(seeks),
                                  check=False).stdout
        except subprocess.TimeoutExpired:
            return {"fault": "timed out"}
        return json.loads(said) if said else {"fault": "crashed"}

    def close(self):
        pass


if __name__ == "__main__":
    # Otherwise vlc.py in this folder would shadow VLC's module.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)
    sought, kind, file, duration, *times = sys.argv[1:]
    # Keep what libraries print out of the answer.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    looked = getattr(importlib.import_module(sought), kind)().look(
        Path(file), [Fraction(time) for time in times], int(duration))
    print(json.dumps(looked), file=answer, flush=True)
    # A library's threads may never end.
    os._exit(0)
