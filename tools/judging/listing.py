"""A list of what is wrong or refused, film by film."""

import re


def listing(title, rows, reason):
    """One line for all ranges of a film that fail in the same words."""
    found = {}
    for row in rows:
        words = re.sub(r"(^trim: )?/\S*/", "", reason(row)).splitlines() or [""]
        found.setdefault((row["film"], words[0]), []).append(row["range"])
    if found:
        yield f"\n{title}\n\n" + "".join(
            f"- {film}, {', '.join(names)}: {words}\n"
            for (film, words), names in sorted(found.items()))


def faults(row):
    return "; ".join(row["faults"])
