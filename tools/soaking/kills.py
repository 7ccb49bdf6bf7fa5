"""Kills batches, cuts and the editor at random moments, and checks what is left."""

import collections
import fcntl
import hashlib
import json
import os
import pty
import select
import signal
import statistics
import subprocess
import termios
import threading
import time

from soaking.bench import ROOT, Rows

ABOUT = "kills batches, cuts and the editor with SIGKILL at random moments"
COUNT = 3600

CLIP = ROOT / "samples" / "b-frames.mp4"
# Two of three cells are batches.
KINDS = ("batch", "batch", "cut", "batch", "batch", "edit")


class BatchRound:
    """A batch of a few cuts that is killed once and then resumed."""

    whole = None

    def __init__(self, bench, folder, chance):
        self.folder = folder
        self.results = folder / "results"
        self.outputs = [folder / f"{number}.mp4" for number in range(4)]
        replaced = chance.random() < 0.3
        if replaced:
            self.outputs[0].write_bytes(b"older")
        tasks = [
            {"op": "cut", "path": str(CLIP), "output": str(output), "from": 1 + number / 10,
             "to": 2 + number / 10, "force": replaced}
            for number, output in enumerate(self.outputs)]
        self.tasks = "".join(json.dumps(task) + "\n" for task in tasks).encode()
        self.command = [bench.trim, "batch", "--results", self.results, "--skip-done", "-j",
                        chance.choice("123")]

    def start(self):
        process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        process.stdin.write(self.tasks)
        process.stdin.close()
        return process

    def findings(self):
        status = self.start().wait()
        rows = []
        for line in self.results.read_bytes().split(b"\n"):
            try:
                rows.append(json.loads(line))
            except ValueError:
                continue
        finished = [row for row in rows if row["kind"] == "cut"]
        names = [row["output"]["path"] for row in finished]
        found = []
        if status != 0:
            errors = [row["error"]["code"] for row in rows if row.get("error")]
            found.append(f"the resumed run ended with status {status}: {errors}")
        if sorted(names) != sorted(map(str, self.outputs)):
            found.append(f"rows for {sorted(names)}")
        for row in finished:
            path = row["output"]["path"]
            if not os.path.exists(path) or os.path.getsize(path) != row["result"]["bytes"]:
                found.append(f"{path} does not match its row")
        return found + strangers(self.folder, {"results"} | {path.name for path in self.outputs})


def strangers(folder, known):
    left = set(os.listdir(folder)) - known
    return [f"left behind: {sorted(left)}"] if left else []


class CutRound:
    """A cut whose output must be unchanged or complete."""

    OLDER = b"older"

    def __init__(self, bench, folder, chance, whole=None):
        self.folder, self.whole = folder, whole
        self.output = folder / "out.mp4"
        self.replaces = chance.random() < 0.5
        if self.replaces:
            self.output.write_bytes(self.OLDER)
        self.trim = bench.trim

    def words(self):
        return ["cut", CLIP, "--from", "1.1", "--to", "3.3", "-o", self.output] + (
            ["-f"] if self.replaces else [])

    def start(self):
        return subprocess.Popen(
            [self.trim, *self.words()], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)

    def content(self):
        return self.output.read_bytes() if self.output.exists() else None

    def findings(self):
        content = self.content()
        found = strangers(self.folder, {"out.mp4"})
        if content == (self.OLDER if self.replaces else None):
            return found
        if content is None or hashlib.sha256(content).digest() != self.whole:
            found.append(f"incomplete output: {None if content is None else len(content)} bytes")
        return found


