"""A player in a process of its own, once a file: a library that hangs is ended, and is its own fault."""

import importlib
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

# Seconds for opening and playing a file, and for each seek.
LIMIT, SEEK = 120, 12


class Apart:
    """A player of a module here, by its class's name."""

    module = kind = name = ""
    # Seconds by which it may miss the place that it is sent to.
    reach = 0
    # Pictures that it may leave out at the start.
    skips = 0

    def look(self, path, seeks, plays=30_000):
        command = [sys.executable, "-B", __file__, self.module, self.kind, str(path), str(plays),
                   *(str(Fraction(time)) for time in seeks)]
        try:
            said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  stdin=subprocess.DEVNULL, timeout=LIMIT + SEEK * len(seeks),
                                  check=False).stdout
        except subprocess.TimeoutExpired:
            return {"fault": "it does not come to an end"}
        return json.loads(said) if said else {"fault": "it went away"}

    def close(self):
        pass


if __name__ == "__main__":
    # This folder has a module of the name of VLC's.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)
    sought, kind, file, duration, *times = sys.argv[1:]
    # What a library prints is no part of the answer.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    looked = getattr(importlib.import_module(sought), kind)().look(
        Path(file), [Fraction(time) for time in times], int(duration))
    print(json.dumps(looked), file=answer, flush=True)
    # Their threads may not end.
    os._exit(0)
