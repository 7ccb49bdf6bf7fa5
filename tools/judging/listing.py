"""Lists what is wrong or refused, clip by clip."""

import re


def listing(title, rows, reason):
    """Yields one line for all ranges of a clip that fail with the same message."""
    found = {}
    for row in rows:
        words = re.sub(r"(^trim: )?/\S*/", "", reason(row)).splitlines() or [""]
        found.setdefault((row["clip"], words[0]), []).append(row["range"])
    if found:
        yield f"\n{title}\n\n" + "".join(
            f"- {clip}, {', '.join(names)}: {words}\n"
            for (clip, words), names in sorted(found.items()))


def faults(row):
    return "; ".join(row["faults"])
