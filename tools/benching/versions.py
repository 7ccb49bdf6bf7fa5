"""Compares this version with an older binary, on the same commands."""

import statistics
import subprocess
import sys

from .measures import proves_its_answer, run
from .pairs import BENCHMARKS

# Worse means by more than this, and by more than twice what the older one differs from itself.
TOLERANCE = 1.03


def answers(name, command):
    try:
        return proves_its_answer(name, command)
    except (subprocess.CalledProcessError, ValueError, KeyError, OSError):
        return False


def measure_against(name, old, new):
    """Runs new, old and old again in turn; `None` if the older one cannot do it."""
    what, commands, pairs = BENCHMARKS[name]
    before, after = commands(old)[0], commands(new)[0]
    if not answers(name, after):
        sys.exit(f"bench: {name}: the output is not the expected one")
    if not answers(name, before):
        return None
    rounds = [(run(after)[0], run(before)[0], run(before)[0]) for _ in range(max(pairs, 5))]
    ratio = statistics.median(2 * mine / (one + two) for mine, one, two in rounds)
    spread = statistics.median(abs(one / two - 1) for _, one, two in rounds)
    return {"name": name, "what": what, "rounds": len(rounds),
            "new_cpu": statistics.median(mine for mine, _, _ in rounds),
            "old_cpu": statistics.median(time for _, *times in rounds for time in times),
            "ratio": ratio, "spread": spread, "ok": ratio <= max(TOLERANCE, 1 + 2 * spread)}


def version_lines(rows):
    yield f"{'':15} {'new ms':>8} {'old ms':>8} {'ratio':>6} {'spread':>6}"
    for row in rows:
        yield (f"{row['name']:15} {row['new_cpu'] * 1000:8.1f} {row['old_cpu'] * 1000:8.1f} "
               f"{row['ratio']:6.3f} {row['spread']:6.3f}  {'ok' if row['ok'] else 'WORSE'}  "
               f"{row['what'].partition(' / ')[0]}")
