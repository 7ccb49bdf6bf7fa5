"""The binary, the package and the wheel for arm64, made on x86-64.

Under qemu-user: a sample of everything compared with this machine's trim, the package and the wheel installed in a
bare system. In a whole machine under qemu-system with Debian's kernel, whose filter of system calls and Landlock are
real: the seal, the files that a sealed cut makes, and the attack program."""

import hashlib
import json
import os
import re
import subprocess
import time
from pathlib import Path

from soaking.systems import ATTACKED, CACHE, FETCHING, PACKAGING, ROOT, Attack, bare, bash, call, release_here, tried
from soaking import machine

ABOUT = "the arm64 binary, package and wheel under qemu; its seal attacked under Debian's arm64 kernel (root, an hour)"
# The parts: --cell runs one of them.
COUNT = 3
SAMPLES = ("b-frames.mp4", "chapters.mkv", "vbr.mp3", "wrapped.ts")
# Copied without encoding, at random times of these files: the same bytes as on this machine.
CUT = {"b-frames.mp4": 2, "vbr.mp3": 1, "wrapped.ts": 1}
# Who is taken over in the machine: root, whose privileges the seal takes away, and someone without any.
TAKEN = [("root", "probe"), *(("nobody", command) for command in ATTACKED), ("root", FETCHING), ("nobody", FETCHING)]


def built(*options):
    return call([ROOT / "tools" / "cross", "arm64", *options]).splitlines()[-1]


def late_libraries(program):
    """The libraries that a program opens when it needs them."""
    names = re.findall(rb"lib(?:av\w+|sw\w+|curl|microhttpd)\.so\.\d+", open(program, "rb").read())
    return sorted({name.decode() for name in names} | {"libgcc_s.so.1"})


def script(cuts):
    """What the machine does."""
    lines = ["cd /", "trim doctor --json | tr -d '\\n' | sed 's/^/@@doctor /'; echo", "export TRIM_ISOLATION=required"]
    lines.append(f"trim probe --jsonl {' '.join(f'samples/{name}' for name in SAMPLES)} 2>/tmp/said | sed 's|^|@@probe |'")
    for place, (name, start, end) in enumerate(cuts):
        made = f"/tmp/{place}-{name}"
        lines.append(f"trim cut samples/{name} --from {start} --to {end} --mode copy -o {made} >/tmp/said 2>&1; "
                     f'echo "@@cut {place} $? $(sha256sum <{made}) $(tr "\\n" " " </tmp/said)"')
    lines.append("export TRIM_ATTACK_FOLDER=/tmp/attacked")
    for user, command in TAKEN:
        words, operation = ATTACKED.get(command, (command, "none"))
        words = words.replace("made.", "/tmp/attacked/made.")
        lines.append(
            "rm -rf /tmp/attacked; mkdir -m 777 /tmp/attacked; echo content >/tmp/attacked/victim; chmod 666 /tmp/attacked/victim\n"
            f'export TRIM_ENGINE_ATTACK={operation}; su -s /bin/sh {user} -c "cd /; exec attack {words}" >/tmp/said 2>&1; '
            f'echo "@@attack {user} {command.split()[0]} $? $(ls /tmp/attacked | tr "\\n" " ") $(cat /tmp/attacked/victim) : $(tr "\\n" " " </tmp/said)"')
    return "\n".join(lines)


def cut_here(bench, name, start, end):
    made = bench.folder / f"here-{name}"
    call([bench.trim, "cut", ROOT / "samples" / name, "--from", start, "--to", end, "--mode", "copy", "-f", "-o", made])
    return hashlib.sha256(made.read_bytes()).hexdigest()


