"""Runs the suites of which tools/test runs a sample, with all their cases."""

import os
import re
import subprocess

from soaking.bench import ROOT

ABOUT = "runs all cases of the suites that tools/test samples (after a build of the tests)"
COUNT = 1

SAMPLES = re.compile(r"\bSample\.(of|count|generator)\(")
SUITE = re.compile(r"^@Suite.*?\bstruct `([^`]+)`", re.M | re.S)


def sampled():
    """Returns the names of the suites whose files use a sample."""
    names = []
    for path in sorted((ROOT / "Tests").rglob("*Tests.swift")):
        text = path.read_text()
        if SAMPLES.search(text):
            names += SUITE.findall(text)
    return names


def run(bench):
    suites = sampled()
    pattern = "|".join(re.sub(r"[^\w ]", ".", name) for name in suites)
    print("\n".join(suites), flush=True)
    environment = {**os.environ, "TRIM_ALL_CASES": "1"}
    command = [os.environ.get("SWIFT", "swift"), "test", "--skip-build",
               "--disable-xctest", "--enable-swift-testing",
               "--experimental-maximum-parallelization-width", str(os.cpu_count()),
               "--filter", pattern]
    for _ in bench.cells(lambda number, folder: {}):
        done = subprocess.run(command, cwd=ROOT, env=environment, check=False,
                              capture_output=True, text=True)
        lines = done.stdout.splitlines()
        print("\n".join(line for line in lines if line.startswith(("✘", "↳", "error:"))))
        closing = next((line for line in reversed(lines) if "Test run with" in line), "")
        print(closing or done.stderr[-2000:], flush=True)
        if done.returncode or not re.search(r"with [1-9]\d* tests?", closing):
            return 1
    return 0