class EditRound(CutRound):
    """The same cut in the editor, with the Enter key, on its own terminal."""

    def words(self):
        return ["edit", CLIP, "--from", "1.1", "--to", "3.3", "-o", self.output] + (
            ["-f"] if self.replaces else [])

    def start(self):
        controller, terminal = pty.openpty()
        fcntl.ioctl(controller, termios.TIOCSWINSZ, b"\x1e\x00\x64\x00\x00\x00\x00\x00")
        process = subprocess.Popen(
            [self.trim, *self.words()], stdin=terminal, stdout=terminal, stderr=terminal,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "TRIM_NO_TUTORIAL": "1",
                 "LANG": "C.UTF-8"})
        os.close(terminal)
        threading.Thread(target=self.press, args=(controller, process), daemon=True).start()
        return process

    @staticmethod
    def press(controller, process):
        """Presses Enter once the screen says that the part fits, and q once the file is written."""
        seen, keys = b"", [(b"OK: under", b"\r"), (b"Done: wrote", b"q")]
        try:
            while process.poll() is None:
                if not select.select([controller], [], [], 0.2)[0]:
                    continue
                seen += os.read(controller, 65536)
                if keys and keys[0][0] in seen:
                    os.write(controller, keys.pop(0)[1])
                    seen = b""
        except OSError:
            pass
        finally:
            process.wait()
            os.close(controller)


def left_running(process):
    """Returns a finding if children of a killed process are still running after three seconds."""
    end = time.monotonic() + 3
    while time.monotonic() < end:
        found = subprocess.run(
            ["ps", "-o", "stat=", "-s", str(process.pid)], capture_output=True, text=True)
        # A zombie may still wait to be reaped by its new parent.
        if all(state.startswith("Z") for state in found.stdout.split()):
            return []
        time.sleep(0.01)
    return ["a child process is still running"]


def undisturbed(bench, kind, make):
    """Returns the median time of an undisturbed run, and the digest of what it writes."""
    times = []
    for number in range(7):
        folder = bench.folder / f"whole-{kind}-{number}"
        folder.mkdir()
        attempt = make(bench, folder, bench.chance(f"whole-{kind}-{number}"))
        start = time.monotonic()
        status = attempt.start().wait()
        times.append(time.monotonic() - start)
        if kind != "batch":
            attempt.whole = hashlib.sha256(attempt.content() or b"").digest()
        if status or attempt.findings():
            raise SystemExit(f"soak: an undisturbed {kind}: status {status}, {attempt.findings()}")
    # The first runs read from the disk, not from the cache.
    return statistics.median(times), attempt.whole


def run(bench):
    whole, lasting = {}, {}
    for kind, make in (("batch", BatchRound), ("cut", CutRound), ("edit", EditRound)):
        lasting[kind], whole[kind] = undisturbed(bench, kind, make)

    def work(number, folder):
        kind, chance = KINDS[number % len(KINDS)], bench.chance(number)
        attempt = (BatchRound(bench, folder, chance) if kind == "batch" else
                   (CutRound if kind == "cut" else EditRound)(bench, folder, chance, whole[kind]))
        process = attempt.start()
        time.sleep(chance.random() * lasting[kind])
        process.send_signal(signal.SIGKILL)
        killed = process.wait() == -signal.SIGKILL
        return {"kind": kind, "killed": killed,
                "findings": left_running(process) + attempt.findings()}

    rows, counts = Rows("kills"), collections.defaultdict(collections.Counter)
    for row in bench.cells(work):
        counts[row["kind"]].update(
            runs=1, killed=row["killed"], wrong=bool(row["findings"]))
        if row["findings"]:
            rows.add(row)
            print(f"cell {row['cell']}, {row['kind']}: {row['findings']}", flush=True)
    lines = [
        "# Killed at random moments", "",
        f"`tools/soak kills --count {bench.count} --seed {bench.seed}`: SIGKILL, then a check of what is"
        " left. A batch is resumed with `--skip-done`: each output must have a row and match it. The"
        " output of a cut, from the command line or the editor, must be unchanged or complete. Nothing"
        " else may be left in the folder, and no process may be left running.", "",
        "| | runs | killed before the end | failed |", "|---|---:|---:|---:|"]
    for kind in ("batch", "cut", "edit"):
        count = counts[kind]
        lines.append(f"| {kind} | {count['runs']} | {count['killed']} | {count['wrong']} |")
    print("\n".join(lines))
    bench.write("kills", lines)
    return 1 if any(count["wrong"] for count in counts.values()) else 0
