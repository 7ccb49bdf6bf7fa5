"""Measures what the trimming session costs, with a separate program."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def toolchain():
    find = 'source tools/lib.sh; find_toolchain; printf %s "$SWIFT"'
    return subprocess.run(
        ["bash", "-c", find], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.decode()


def measure_session(thresholds):
    """Measures the session's costs and counts; the program itself judges the counts."""
    scratch = ROOT / ".build/bench-session"
    subprocess.run(
        [toolchain(), "build", "-c", "release", "--product", "session-bench", "--package-path",
         ROOT, "--scratch-path", scratch],
        env=dict(os.environ, TRIM_BENCH="1"), stdout=sys.stderr, check=True)
    run = subprocess.run([scratch / "release/session-bench"], stdout=subprocess.PIPE, check=False)
    if run.returncode not in (0, 1):
        sys.exit(f"bench: exit status {run.returncode} from session-bench")
    figures = json.loads(run.stdout)
    figures.update(name="session", limit=thresholds["session"]["cpu"])
    figures["ok"] = run.returncode == 0 and figures["ratio"] <= figures["limit"]
    return figures


def session_lines(row):
    def line(value, limit, is_kept, what):
        return f"{'session':10} {value:>8} {limit:>8}  {'ok' if is_kept else 'MISSED'}  {what}"

    def millions(count):
        return f"{count / 1e6:.2f} million"

    sent = row["delivery"]
    loud = ", ".join(row["allocations"])
    yield f"{'':10} {'figure':>8} {'limit':>8}"
    yield line(f"{row['ratio']:.1f}", f"{row['limit']:.0f}", row["ratio"] <= row["limit"],
               f"times an empty loop ({row['input_nanoseconds']:.1f} / "
               f"{row['empty_loop_nanoseconds']:.1f} ns): {millions(row['inputs_per_second'])} "
               f"positions, {millions(row['drags_per_second'])} ranges per second; "
               f"{millions(row['presented_inputs_per_second'])} positions per second to a presenter")
    yield line(sum(row["allocations"].values()), 0, not loud and row["is_counter_alive"],
               f"allocations of {row['kinds_of_input']} kinds of input that have no effect"
               + (f": {loud}" if loud else ""))
    yield line(sent["lost"] + sent["out_of_order"], 0, sent["lost"] + sent["out_of_order"] == 0,
               f"lost or out of order, of {sent['sent']} events to each of three subscribers: "
               f"{millions(sent['sent_per_second'])} sent, "
               f"{millions(sent['read_per_second'])} read per second")
