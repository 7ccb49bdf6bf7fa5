"""Makes the n-th system call of each kind fail in a cut, and kills a batch before each system call that
changes state; then checks what is left."""

import collections
import hashlib
import re
import subprocess

from soaking.bench import Rows
from soaking.kills import BatchRound, CutRound

ABOUT = "makes system calls of a cut fail, one at a time, and kills a batch before each of its calls"
COUNT = 600

# Each call and the error it returns. Calls of the dynamic loader fail too, before anything has begun.
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
# Only these calls change state that outlives the process.
CHANGES = ("write,pwrite64,linkat,renameat,renameat2,unlink,unlinkat,fsync,ftruncate,fchmod,"
           "fallocate,utimensat,flock,sendmsg")
# Swift aborts a process that cannot get memory or a thread, so these calls may end it by a signal.
MEMORY = {"mmap", "mprotect", "munmap", "brk", "madvise", "clone", "clone3", "getrandom"}
MOST_SECONDS = 120
LATE = "late"
KILL = "any that changes state"


def traced(attempt, log, *options):
    """Runs an attempt under strace; returns its exit status, or LATE, and its standard error."""
    program = attempt.command if isinstance(attempt, BatchRound) else [
        attempt.trim, *attempt.words()]
    process = subprocess.Popen(
        ["strace", "-f", "-qq", "-o", log, *options, *map(str, program)], stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        _, err = process.communicate(getattr(attempt, "tasks", b""), timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        # When strace ends, so do the processes that it traces.
        process.terminate()
        process.communicate()
        return LATE, ""
    return process.returncode, err.decode(errors="replace")


def counts(bench, kind, calls):
    """Returns how often any one thread makes each call in an undisturbed run, and the cut's digest."""
    folder = bench.folder / f"count-{kind.__name__}"
    folder.mkdir()
    log = bench.folder / f"count-{kind.__name__}.log"
    attempt = kind(bench, folder, bench.chance("count"))
    status, err = traced(attempt, log, "-e", f"trace={calls}")
    if status:
        raise SystemExit(f"soak: the undisturbed run ended with status {status}: {err}")
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
    """Returns up to `number` values, evenly spread from 1 to `most`."""
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
        return True, [*found, "timed out"]
    if status < 0 and call not in MEMORY:
        found.append(f"killed by signal {-status}")
    if status == 0 and attempt.content() in (None, attempt.OLDER):
        found.append("reported success, but wrote nothing")
    if status not in (0, 127) and status > 0 and not err.strip():
        found.append(f"status {status} without a message")
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
        "# Every system call: a failure, or a kill before it", "",
        f"`tools/soak calls --count {bench.options.count or COUNT} --seed {bench.seed}`, with strace."
        " A batch is killed before its n-th call that changes state, in any of its threads and"
        " processes, and resumed with `--skip-done`: each output must have a row and match it."
        " In a cut, the n-th call of a kind fails, in each of its threads: the output must be unchanged"
        " or complete, nothing else may be left, and only a cut that was written may report success."
        " A call that was not reached was not made: how often progress is reported and waited for"
        " depends on how long the cut takes.", "",
        "| call | injected | runs | reached | failed |", "|---|---|---:|---:|---:|"]
    for call, total in totals.items():
        lines.append(f"| {call} | "
                     f"{FAILURES.get(call, 'SIGKILL')} | {total['runs']} | {total['acted']} | "
                     f"{total['wrong']} |")
    print("\n".join(lines))
    bench.write("calls", lines)
    return 1 if any(total["wrong"] for total in totals.values()) else 0
