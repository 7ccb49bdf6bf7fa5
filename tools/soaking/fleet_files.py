"""The files of tools/soak fleet, the rows that `trim batch` gives for them, and a killer of workers."""

import json
import os
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

# Timeout per file, in seconds; a worker that stalls is killed after twice that.
TIMEOUT = 4
HOLE = 60 << 30
ACTS = {"deadly": signal.SIGKILL, "stalls": signal.SIGSTOP}


def make_files(bench, sources, folder):
    """Makes hard links and copies of the sources: one in a hundred is broken, ten stall or kill a worker."""
    paths = []
    every = max(1, bench.count // 10)
    for number in range(bench.count):
        chance = bench.chance(number)
        _, source = chance.choice(sources)
        path = folder / f"{number:06}{source.suffix.lower()}"
        if number % 100 == 7:
            data = bytearray(source.read_bytes()[: 1 << 20])
            del data[chance.randrange(1, len(data)):]
            path.write_bytes(data)
        elif bench.count >= 400 and number % every == 11:
            kind = "deadly" if number // every % 2 else "stalls"
            path = folder / f"{number:06}-{kind}.mp3"
            slow(path, chance)
        elif number % 10 == 3:
            shutil.copyfile(source, path)
        else:
            try:
                os.link(source, path)
            except OSError:
                shutil.copyfile(source, path)
        paths.append(str(path))
    return paths


def slow(path, chance):
    """Writes some sound and then a 60 GiB hole: reading it takes long enough for the worker to be caught."""
    frame = bytes.fromhex("fffb9064") + bytes(413)
    with path.open("wb") as file:
        file.write(frame * (200 + chance.randrange(100)))
        file.truncate(HOLE)


class Killer(threading.Thread):
    """Kills every trim worker that has a deadly file open, and stops those with a stalling one."""

    def __init__(self):
        super().__init__(daemon=True)
        self.kills, self.stop = 0, threading.Event()

    def run(self):
        while not self.stop.wait(0.05):
            for process in Path("/proc").iterdir():
                if process.name.isdigit() and b"__engine" in line_of(process):
                    for name in open_files(process):
                        self.act(int(process.name), name)

    def act(self, process, name):
        number = next((ACTS[kind] for kind in ACTS if f"-{kind}." in name), None)
        if number is None:
            return
        try:
            os.kill(process, number)
            self.kills += number == signal.SIGKILL
        except OSError:
            pass

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.join()


def line_of(process):
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


def open_files(process):
    try:
        return [os.readlink(one) for one in (process / "fd").iterdir()]
    except OSError:
        return []


def expected(bench, paths):
    """Returns the rows that `trim batch` gives on one machine, as columns of the tables, and its seconds."""
    tasks = "".join(json.dumps({"op": "probe", "path": path}) + "\n" for path in paths)
    started = time.monotonic()
    result = subprocess.run(
        [bench.trim, "batch", "--failures", "ok", "--timeout", str(TIMEOUT)], input=tasks.encode(),
        stdout=subprocess.PIPE, check=True)
    seconds, found = time.monotonic() - started, {}
    for line in result.stdout.splitlines():
        row = json.loads(line)
        found[row["input"]["path"]] = _of_batch(row)
    return found, seconds


def _of_batch(row):
    if row["error"]:
        return {"error_code": row["error"]["code"]}
    result = row["result"]
    presented = result["durations"]["presented"]
    video = next((one for one in result["tracks"] if one["type"] == "video"), None)
    return {
        "error_code": None, "bytes": int(row["input"]["bytes"]), "verdict": result["durations"]["verdict"],
        "container": result["container"]["format"], "presented": presented and presented["value"],
        "video_codec": video and video["codec"], "depth": result["depth"],
        "frames": video and video["frames"] and int(video["frames"]),
        "notes": " ".join(sorted({one["id"] for one in result["notes"]})),
        "damage": " ".join(sorted({one["kind"] for one in result["damage"]})),
    }


def of_table(row):
    """Converts a row of an engine's table to the same columns."""
    if row["error_code"] is not None:
        return {"error_code": row["error_code"]}
    names = ("bytes", "verdict", "container", "video_codec", "depth", "frames", "notes", "damage")
    found = {name: row[name] for name in names}
    for name in ("bytes", "frames"):
        found[name] = None if found[name] is None else int(found[name])
    number = row["presented_num"]
    if number is not None:
        number, divisor = int(number), int(row["presented_den"])
        number = str(number) if divisor == 1 else f"{number}/{divisor}"
    return found | {"error_code": None, "presented": number}


def judge(rows, wanted, name=lambda path: path):
    """Counts the rows that are missing, duplicate or different."""
    seen, wrong = {}, []
    for row in rows:
        path = name(row["path"])
        seen[path] = seen.get(path, 0) + 1
        if of_table(row) != wanted.get(path):
            wrong.append((path, of_table(row), wanted.get(path)))
    return {"missing": len(set(wanted) - set(seen)), "wrong": wrong[:5], "differ": len(wrong),
            "twice": sum(count > 1 for count in seen.values())}
