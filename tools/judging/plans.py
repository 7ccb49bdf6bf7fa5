"""Whether a cut that executes a written plan is the file that a cut in one go is, byte by byte."""

import os

from judging import cutters


def faults(words, output):
    """- words: a cut of trim's in one go, with --json, into `output`."""
    planned = output.with_name("plan.json")
    told = cutters.spoken([*words, "-n"], planned)
    if told.status:
        # What is refused is refused in planning, or not at all.
        return told, []
    whole = cutters.execute("trim", words, output)
    if whole.status:
        return whole, [f"exit status {whole.status} though it was planned: {whole.said[:300]}"]
    bytes_of_one = output.read_bytes()
    run = cutters.execute(
        "trim", [os.environ["TRIM"], "cut", "--plan", planned, "--json", "-f", "-o", output], output)
    if run.status:
        return run, [f"exit status {run.status} of the plan: {run.said[:300]}"]
    if output.read_bytes() != bytes_of_one:
        return run, ["the plan makes another file"]
    return run, []
