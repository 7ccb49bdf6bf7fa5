"""A great many files go through one batch with one worker, which grows neither in memory nor in files."""

import json
import os
import shutil
import statistics
import subprocess
import threading
import time
from pathlib import Path

from soaking import films

ABOUT = "twenty thousand files go through one batch, whose memory and descriptors are watched"
COUNT = 20_000
# What the command itself may grow by for every file, in bytes, and what a file may take on average.
GROWTH = 1024
MOST_MS = 6
# Header probes: what a film takes at `--depth auto`.
LARGEST = 600_000


def look(process):
    """Resident bytes and open descriptors; None for a process that is gone."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
        size = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(size.split()[1]) << 10, len(os.listdir(f"/proc/{process}/fd"))
    except (OSError, StopIteration):
        return None


def children(process):
    found = []
    for threads in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += map(int, threads.read_text().split())
        except OSError:
            continue
    return found


class Watch(threading.Thread):
    """Looks at a command and at its workers until it ends, and at how many rows there are by then."""

    def __init__(self, process, rows):
        super().__init__(daemon=True)
        self.process, self.rows = process, rows
        self.command, self.workers = [], {}
        self.ended = threading.Event()

    def run(self):
        while not self.ended.wait(0.05):
            if seen := look(self.process):
                self.command.append((self.rows(), *seen))
            for worker in children(self.process):
                if seen := look(worker):
                    self.workers.setdefault(worker, []).append(seen)


def slope(seen):
    """Bytes for every file, of what was seen behind the first quarter."""
    late = [one for one in seen if one[0] >= seen[-1][0] / 4]
    middle = statistics.fmean(one[0] for one in late), statistics.fmean(one[1] for one in late)
    spread = sum((one[0] - middle[0]) ** 2 for one in late)
    return sum((one[0] - middle[0]) * (one[1] - middle[1]) for one in late) / max(spread, 1)


def run(bench):
    sources = films.all_films(LARGEST)
    folder, tasks, output = (bench.folder / name for name in ("films", "tasks", "rows"))
    folder.mkdir()
    with tasks.open("w") as file:
        for number in range(bench.count):
            source = bench.chance(number).choice(sources)[1]
            path = folder / f"{number:06}{source.suffix}"
            try:
                os.link(source, path)
            except OSError:
                shutil.copyfile(source, path)
            file.write(json.dumps({"op": "probe", "path": str(path)}) + "\n")
    start = time.monotonic()
    with tasks.open("rb") as asked, output.open("wb") as answers:
        process = subprocess.Popen([bench.trim, "batch", "-j", "1"], stdin=asked, stdout=answers,
                                   stderr=subprocess.DEVNULL)
        read = output.open("rb")
        count = [0]

        def rows():
            count[0] += read.read().count(b"\n")
            return count[0]

        watch = Watch(process.pid, rows)
        watch.start()
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        seconds = time.monotonic() - start
        watch.ended.set()
        watch.join()
    done = sum(1 for line in output.open("rb") if json.loads(line)["kind"] != "summary")
    growth = slope(watch.command)
    open_files = [one[2] for one in watch.command[len(watch.command) // 4:]]
    worker_files = [one[1] for seen in watch.workers.values() for one in seen[1:-1]]
    most = max(one[0] for seen in watch.workers.values() for one in seen)
    each = 1000 * seconds / bench.count
    findings = [text for wrong, text in [
        (done != bench.count, f"{done} rows of {bench.count} files"),
        (growth >= GROWTH, f"the command grows by {growth:.0f} bytes for every file"),
        (max(open_files) - min(open_files) > 4, f"descriptors {min(open_files)}–{max(open_files)}"),
        (max(worker_files) > 32, f"a worker has {max(worker_files)} descriptors open"),
        (each > MOST_MS, f"{each:.1f} ms for every file"),
    ] if wrong]
    lines = [
        "# One batch of a great many files", "",
        f"`tools/soak files --count {bench.count} --seed {bench.seed}`: header probes of hard links to"
        f" {len(sources)} films, one worker at a time.", "",
        "| | |", "|---|---:|",
        f"| files | {bench.count} |",
        f"| rows | {done} |",
        f"| time for each | {each:.2f} ms |",
        f"| processor time for each | {1000 * (usage.ru_utime + usage.ru_stime) / bench.count:.2f} ms |",
        f"| workers, one after another | {len(watch.workers)} |",
        f"| the largest worker | {most / (1 << 20):.0f} MiB |",
        f"| the command grows for every file by | {growth:.0f} bytes |",
        f"| its descriptors | {min(open_files)} to {max(open_files)} |",
        f"| a worker's descriptors | at most {max(worker_files)} |"]
    print("\n".join(lines + findings))
    bench.write("files", lines)
    return 1 if findings else 0
