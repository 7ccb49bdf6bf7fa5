"""Runs many files through a batch with one worker, and checks that neither memory nor open descriptors
grow."""

import json
import os
import shutil
import statistics
import subprocess
import threading
import time
from pathlib import Path

from soaking import clips

ABOUT = "runs twenty thousand files through one batch, and watches its memory and descriptors"
COUNT = 20_000
# Limits: growth of the main process per file, in bytes, and average time per file, in milliseconds.
GROWTH = 1024
MOST_MS = 6
# In bytes. Small files only: `--depth auto` scans all packets of files without a complete sample table.
LARGEST = 600_000


def look(process):
    """Returns the resident bytes and open descriptors of a process, or None if it has ended."""
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
    """Samples a command and its workers until it ends, with the number of rows written so far."""

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
    """Returns the growth in bytes per file, without the first quarter of the files."""
    late = [one for one in seen if one[0] >= seen[-1][0] / 4]
    middle = statistics.fmean(one[0] for one in late), statistics.fmean(one[1] for one in late)
    spread = sum((one[0] - middle[0]) ** 2 for one in late)
    return sum((one[0] - middle[0]) * (one[1] - middle[1]) for one in late) / max(spread, 1)


def run(bench):
    sources = clips.all_clips(LARGEST)
    folder, tasks, output = (bench.folder / name for name in ("clips", "tasks", "rows"))
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
        (done != bench.count, f"{done} rows for {bench.count} files"),
        (growth >= GROWTH, f"the main process grows by {growth:.0f} bytes per file"),
        (max(open_files) - min(open_files) > 4, f"descriptors {min(open_files)}–{max(open_files)}"),
        (max(worker_files) > 32, f"a worker has {max(worker_files)} descriptors open"),
        (each > MOST_MS, f"{each:.1f} ms per file"),
    ] if wrong]
    lines = [
        "# One batch of many files", "",
        f"`tools/soak files --count {bench.count} --seed {bench.seed}`: probes of hard links to"
        f" {len(sources)} files, one worker at a time.", "",
        "| | |", "|---|---:|",
        f"| files | {bench.count} |",
        f"| rows | {done} |",
        f"| time per file | {each:.2f} ms |",
        f"| CPU time per file | {1000 * (usage.ru_utime + usage.ru_stime) / bench.count:.2f} ms |",
        f"| workers, one after another | {len(watch.workers)} |",
        f"| largest worker | {most / (1 << 20):.0f} MiB |",
        f"| growth of the main process per file | {growth:.0f} bytes |",
        f"| descriptors of the main process | {min(open_files)} to {max(open_files)} |",
        f"| descriptors of a worker | at most {max(worker_files)} |"]
    print("\n".join(lines + findings))
    bench.write("files", lines)
    return 1 if findings else 0
