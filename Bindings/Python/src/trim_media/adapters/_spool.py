"""Space on the local disk for remote files: bounded, and removed when its process ends, however it
ends."""

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
"""The default limit in bytes for the files of one process."""

_spools: weakref.WeakSet[Spool] = weakref.WeakSet()


class TooLargeError(Exception):
    """The file would not fit even if the spool were empty."""


class Spool:
    """A folder that never holds more than `limit` bytes.

    A task that needs space waits until others release theirs. A small companion process removes the
    folder when this process ends, even by SIGKILL: it waits for the end of a pipe.
    """

    def __init__(self, limit: int = USUAL, folder: str | None = None) -> None:
        self.limit = limit
        self.folder = Path(tempfile.mkdtemp(prefix="trim-spool-", dir=folder))
        self.most = 0
        self._taken = 0
        self._number = 0
        self._owner = os.getpid()
        self._room = threading.Condition()
        # Its own session: a signal to the whole process group must not end it.
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
        """Provides a folder with space for `size` bytes for one task, until the end of the block.

        Raises `TooLargeError` if the whole spool is too small.
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
        """Closes the pipe; also called in a forked child, which must not delay the removal."""
        if self._remover.stdin is not None:
            with contextlib.suppress(OSError):
                self._remover.stdin.close()


class Place:
    """The folder of one task."""

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
