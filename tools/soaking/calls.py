"""Makes a system call of a cut fail, the n-th of its kind, and kills a batch in front of each of its
calls that change something; then looks at what is left."""

import collections
import hashlib
import re
import subprocess

from soaking.bench import Rows
from soaking.kills import BatchRound, CutRound, strangers

ABOUT = "the n-th failure of every system call of a cut, and a kill before each call of a batch"
COUNT = 600

# A call and how it fails. Each also fails for what loads the program; then nothing has begun.
FAILURES = {
    "openat": "EMFILE", "read": "EIO", "pread64": "EIO", "write": "ENOSPC", "pwrite64": "ENOSPC",
    "fsync": "EIO", "linkat": "EIO", "renameat": "EIO", "ftruncate": "EIO", "newfstatat": "EIO",
    "fstat": "EIO", "statfs": "EIO", "close": "EIO", "fcntl": "EINVAL", "flock": "EINTR",
    "unlinkat": "EIO", "fchmod": "EPERM", "fallocate": "ENOSPC", "socketpair": "EMFILE",
    "sendmsg": "ENOBUFS", "recvmsg": "EIO", "recvfrom": "ECONNRESET", "poll": "EINVAL",
    "wait4": "EINTR", "kill": "EPERM", "clone3": "EAGAIN", "clone": "EAGAIN", "mmap": "ENOMEM",
    "mprotect": "ENOMEM", "munmap": "EINVAL", "brk": "ENOMEM", "madvise": "EINVAL",
    "getrandom": "EINTR", "rt_sigaction": "EINVAL", "prlimit64": "EPERM", "seccomp": "EINVAL",
    "landlock_create_ruleset": "ENOSYS", "capset": "EPERM", "prctl": "EINVAL",
}
# Between two of these nothing changes that outlives the process.
CHANGES = ("write,pwrite64,linkat,renameat,renameat2,unlink,unlinkat,fsync,ftruncate,fchmod,"
           "fallocate,utimensat,flock,sendmsg")
# Swift ends a process that gets no memory, and no thread; it may do so here.
MEMORY = {"mmap", "mprotect", "munmap", "brk", "madvise", "clone", "clone3", "getrandom"}
MOST_SECONDS = 120
LATE = "late"
KILL = "any that changes"


def traced(attempt, log, *options):
    """How it ended, under strace; None where that had nothing to inject."""
    program = attempt.command if isinstance(attempt, BatchRound) else [
        attempt.trim, *attempt.words()]
    process = subprocess.Popen(
        ["strace", "-f", "-qq", "-o", log, *options, *map(str, program)], stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        _, err = process.communicate(getattr(attempt, "tasks", b""), timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        # With strace end all that it traces.
        process.terminate()
        process.communicate()
        return LATE, ""
    return process.returncode, err.decode(errors="replace")


def counts(bench, kind, calls):
    """How often one thread makes each call, at most, where nothing is injected."""
    folder = bench.folder / f"count-{kind.__name__}"
    folder.mkdir()
    log = bench.folder / f"count-{kind.__name__}.log"
    attempt = kind(bench, folder, bench.chance("count"))
    status, err = traced(attempt, log, "-e", f"trace={calls}")
    if status:
        raise SystemExit(f"soak: undisturbed, it ends with {status}: {err}")
    numbers = collections.Counter()
    for line in log.read_text(errors="replace").splitlines():
        if call := re.match(r"(\d+) +(\w+)\(", line):
            numbers[call[2], call[1]] += 1
    if kind is CutRound:
        attempt.whole = hashlib.sha256(attempt.content()).digest()
    found = collections.defaultdict(int)
    for (call, _), number in numbers.items():
        found[call] = max(found[call], number)
    return found, attempt.whole


def spread(most, number):
    """So many numbers from 1 to the most, or all."""
    if most <= number:
        return list(range(1, most + 1))
    return sorted({1 + step * (most - 1) // (number - 1) for step in range(number)})


def cells_of(bench):
    failing, whole = counts(bench, CutRound, ",".join(FAILURES))
    changing, _ = counts(bench, BatchRound, CHANGES)
    kills = [(KILL, n) for n in range(1, sum(changing.values()) + 2)]
    left = max(1, (bench.count - len(kills)) // max(1, len(failing)))
    return [*kills, *((call, n) for call in FAILURES if call in failing
                      for n in spread(failing[call], max(2, left)))], whole


def failed(attempt, call, number, log):
    status, err = traced(attempt, log, "-e", f"trace={call}", "-e",
                         f"inject={call}:error={FAILURES[call]}:when={number}")
    if "INJECTED" not in log.read_text(errors="replace"):
        return False, []
    found = attempt.findings()
    if status == LATE:
        return True, [*found, "it does not end"]
    if status < 0 and call not in MEMORY:
        found.append(f"it died of signal {-status}")
    if status == 0 and attempt.content() in (None, attempt.OLDER):
        found.append("it says that it is done, and nothing is written")
    if status not in (0, 127) and status > 0 and not err.strip():
        found.append(f"status {status} without a word")
    return True, found


def killed(attempt, number, log):
    status, _ = traced(attempt, log, "-e", f"trace={CHANGES}", "-e",
                       f"inject={CHANGES}:signal=SIGKILL:when={number}")
    return "killed by SIGKILL" in log.read_text(errors="replace"), attempt.findings()


def run(bench):
    cells, whole = cells_of(bench)
    bench.count = len(cells)
    print(f"{len(cells)} calls", flush=True)

    def work(number, folder):
        call, n = cells[number]
        chance, log = bench.chance(number), folder.with_suffix(".log")
        if call == KILL:
            acted, found = killed(BatchRound(bench, folder, chance), n, log)
        else:
            acted, found = failed(CutRound(bench, folder, chance, whole), call, n, log)
        return {"call": call, "n": n, "acted": acted, "findings": found}

    rows, totals = Rows("calls"), collections.defaultdict(collections.Counter)
    for row in bench.cells(work):
        totals[row["call"]].update(runs=1, acted=int(row["acted"]), wrong=int(bool(row["findings"])))
        if row["findings"]:
            rows.add(row)
            print(f"{row['call']} {row['n']}: {row['findings']}", flush=True)
    lines = [
        "# Every system call, failing and as the last one", "",
        f"`tools/soak calls --count {bench.options.count or COUNT} --seed {bench.seed}`, with strace."
        " A batch is killed in front of its n-th call that changes something, in any of its threads"
        " and processes, and goes on with `--skip-done`: each output has its row, and is what the row"
        " says. Of a cut the n-th call of a kind fails, in each of its threads: its output is as it was"
        " or whole, nothing else is left, and only success says so. A call that is not reached was not made:"
        " how often progress is told, and waited for, depends on how long the cut takes.", "",
        "| call | as | runs | reached | something wrong |", "|---|---|---:|---:|---:|"]
    for call, total in totals.items():
        lines.append(f"| {call} | "
                     f"{FAILURES.get(call, 'SIGKILL')} | {total['runs']} | {total['acted']} | "
                     f"{total['wrong']} |")
    print("\n".join(lines))
    bench.write("calls", lines)
    return 1 if any(total["wrong"] for total in totals.values()) else 0