def in_machine(bench, trim, attack):
    """Yields rows of what the machine under qemu-system did."""
    chance, cuts = bench.chance(0), []
    for name, count in CUT.items():
        for _ in range(count):
            start = chance.randrange(100, 900)
            cuts.append((name, start / 1000, (start + chance.randrange(300, 900)) / 1000))
    files = {f"samples/{name}": ROOT / "samples" / name for name in SAMPLES}
    # Without any, nothing is fetched.
    files["etc/ssl/certs/ca-certificates.crt"] = Path("/etc/ssl/certs/ca-certificates.crt")
    sysroot = CACHE / f"arm64-{release_here()}"
    began = time.monotonic()
    said = machine.run(bench.folder, sysroot, {"trim": trim, "attack": attack}, files, late_libraries(trim), script(cuts))
    lines = [line[2:].split(" ", 1) for line in said.splitlines() if line.startswith("@@")]
    told = {}
    for line in lines:
        told.setdefault(line[0], []).append(line[1] if len(line) > 1 else "")
    yield f"boots: {told.get('kernel', ['?'])[0]}", 1, [] if "end" in told else [said[-1500:]]

    sandbox = json.loads(told.get("doctor", ['{"sandbox": {}}'])[0])["sandbox"]
    yield (f"the seal, by doctor: {' '.join(sandbox.get('layers', []))}", len(sandbox.get("layers", [])),
           [] if sandbox.get("complete") else [f"not complete: {sandbox}"])

    wrong = []
    probed = told.get("probe", [])
    for name, text in zip(SAMPLES, probed + [""] * len(SAMPLES)):
        here = subprocess.run([bench.trim, "probe", "--jsonl", f"samples/{name}"], cwd=ROOT, capture_output=True, text=True)
        if text.strip() != here.stdout.strip():
            wrong.append(f"probe {name}: {text[:200]}")
    yield "sealed probes print what this machine's trim prints", len(SAMPLES), wrong

    wrong = []
    for place, (name, start, end) in enumerate(cuts):
        fields = told.get("cut", [])[place].split() if place < len(told.get("cut", [])) else ["", "", ""]
        if fields[1:3] != ["0", cut_here(bench, name, start, end)]:
            wrong.append(f"cut {name} {start}..{end}: {' '.join(fields)[:300]}")
    yield "sealed cuts, copied, have the bytes of this machine's", len(cuts), wrong

    tries = Attack()
    for line in told.get("attack", []):
        user, command, status, rest = line.split(" ", 3)
        command = FETCHING if FETCHING.startswith(f"{command} ") else command
        tries.add(command, rest, int(status), user)
        if not rest.startswith("victim  content :"):
            tries.worked.append(f"{command} as {user}: something was written: {rest[:80]}")
    if len(told.get("attack", [])) != len(TAKEN):
        tries.worked.append(f"only {len(told.get('attack', []))} commands were attacked")
    yield (f"attacks in the process of {', '.join(ATTACKED)} as nobody, of probe as root, and in the one that fetches as both, refused",
           tries.tried, tries.worked)
    print(f"the machine ran for {time.monotonic() - began:.0f} s", flush=True)


def compared(bench, trim):
    """The rows of tools/packaging/compare-arm64."""
    result = subprocess.run([str(PACKAGING / "compare-arm64"), str(CACHE / f"arm64-{release_here()}"), trim],
                            capture_output=True, text=True, env=os.environ | {"TRIM_HERE": str(bench.trim)})
    print(result.stdout, flush=True)
    count = re.search(r"arm64: (\d+) comparisons", result.stdout)
    wrong = [line for line in result.stdout.splitlines() if line.startswith("WRONG")]
    if result.returncode and not wrong:
        wrong = [result.stderr[-500:]]
    yield ("under qemu-user: the filter's numbers against the kernel's headers, every sample's probe, cuts compared",
           int(count[1]) if count else 0, wrong)


def packaged(bench, trim):
    """The package and the wheel in a bare system, emulated."""
    made = bench.folder / "made"
    call([ROOT / "tools" / "package", "--binary", trim, "--output", made])
    call([ROOT / "tools" / "python", "--engine", trim, "--output", made])
    archive = bare(release_here(), "arm64")
    bash('emulate arm64')
    count, notes, wrong = tried("try", made, archive, "arm64")
    yield f"the package: installs, cuts, uninstalls ({'; '.join(notes)})", count, wrong
    wheel = next(made.glob("trim_media-*_aarch64.whl"))
    count, notes, wrong = tried("try-wheel", wheel, archive)
    yield f"{wheel.name}: installs, probes, cuts, its tests ({'; '.join(notes)})", count, wrong


PARTS = {"files": compared, "machine": in_machine, "packages": packaged}
ABOUTS = {
    "files": "under qemu-user, which has no seccomp", "machine": "in a machine of its own under qemu-system, with Debian's kernel",
    "packages": "in a bare system for arm64, under qemu-user"}


def run(bench):
    programs = {"trim": built()}
    faults = 0
    for number, (name, part) in enumerate(PARTS.items()):
        if bench.only not in (None, number):
            continue
        rows = []
        words = [programs["trim"], *([built("--attack")] if name == "machine" else [])]
        for what, count, wrong in part(bench, *words):
            rows.append((what, count, wrong))
            faults += len(wrong)
            print(f"{count:6} {len(wrong):3} {what}", *wrong, sep="\n       ", flush=True)
        bench.write(f"arm64-{name}", [
            f"# arm64: {name}", "", f"Written by `tools/soak arm64 --write --seed {bench.seed} --cell {number}`: the binary of"
            f" `tools/cross arm64` {ABOUTS[name]}, beside this machine's trim.", "", "| what | tried | wrong |", "|---|---:|---:|",
            *(f"| {what} | {count} | {len(wrong)} |" for what, count, wrong in rows),
            *(["", *(f"- {text}" for _, _, wrong in rows for text in wrong)] if any(row[2] for row in rows) else [])])
    return 1 if faults else 0
