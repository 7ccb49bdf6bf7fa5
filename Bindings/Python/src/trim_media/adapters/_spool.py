"""Room on this machine's disk for files that come from elsewhere: bounded, and gone when its
process is, whatever that died of."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path

USUAL = 8 << 30
"""Bytes that the files of one process may take."""

_spools: weakref.WeakSet[Spool] = weakref.WeakSet()


class TooLargeError(Exception):
    """The file would not fit even if the spool were empty."""


class Spool:
    """A folder of its own that never holds more than `limit` bytes.

    Who needs room waits until others give theirs back. A small process beside this one removes the
    folder when this one ends, be it by SIGKILL: it waits for the end of a pipe.
    """

    def __init__(self, limit: int = USUAL, folder: str | None = None) -> None:
        self.limit = limit
        self.folder = Path(tempfile.mkdtemp(prefix="trim-spool-", dir=folder))
        self.most = 0
        self._taken = 0
        self._number = 0
        self._owner = os.getpid()
        self._room = threading.Condition()
        # A session of its own: what ends a whole group of processes must not end this one.
        self._remover = subprocess.Popen(
            ["sh", "-c", 'cat >/dev/null; exec rm -rf -- "$1"', "sh", str(self.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
        )
        _spools.add(self)

    @contextlib.contextmanager
    def place(self, size: int) -> Iterator[Place]:
        """A folder for one task with room for `size` bytes, until the end of the block.

        Raises `TooLargeError` where the whole spool would be too small.
        """
        if size > self.limit:
            raise TooLargeError
        with self._room:
            self._room.wait_for(lambda: self._taken + size <= self.limit)
            self._taken += size
            self.most = max(self.most, self._taken)
            self._number += 1
            folder = self.folder / str(self._number)
        try:
            folder.mkdir()
            yield Place(folder, size)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            with self._room:
                self._taken -= size
                self._room.notify_all()

    def close(self) -> None:
        """Removes the folder."""
        if os.getpid() == self._owner:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.leave()
            self._remover.wait()

    def leave(self) -> None:
        """Gives up the pipe; called in a forked child too, which must not hold up the removal."""
        if self._remover.stdin is not None:
            with contextlib.suppress(OSError):
                self._remover.stdin.close()


class Place:
    """The room of one task."""

    def __init__(self, folder: Path, size: int) -> None:
        self.folder, self.size = folder, size


def _close() -> None:
    for one in list(_spools):
        one.close()


atexit.register(_close)


def _leave() -> None:
    for one in _spools:
        one.leave()


os.register_at_fork(after_in_child=_leave)
