"""What every matrix needs: arguments, the trim binary, parallel cells, rows and a table."""

import argparse
import concurrent.futures
import importlib
import json
import os
import pkgutil
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import soaking

ROOT = Path(__file__).resolve().parent.parent.parent
RESULTS = ROOT / "tools" / "soak-results"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "trim-soak"
SHARED = {"bench", "clips", "edit_lists_peer", "fleet_files", "fleet_job", "fleet_jobs", "fleet_store", "machine", "studio_page", "systems"}


@dataclass
class Outcome:
    """How a process ended: its exit status, -N for signal N, or -1 for a timeout."""
    status: int
    out: bytes
    err: str
    late: bool = False


def run(command, seconds):
    """Runs a command until it ends, or kills it at the timeout."""
    process = subprocess.Popen(
        [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, err = process.communicate(timeout=seconds)
        return Outcome(process.returncode, out, err.decode(errors="replace"))
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        return Outcome(-1, out, err.decode(errors="replace"), late=True)


# Messages about a codec that this FFmpeg cannot decode, and about equal timestamps in its null muxer:
# neither is an error in the file.
OWN = re.compile(r"Decoder \(codec none\) not found|\[null @")


def complaints(clip, seconds=180, options=()):
    """Returns the errors that ffmpeg reports while it decodes all of a clip.

    Frames keep their timestamps: rounded to a constant frame rate, those of a variable-rate clip
    collide, which FFmpeg reports as invalid."""
    result = run(["ffmpeg", "-nostdin", "-hide_banner", "-v", "error", "-threads", "1", *options,
                  "-i", clip, "-map", "0:v?", "-map", "0:a?", "-fps_mode", "passthrough",
                  "-enc_time_base", "-1", "-f", "null", "-"], seconds)
    return [line for line in result.err.splitlines() if line.strip() and not OWN.search(line)]


@dataclass
class Bench:
    trim: Path
    seed: int
    count: int
    jobs: int
    only: int | None
    options: argparse.Namespace
    folder: Path = None
    started: float = field(default_factory=time.monotonic)

    def chance(self, cell):
        """Returns the random generator of a cell, independent of the other cells."""
        return random.Random(f"{self.seed}:{cell}")

    def cells(self, work):
        """Runs the cells in parallel; yields their rows in order of cell number.

        work(cell number, its own folder) returns a dictionary. With --resume, a row that the file has
        is not made again, and a new one is appended to it."""
        numbers = [self.only] if self.only is not None else range(self.count)
        file = self.options.resume if self.only is None else None
        known = {row["cell"]: row for row in map(json.loads, file.read_text().splitlines())} \
            if file and file.exists() else {}

        def one(number):
            if number in known:
                return known[number]
            folder = Path(tempfile.mkdtemp(prefix=f"{number}-", dir=self.folder))
            try:
                row = {"cell": number, **work(number, folder)}
                if file:
                    with file.open("a") as rows:
                        rows.write(json.dumps(row) + "\n")
                return row
            finally:
                if self.only is None:
                    shutil.rmtree(folder, ignore_errors=True)

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            done = 0
            # Browsers answer only the thread that started them.
            for row in map(one, numbers) if self.jobs == 1 else pool.map(one, numbers):
                yield row
                done += 1
                if done % 50 == 0:
                    seconds = time.monotonic() - self.started
                    print(f"soak: {done} of {self.count}, {seconds:.0f} s", file=sys.stderr,
                          flush=True)

    def write(self, name, lines):
        if not self.options.write:
            return
        RESULTS.mkdir(exist_ok=True)
        path = RESULTS / f"{name}.md"
        path.write_text("\n".join(lines) + "\n")
        print(f"written to {path.relative_to(ROOT)}")


class Rows:
    """The saved rows, one JSON object per line."""

    def __init__(self, name):
        CACHE.mkdir(parents=True, exist_ok=True)
        self.path = CACHE / f"{name}.jsonl"
        self.file = self.path.open("w")

    def add(self, row):
        self.file.write(json.dumps(row) + "\n")
        self.file.flush()


def matrices():
    names = [module.name for module in pkgutil.iter_modules(soaking.__path__)]
    return sorted(name for name in names if name not in SHARED)


def built_tool():
    for kind in ("release", "debug"):
        path = ROOT / ".build" / kind / "trim"
        if path.exists():
            return path
    sys.exit("soak: build trim first: swift build -c release --product trim")


def main(about):
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("matrix", nargs="?", choices=matrices())
    parser.add_argument("--list", action="store_true", help="list the matrices and exit")
    parser.add_argument("--count", type=int, help="number of cells")
    parser.add_argument("--seed", type=int, help="random seed")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--trim", type=Path, help="the trim binary to run")
    parser.add_argument("--cell", type=int, help="run only this cell and keep its files")
    parser.add_argument("--resume", type=Path, metavar="FILE",
                        help="keep the row of every cell in this file, and run only the cells that it lacks")
    parser.add_argument("--write", action="store_true", help="save the table in soak-results")
    parser.add_argument("--pictures", type=Path, help="keep screenshots in this folder")
    parser.add_argument("--verify", default="edges", help="passed to trim cut --verify")
    options = parser.parse_args()
    if options.list or not options.matrix:
        for name in matrices():
            print(f"{name:16} {importlib.import_module(f'soaking.{name}').ABOUT}")
        return 0
    module = importlib.import_module(f"soaking.{options.matrix}")
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
    count = options.count or module.COUNT
    print(f"soak {options.matrix}: {count} cells, seed {seed}", flush=True)
    bench = Bench(
        trim=(options.trim or built_tool()).resolve(), seed=seed, count=count, jobs=options.jobs,
        only=options.cell, options=options)
    CACHE.mkdir(parents=True, exist_ok=True)
    folder = tempfile.mkdtemp(prefix=f"soak-{options.matrix}-", dir=os.environ.get("TMPDIR"))
    bench.folder = Path(folder)
    try:
        return module.run(bench)
    finally:
        if options.cell is None:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            print(f"files kept in {folder}")
