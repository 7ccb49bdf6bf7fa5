"""A whole arm64 machine under qemu-system: Debian's kernel, and in its first file system trim with what it needs."""

import os
import re
import stat
import subprocess
from pathlib import Path

from soaking.systems import CACHE, call, release_here

READELF = "aarch64-linux-gnu-readelf"
# Seconds. It boots in 25 s on two processors that do nothing else.
PATIENCE = 3600


def kernel():
    """Returns the folder of Debian's kernel for arm64 and a shell without libraries, unpacked once."""
    folder = CACHE / f"kernel-arm64-{release_here()}"
    if not (folder / "ready").exists():
        subprocess.run(["rm", "-rf", "--", str(folder)], check=True)
        call(["mmdebstrap", "--quiet", "--variant=extract", "--arch=arm64", "--mode=root", "--skip=check/qemu",
              "--include=linux-image-arm64,busybox-static", release_here(), folder])
        (folder / "ready").touch()
    return folder


def needed(path):
    text = subprocess.run([READELF, "-d", str(path)], capture_output=True, text=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", text)


def libraries(sysroot, programs, late):
    """Yields each library that the programs need, also those that they open late, and what these need."""
    places = {}
    for path in Path(sysroot).glob("usr/lib/aarch64-linux-gnu/**/*.so*"):
        places.setdefault(path.name, path)
    for path in Path(sysroot).glob("lib/aarch64-linux-gnu/*.so*"):
        places[path.name] = path
    wanted, known = [*late, *(name for program in programs for name in needed(program))], set()
    while wanted:
        name = wanted.pop()
        if name in known or name not in places:
            continue
        known.add(name)
        # Links with absolute targets would lead out of it; libraries have relative ones.
        path = places[name].resolve()
        yield name, path
        wanted += needed(path)


class Archive:
    """A cpio archive, "newc" (the kernel's Documentation/driver-api/early-userspace/buffer-format.rst)."""

    def __init__(self, path):
        self.file, self.number, self.folders = open(path, "wb"), 0, set()

    def entry(self, name, mode, data=b"", device=(0, 0)):
        self.number += 1
        fields = [self.number, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(name) + 1, 0]
        head = "070701" + "".join(f"{value:08X}" for value in fields) + name + "\0"
        self.file.write(head.encode() + bytes(-len(head) % 4) + data + bytes(-len(data) % 4))

    def folder(self, name, mode=0o755):
        if name and name not in self.folders:
            self.folder(os.path.dirname(name))
            self.folders.add(name)
            self.entry(name, stat.S_IFDIR | mode)

    def add(self, name, data, mode=0o755):
        self.folder(os.path.dirname(name))
        self.entry(name, stat.S_IFREG | mode, data)

    def link(self, name, target):
        self.folder(os.path.dirname(name))
        self.entry(name, stat.S_IFLNK | 0o777, target.encode())

    def close(self):
        self.entry("TRAILER!!!", 0)
        self.file.close()


BEGIN = """#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin HOME=/tmp LC_ALL=C.UTF-8
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev; mount -t tmpfs tmp /tmp
mount -t securityfs security /sys/kernel/security; ip link set lo up; chmod 1777 /tmp
# Several lines of the kernel's in the middle of ours would be read as ours.
dmesg -n 1
echo "@@kernel $(uname -r -m) $(cat /sys/kernel/security/lsm)"
"""
END = """
echo "@@end"
poweroff -f
"""


def run(folder, sysroot, programs, files, late, script):
    """Boots a machine that runs a script with these programs and files; returns what it printed."""
    system = kernel()
    made = folder / "machine.cpio"
    archive = Archive(made)
    for name in ("proc", "sys", "dev", "tmp", "root"):
        archive.folder(name)
    archive.entry("dev/console", stat.S_IFCHR | 0o600, device=(5, 1))
    archive.add("bin/busybox", (system / "bin" / "busybox").read_bytes())
    archive.link("bin/sh", "busybox")
    archive.add("etc/passwd", b"root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/tmp:/bin/sh\n", 0o644)
    archive.add("etc/shadow", b"root:*:1::::::\n", 0o600)
    archive.add("etc/group", b"root:x:0:\nnogroup:x:65534:\n", 0o644)
    for name, path in {**{f"bin/{name}": path for name, path in programs.items()}, **files}.items():
        archive.add(name, Path(path).read_bytes())
    loader = "ld-linux-aarch64.so.1"
    for name, path in libraries(sysroot, programs.values(), [*late, loader]):
        archive.add(f"lib/{name}" if name == loader else f"lib/aarch64-linux-gnu/{name}", path.read_bytes())
    archive.add("init", (BEGIN + script + END).encode())
    archive.close()
    image = next((system / "boot").glob("vmlinuz-*-arm64"))
    said = folder / "machine.log"
    subprocess.run(
        ["qemu-system-aarch64", "-M", "virt", "-accel", "tcg,tb-size=512", "-cpu", "cortex-a72", "-smp", "2", "-m", "3072", "-nographic", "-no-reboot",
         "-nic", "none", "-kernel", str(image), "-initrd", str(made), "-append", "console=ttyAMA0 quiet panic=-1"],
        stdin=subprocess.DEVNULL, stdout=said.open("wb"), stderr=subprocess.STDOUT, timeout=PATIENCE)
    made.unlink()
    return said.read_text(errors="replace").replace("\r", "")
