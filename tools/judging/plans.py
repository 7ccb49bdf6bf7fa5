"""Checks that a cut from a written plan is the same file, byte for byte, as a cut in one step."""

import os

from judging import cutters


def faults(words, output):
    """- words: trim's command for a cut in one step, with --json, into `output`."""
    planned = output.with_name("plan.json")
    told = cutters.spoken([*words, "-n"], planned)
    if told.status:
        # A request is refused while planning, or not at all.
        return told, []
    whole = cutters.execute("trim", words, output)
    if whole.status:
        return whole, [f"exit status {whole.status} although it was planned: {whole.said[:300]}"]
    bytes_of_one = output.read_bytes()
    run = cutters.execute(
        "trim", [os.environ["TRIM"], "cut", "--plan", planned, "--json", "-f", "-o", output], output)
    if run.status:
        return run, [f"exit status {run.status} when executing the plan: {run.said[:300]}"]
    if output.read_bytes() != bytes_of_one:
        return run, ["the plan produces a different file"]
    return run, []
