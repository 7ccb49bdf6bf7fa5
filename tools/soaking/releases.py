"""Debian's releases, each in a folder of its own: trim built against its FFmpeg, and the package used as a new user would.

Builds with the release's own Swift where that can (sid), else with this machine's toolchain. The release that this
machine runs is built by tools/trim, optimized; the others are not optimized, which changes no result."""

import functools
import importlib.machinery
import importlib.util
import json
import os
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

from soaking.systems import CACHE, ROOT, Attack, bare, bash, call, digest, release_here, tried

ABOUT = "Debian 12, 13 and sid: builds, accuracy, the judge's first rows, the attack program, the package (root, an hour)"
COUNT = 3
# The newest first: what is new there is what is most likely wrong.
RELEASES = ("sid", "trixie", "bookworm")
# Of each codec a clip that tools/judge cuts in all its ranges.
JUDGED = ("h264-closed.mp4", "hevc-idr.mp4", "vp9.webm", "av1.webm", "mpeg2.ts")
SEEN = re.compile(r"^(\S+) +(\S+) +(right|refused|WRONG) (.*)$", re.M)


def accuracy():
    """tools/accuracy as a module: it has no suffix."""
    loader = importlib.machinery.SourceFileLoader("accuracy", str(ROOT / "tools" / "accuracy"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("accuracy", loader))
    loader.exec_module(module)
    return module


class System:
    """A release in a folder, entered by chroot in a mount namespace of its own for each program."""

    def __init__(self, release, bench):
        self.release, self.bench = release, bench
        # The compiler of tools/cross is sid's own.
        self.folder = CACHE / ("sid" if release == "sid" else f"release-{release}")
        # What it sees of this machine, at the same place.
        self.shared = [bench.folder, Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "trim-judge",
                       *(Path(os.environ[name]) for name in ("TRIM_CORPUS",) if name in os.environ)]

    def enter(self):
        """A shell script that enters it and runs its arguments there."""
        lines = ["set -e", f"r={self.folder}", 'mkdir -p "$r/source"',
                 f'mount --bind {ROOT} "$r/source"; mount -o remount,bind,ro "$r/source"',
                 'mount --bind /dev "$r/dev"; mount --bind /proc "$r/proc"; mount --bind /dev/pts "$r/dev/pts"']
        toolchain = self.toolchain()
        for path in [ROOT, *self.shared, *([toolchain] if toolchain else [])]:
            Path(path).mkdir(parents=True, exist_ok=True)
            lines.append(f'mkdir -p "$r{path}"; mount --bind {path} "$r{path}"')
        here = 'd=$PWD; [ -d "$r$d" ] || d=/'
        return "\n".join([*lines, here, 'exec chroot "$r" env -u LD_LIBRARY_PATH PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin '
                          'LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive sh -c \'cd "$0" && exec "$@"\' "$d" "$@"'])

    def words(self, *words):
        return ["unshare", "--mount", "--propagation", "private", "bash", "-c", self.enter(), "soak", *map(str, words)]

    def wrapper(self, name, program):
        """Returns a program of this machine that runs one of the release's."""
        path = self.bench.folder / f"{name}-{self.release}"
        # Its own text differs with the program, by which tools/judge tells what it has judged already.
        path.write_text(f"#!/bin/bash\n# {digest(self.folder / program.lstrip('/'))}\n"
                        'exec unshare --mount --propagation private bash -c "$(cat <<\'ENTER\'\n'
                        f'{self.enter()}\nENTER\n)" soak {program} "$@"\n')
        path.chmod(0o755)
        return path

    @functools.cache
    def toolchain(self):
        """The folder of this machine's toolchain; `None` where the release has its own."""
        if (self.folder / "usr/libexec/swift/bin/swift").exists():
            return None
        swift = Path(bash('find_toolchain; readlink -f -- "$SWIFT"').strip())
        return swift.parents[2]

    def make(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        if not (self.folder / "etc/debian_version").exists():
            call(["tar", "-C", self.folder, "-xf", bare(self.release)])
        shutil.copy("/etc/resolv.conf", self.folder / "etc")
        (self.folder / "etc/apt/apt.conf.d/90soak").write_text('Acquire::Check-Valid-Until "false";\n')
        self.call("sh", "-c", "apt-get update -qq || true")
        self.call("bash", "-c", "ROOT=/source; source /source/tools/lib.sh; install_packages run; "
                  "apt-get install -y -qq --no-install-recommends ffmpeg git dpkg-dev lintian >/dev/null")

    def call(self, *words):
        return call(self.words(*words))

    def build(self):
        """Builds the tool and the attack program; returns their paths there."""
        swift = f"{self.toolchain()}/usr/bin/swift" if self.toolchain() else "/usr/libexec/swift/bin/swift"
        folder = "/build-release"
        (self.folder / folder.lstrip("/")).mkdir(exist_ok=True)
        for product in ("trim", "BatchHarness"):
            self.call(swift, "build", "--package-path", "/source", "--scratch-path", folder, "-c", "release",
                      "--product", product, "--static-swift-stdlib", "-Xswiftc", "-Onone", "-Xswiftc", "-use-ld=lld",
                      "-Xlinker", "--build-id=sha1", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs")
        return f"{folder}/release/trim", f"{folder}/release/BatchHarness"


def of_this_machine(bench):
    """The tool as tools/trim builds it, and the attack program of the tests' build."""
    call([ROOT / "tools" / "trim", "--version"])
    harness = Path(os.environ.get("TRIM_ATTACK") or bench.trim.parent / "BatchHarness")
    if not harness.exists():
        raise SystemExit(f"soak: {harness} is missing: swift build --build-tests, or TRIM_ATTACK=PROGRAM")
    return ROOT / ".build" / "tool" / "trim", harness


def judged(bench, trim):
    """Cuts the clips in all ranges; returns how many cuts are right, refused and wrong."""
    counts = {"right": 0, "refused": 0, "WRONG": 0}
    wrong = []
    for clip in JUDGED:
        result = subprocess.run([str(ROOT / "tools" / "judge"), "--only", clip, "--trim", str(trim), "-j", "2"],
                                capture_output=True, text=True, env=os.environ | {"TMPDIR": str(bench.folder)})
        rows = SEEN.findall(result.stdout)
        for name, span, verdict, why in rows:
            counts[verdict] += 1
            if verdict == "WRONG":
                wrong.append(f"{name} {span}: {why}")
        if not rows:
            wrong.append(f"{clip}: {(result.stderr or result.stdout)[-300:]}")
        print(f"{clip}: {len(rows)} cuts", flush=True)
    return counts, wrong


def newer_spans(corpus):
    """What FFmpeg 8.1 decodes of the files of which 5.1, by which the corpus is judged, decodes more: Matroska's
    codec delay (RFC 9559, 5.1.4.1.25)."""
    for line in (corpus / "MANIFEST.jsonl").read_text().splitlines():
        row = json.loads(line)
        if any(".first:" in text for text in row.get("version_diff", ())):
            streams = [stream for stream in row["pyav"]["streams"].values() if stream.get("end")]
            yield row["path"], (max(Fraction(stream["end"]) for stream in streams)
                                - min(Fraction(stream["first"]) for stream in streams))


def probed(trim, libavformat):
    """Returns how many probes are right, by set of files, and what is wrong."""
    module = accuracy()
    sets = {"samples": list(module.sample_clips())}
    newer = {}
    if os.environ.get("TRIM_CORPUS"):
        corpus = Path(os.environ["TRIM_CORPUS"])
        sets["corpus"] = list(module.corpus_clips(corpus))
        # The version of FFmpeg 8.
        newer = dict(newer_spans(corpus)) if libavformat >= 62 else {}
    told, wrong = [], []
    for name, clips in sets.items():
        module.ask_trim(str(trim), clips)
        fitting = [clip for clip in clips if clip.verdict("trim") == "wrong" and clip.name in newer
                   and abs(clip.answers["trim"] - newer[clip.name]) <= clip.tolerance]
        right = sum(clip.verdict("trim") == "right" for clip in clips)
        told.append(f"{name} {right + len(fitting)} of {len(clips)}" + (f" ({len(fitting)} as FFmpeg 8 decodes)" if fitting else ""))
        wrong += [f"probe {clip.name}: {clip.answers['trim']} s, not {clip.truth} s" for clip in clips
                  if clip.verdict("trim") != "right" and clip not in fitting]
    return ", ".join(told), wrong


def one(bench, release):
    """Returns a row for a release, and what is wrong there."""
    made = bench.folder / f"made-{release}"
    if release == release_here():
        trim, harness = of_this_machine(bench)
        call([ROOT / "tools" / "package", "--output", made])
        compiler = "this machine's Swift, optimized"
    else:
        system = System(release, bench)
        system.make()
        print(f"{release}: building", flush=True)
        there, harness = system.build()
        system.call("bash", "/source/tools/package", "--binary", there, "--output", made)
        trim = system.wrapper("trim", there)
        harness = system.wrapper("attack", harness)
        compiler = "its own Swift" if system.toolchain() is None else "this machine's Swift"
    engine = json.loads(call([trim, "doctor", "--json"]))["engine"]["versions"]
    right, wrong = probed(trim, int(engine["libavformat"].partition(".")[0]))
    print(f"{release}: right: {right}", flush=True)
    attack = Attack()
    attack.run(harness, bench.folder / "attacked")
    wrong += attack.worked
    print(f"{release}: {attack.tried} attacks, {len(attack.worked)} worked", flush=True)
    cuts, wrongs = judged(bench, trim)
    wrong += wrongs
    checks, notes, wrongs = tried("try", made, bare(release))
    wrong += wrongs
    first = next((re.match(r"\d+ s", note)[0] for note in notes if "first cut" in note), "?")
    name = {"bookworm": "12", "trixie": "13"}.get(release, release)
    row = (f"| {name} | {engine.get('libavformat', '?')} | {compiler} | {right} | "
           f"{cuts['right']}, {cuts['refused']}, {cuts['WRONG']} | {attack.tried - len(attack.worked)} of {attack.tried} | "
           f"{checks} checks, {first} |")
    print(row, flush=True)
    return row, [f"{name}: {text}" for text in wrong]


def cell(bench, number):
    row, wrong = one(bench, RELEASES[number])
    return {"row": row, "wrong": wrong}


def run(bench):
    # Each release takes both processors.
    bench.jobs = 1
    cells = list(bench.cells(lambda number, _: cell(bench, number)))
    # The oldest release first.
    rows = [one["row"] for one in reversed(cells)]
    wrong = [text for one in cells for text in one["wrong"]]
    print(*wrong, sep="\n")
    bench.write("releases", [
        "# Debian's releases", "", f"Written by `tools/soak releases --write --seed {bench.seed}`.", "",
        "Probed: the samples" + (" and the corpus" if "TRIM_CORPUS" in os.environ else "") + ", by `tools/accuracy`. Cut: "
        f"{', '.join(JUDGED)} of `tools/judge` in all its ranges. Attacks: each of the attack program in the process of"
        " four commands. The package: installed in a bare system, used and removed (`tools/packaging/try`); the seconds"
        " are those from the bare system to the first cut.", "",
        "| Debian | libavformat | built with | probed right | cuts right, refused, wrong | attacks refused | the package |",
        "|---|---|---|---|---|---|---|", *rows, *(["", "Wrong:", "", *(f"- {text}" for text in wrong)] if wrong else [])])
    return 1 if wrong else 0
