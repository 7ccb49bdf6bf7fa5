"""Other systems on this machine: Debian's releases and architectures in folders, and what attacks them."""

import errno
import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGING = ROOT / "tools" / "packaging"
# What tools/cross keeps (tools/lib.sh, cross_folder).
CACHE = Path(os.environ.get("TRIM_CROSS") or Path.home() / ".cache" / "trim-cross")
# The commands whose process the attack program takes over, with the operation that is requested of it then
# (Tests/TrimCommandsTests/Sealed/SealedCommandTests.swift has all of them).
ATTACKED = {
    "probe": ("probe samples/chapters.mkv", "report"),
    "cut": ("cut samples/b-frames.mp4 --from 1.1 --to 2.3 -o made.mp4", "cut"),
    "strip": ("strip samples/b-frames.mp4 -o made.png", "draw"),
    "find": ("find samples/b-frames.mp4", "find"),
}
# The process that fetches addresses, which reports in JSON.
FETCHING = "fetching attack sealed"
REFUSED = {"EPERM", "EACCES"}
FEWEST = 100
# Fails: the attack program has ended as the tool does where its process breaks down.
BROKEN = 70


def call(words, **options):
    """Runs a command; returns its output, and exits with its messages if it fails."""
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if result.returncode:
        raise SystemExit(f"soak: {words[0]} failed:\n{result.stdout[-3000:]}{result.stderr[-3000:]}")
    return result.stdout


def bash(script, *words, **options):
    """Runs a shell script with the functions of tools/lib.sh."""
    return call(["bash", "-c", f'set -euo pipefail; ROOT=$1; source "$ROOT/tools/lib.sh"; shift; {script}', "soak",
                 ROOT, *words], **options)


def release_here():
    return re.search(r"^VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text(), re.M)[1]


def bare(release, architecture="amd64"):
    """Returns an archive of a minimal system without anything else, which is made once."""
    archive = CACHE / f"bare-{release}-{architecture}.tar"
    if not archive.exists():
        bash('emulate "$1"', architecture)
        part = archive.with_name(f"part-{archive.name}")
        call(["mmdebstrap", "--quiet", "--variant=minbase", f"--architectures={architecture}",
              '--aptopt=Acquire::Check-Valid-Until "false"', release, part])
        part.rename(archive)
    return archive


def outcomes(text):
    """What the attack program reports: each attack, with the error that it got."""
    return dict(re.findall(r'\b([a-z_0-9]{3,})(?:=|":")(\w+)', text))


def is_refused(name, error, command):
    # There, the filter answers `connect` with this, and nothing is in progress.
    return error == str(errno.EINPROGRESS) if command == FETCHING and name.startswith("connect_to_") else error in REFUSED


class Attack:
    """Counts attacks that were refused, and names those that were not."""

    def __init__(self):
        self.tried, self.worked = 0, []

    def add(self, command, text, status, user=None):
        found, where = outcomes(text), command + (f" as {user}" if user else "")
        if len(found) < FEWEST or status != (0 if command == FETCHING else BROKEN):
            self.worked.append(f"{where}: the attack program did not run to its end (status {status}): {text[-300:]}")
        self.tried += len(found)
        self.worked += [f"{where}: {name}={error}" for name, error in found.items() if not is_refused(name, error, command)]

    def run(self, harness, folder, start=(), environment=None):
        """Lets it take over each command's process, and the one that fetches. `start` are words before the program's path."""
        for command, (words, operation) in [*ATTACKED.items(), (FETCHING, (FETCHING, "none"))]:
            # One that the process could write to if it were not sealed.
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(mode=0o777)
            folder.chmod(0o777)
            victim = folder / "victim"
            victim.write_text("content")
            victim.chmod(0o666)
            result = subprocess.run(
                [*map(str, start), str(harness), *words.replace("made.", f"{folder}/made.").split()], cwd=ROOT, text=True,
                capture_output=True, timeout=300, env=os.environ | (environment or {}) | {
                    "TRIM_ATTACK_FOLDER": str(folder), "TRIM_ENGINE_ATTACK": operation, "TRIM_ISOLATION": "required"})
            self.add(command, result.stdout + result.stderr, result.returncode)
            if [path.name for path in folder.iterdir()] != ["victim"] or victim.read_text() != "content":
                self.worked.append(f"{command}: something was written")


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def tried(script, *words):
    """Runs a test of tools/packaging; returns how many checks it passed, what it measured, and what was wrong."""
    result = subprocess.run([str(PACKAGING / script), *map(str, words)], capture_output=True, text=True)
    lines = result.stdout.splitlines()
    print("\n".join(line for line in lines if not line.startswith("ok ")), flush=True)
    notes = [line.strip() for line in lines if line.startswith("      ") or "tests of the package" in line]
    wrong = [line for line in lines if line.startswith("WRONG")]
    if result.returncode and not wrong:
        wrong = [(result.stderr or result.stdout).strip()[-300:]]
    return sum(line.startswith("ok ") for line in lines), notes, wrong
