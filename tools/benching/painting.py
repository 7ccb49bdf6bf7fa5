"""Measures what playing every frame in a terminal costs."""

import fcntl
import os
import pty
import statistics
import struct
import sys
import termios
import time

from .clips import big_clip


def play_on_a_terminal(trim, *arguments):
    """Plays a file in an 80x24 terminal until it ends by itself.

    Returns wall and CPU seconds, and the number of repaints.
    """
    process, terminal = pty.fork()
    if process == 0:
        environment = dict(os.environ, TERM="xterm-256color", COLORTERM="truecolor",
                           LANG="C.UTF-8", TRIM_NO_TUTORIAL="1")
        os.execve(trim, [trim, "play", *arguments], environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    start = time.monotonic()
    painted = 0
    try:
        while chunk := os.read(terminal, 1 << 16):
            painted += chunk.count(b"\x1b[?2026h")
    except OSError:  # How Linux reports that the other end is closed.
        pass
    _, status, usage = os.wait4(process, 0)
    wall = time.monotonic() - start
    os.close(terminal)
    if status != 0:
        sys.exit(f"bench: exit status {os.waitstatus_to_exitcode(status)} from trim play")
    return wall, usage.ru_utime + usage.ru_stime, painted


def measure_painting(trim, thresholds):
    """Measures what playing every frame costs, and whether a loop restarts within one frame.

    Startup and exit cost the same in a short and a long run, so the difference excludes them.
    """
    clip, frame = str(big_clip()), 1 / 30
    part = ["--picture-rate", "30", "--from", "7.3", "--for", "5"]
    shares, periods, rates = [], [], []
    for _ in range(3):
        short = play_on_a_terminal(trim, clip, *part, "--loops", "1")
        long = play_on_a_terminal(trim, clip, *part, "--loops", "4")
        wall, cpu, painted = (one - other for one, other in zip(long, short))
        shares.append(cpu / wall)
        rates.append(painted / wall)
        periods.append(abs(wall / 3 - 5))
    row = {"name": "painting", "share": statistics.median(shares),
           "limit": thresholds["painting"]["cpu"], "painted_per_second": statistics.median(rates),
           "late": statistics.median(periods), "late_limit": frame}
    # A slow machine may drop frames; if it drops a third, nothing has been measured.
    row["is_painted"] = row["painted_per_second"] > 20
    row["ok"] = (row["share"] <= row["limit"] and row["late"] <= frame and row["is_painted"])
    return row


def painting_lines(row):
    def line(value, limit, is_kept, what):
        return f"{'painting':10} {value:>8} {limit:>8}  {'ok' if is_kept else 'MISSED'}  {what}"

    yield f"{'':10} {'figure':>8} {'limit':>8}"
    yield line(f"{row['share']:.3f}", f"{row['limit']:.2f}", row["share"] <= row["limit"],
               "of one core plays 720p in 80x24 at 30 fps, with "
               f"{row['painted_per_second']:.1f} repaints per second")
    yield line(f"{row['late'] * 1000:.1f}", f"{row['late_limit'] * 1000:.1f}",
               row["late"] <= row["late_limit"] and row["is_painted"],
               "ms of error in the period of a 5 s loop; the limit is one frame")
