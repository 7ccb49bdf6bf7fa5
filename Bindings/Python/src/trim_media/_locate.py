"""Selects the engine to start: each binary uses one version of FFmpeg's libraries."""

from __future__ import annotations

import os
import shutil
import sysconfig
from pathlib import Path

from ._errors import EngineMissingError

VARIABLE = "TRIM_ENGINE"
"""The environment variable that names an engine to use in place of the package's."""

_FOLDER = Path(__file__).parent / "engines"


def locate(stated: str | os.PathLike[str] | None = None) -> str:
    """Returns the stated engine, else that of TRIM_ENGINE, else the package's engine for the
    installed libraries, else `trim` on the PATH."""
    named = stated or os.environ.get(VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise EngineMissingError(
                f"{os.fspath(named)} cannot be run", code="engineMissing", status=69
            )
        return found
    carried = _carried()
    for version in sorted(carried, reverse=True):
        if _is_here(f"libavformat.so.{version}"):
            return str(carried[version])
    if carried:
        # Without libraries, any engine reads MP4 and QuickTime, and names the packages to install.
        return str(carried[max(carried)])
    found = _on_path()
    if found is not None:
        return found
    raise EngineMissingError(
        "no engine was found",
        code="engineMissing",
        status=69,
        hint=f"Install the wheel for this platform, or name the binary in {VARIABLE}.",
    )


def _on_path() -> str | None:
    """Returns a `trim` other than this package's script, which would start itself."""
    own = Path(sysconfig.get_path("scripts"), "trim")
    for folder in os.get_exec_path():
        found = shutil.which("trim", path=folder)
        if found is not None and not (own.exists() and own.samefile(found)) and _is_binary(found):
            return found
    return None


def _is_binary(path: str) -> bool:
    with Path(path).open("rb") as file:
        return file.read(4) == b"\x7fELF"


def _is_here(library: str) -> bool:
    machine = os.uname().machine
    folders = [
        *os.environ.get("LD_LIBRARY_PATH", "").split(":"),
        f"/usr/lib/{machine}-linux-gnu",
        "/usr/local/lib",
        "/usr/lib64",
        "/usr/lib",
    ]
    return any(folder and Path(folder, library).exists() for folder in folders)


def _carried() -> dict[int, Path]:
    """Returns the package's engines that run with this system's C library, by libavformat."""
    needs: dict[int, tuple[int, ...]] = {}
    stated = _FOLDER / "glibc.txt"
    if stated.exists():
        for line in stated.read_text("ascii").splitlines():
            version, glibc = line.split()
            needs[int(version)] = _numbers(glibc)
    here = _numbers((os.confstr("CS_GNU_LIBC_VERSION") or "glibc 0").split()[-1])
    found = {int(file.name.rpartition("-")[2]): file for file in sorted(_FOLDER.glob("trim-*"))}
    return {version: file for version, file in found.items() if needs.get(version, ()) <= here}


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
