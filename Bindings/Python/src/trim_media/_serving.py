"""Answers the engine's questions about files that only this process can open.

The engine, which plans what is read, asks over sockets for the size of a file and for ranges of it
(`CallerFiles.swift` has the messages); a thread for each socket answers from the caller's file
system. Nothing of a file is kept here.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import socket
import struct
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ._stores import (
    SCHEMES,
    Store,
    StoredFile,
    is_file_object,
    is_url,
    shown_url,
    store_of,
    without_secrets,
)

_OPEN, _READ, _CONFIRM = range(3)
# More would be a mistake in the messages.
_MOST = 64 << 20
# Requests to stores at once, of all files of an engine, and of one.
_AT_ONCE, _OF_ONE = 16, 4


def shown(source: Any) -> str:
    """Returns what a file is called: a path, or a URL without what may be secret in it."""
    if isinstance(source, StoredFile):
        return source.shown
    if is_file_object(source):
        path = getattr(source, "path", None)
        if isinstance(path, str) and hasattr(source, "fs"):
            return StoredFile(path, source.fs).shown
        name = getattr(source, "name", None)
        return f"file-object://{Path(name).name if isinstance(name, str) else 'media'}"
    return shown_url(os.fsdecode(source))


def served(source: Any) -> Any:
    """Returns what this process reads for the engine, without the range after a URL
    (`s3://bucket/a.mp4#t=1,2`); `None` for what the engine opens itself."""
    if isinstance(source, StoredFile) or is_file_object(source):
        return source
    if isinstance(source, str | bytes) and is_url(text := os.fsdecode(source)):
        scheme = text.partition("://")[0].lower()
        # As the engine does with its own names: a file that exists is meant.
        if scheme in SCHEMES and not os.path.lexists(text):
            return _parted(text)[0]
    return None


def _parted(url: str) -> tuple[str, str]:
    path, mark, part = url.rpartition("#t=")
    return (path, mark + part) if mark else (url, "")


class ServedName(str):
    """What the engine calls a file that this process reads for it: no name of a local file."""

    __slots__ = ()


class Held:
    """The files of one task, by the names that the engine has for them."""

    def __init__(
        self, server: RangeServer, names: Sequence[str | None], parts: Sequence[str]
    ) -> None:
        self._server = server
        self.names = [
            None if name is None else ServedName(name + part)
            for name, part in zip(names, parts, strict=True)
        ]
        self._own = [name for name in names if name is not None]

    def cause(self, code: str) -> BaseException | None:
        """Returns what a file system raised last for one of them, if an error with this code is
        what the engine was told of it."""
        return self._server.cause(self._own, code)

    def release(self) -> None:
        self._server.release(self._own)


class _Entry:
    def __init__(self, source: Any) -> None:
        self.source = source
        self.uses = 0
        self.store: Store | None = None
        self.state: tuple[int, str] = (0, "")
        self.cause: BaseException | None = None
        # What the engine was told of it, and the start of the range that was read.
        self.code, self.place = "", -1


class RangeServer:
    """The files of all tasks of one engine that are in progress."""

    def __init__(self, workers: int) -> None:
        self.count = min(_AT_ONCE, max(_OF_ONE, 2 * workers))
        self._at_once = max(1, min(_OF_ONE, _AT_ONCE // self.count))
        self._lock = threading.Lock()
        self._entries: dict[str, _Entry] = {}
        self._sockets: list[socket.socket] = []

    def hold(self, sources: Iterable[Any]) -> Held:
        names: list[str | None] = []
        parts: list[str] = []
        for source in sources:
            part = _parted(source)[1] if isinstance(source, str) else ""
            found = served(source)
            parts.append(part)
            names.append(None if found is None else self._name(found))
        return Held(self, names, parts)

    def _name(self, source: Any) -> str:
        """Returns a name that no other file has meanwhile; the engine reads `#` as its own."""
        plain = shown(source).replace("#", "%23")
        plain = plain.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        with self._lock:
            name, number = plain, 1
            while (entry := self._entries.get(name)) and not _are_same(entry.source, source):
                number += 1
                name = f"{plain} ({number})"
            entry = self._entries.setdefault(name, _Entry(source))
            entry.uses += 1
            return name

    def release(self, names: Iterable[str]) -> None:
        with self._lock:
            for name in names:
                entry = self._entries[name]
                entry.uses -= 1
                if entry.uses == 0:
                    del self._entries[name]

    def cause(self, names: Iterable[str], code: str) -> BaseException | None:
        with self._lock:
            found = [self._entries[name] for name in names if name in self._entries]
        causes = (entry.cause for entry in found if entry.code == code)
        return next((one for one in causes if one is not None), None)

    # --- For the process of the engine.

    def connect(self) -> list[socket.socket]:
        """Returns the ends for a new process, which the caller closes once it has them."""
        self._sockets, others = [], []
        try:
            for _ in range(self.count):
                own, other = socket.socketpair()
                self._sockets.append(own)
                others.append(other)
                thread = threading.Thread(
                    target=self._serve, args=(own,), name="trim-ranges", daemon=True
                )
                try:
                    thread.start()
                except BaseException:
                    own.close()
                    raise
        except BaseException:
            # The threads that were started notice it, and end.
            for other in others:
                other.close()
            raise
        return others

    def are_lost(self) -> bool:
        """Whether the process has given up all of them, as it does when an answer is too late."""
        return not any(map(_is_connected, self._sockets))

    def leave_to_parent(self, null: int) -> None:
        """Called in a forked child."""
        for one in self._sockets:
            with contextlib.suppress(OSError):
                os.dup2(null, one.fileno(), inheritable=False)

    def _serve(self, line: socket.socket) -> None:
        with line, line.makefile("rb") as questions, contextlib.suppress(OSError):
            while len(words := questions.read(32)) == 32:
                kind, length, start, count = struct.unpack("<4q", words)
                if not (0 <= length < 1 << 20 and 0 <= count <= _MOST and start >= 0):
                    return
                name = questions.read(length).decode("utf-8", "replace")
                size, data = self._answer(kind, name, start, count)
                line.sendall(struct.pack("<2q", size, len(data)))
                line.sendall(data)

    def _answer(self, kind: int, name: str, start: int, count: int) -> tuple[int, bytes]:
        with self._lock:
            entry = self._entries.get(name)
        if entry is None:
            return _refused(
                "onlyLocalPaths",
                "this is an address, and only local paths are opened",
                "Download it first, or pass StoredFile(address) to read it through fsspec.",
            )
        try:
            if kind == _OPEN:
                store = store_of(entry.source)
                size, mark = store.state()
                if not 0 <= size < 1 << 63:
                    raise ValueError("the store says a size that no file has")
                data = _whole(store, 0, min(count, size), self._at_once)
                entry.store, entry.state, entry.cause = store, (size, mark), None
            elif entry.store is None:
                return _refused("internalError", "it was not opened")
            elif kind == _READ:
                size = entry.state[0]
                data = _whole(entry.store, start, count, self._at_once)
                if entry.place in range(start, start + count):
                    entry.cause = None
            else:
                size, data = entry.state[0], b""
                if entry.store.state() != entry.state:
                    raise _ChangedError
                entry.cause = None
        except BaseException as failure:
            # Anything that a file system raises is the cause of the task's error, also what is no
            # Exception: without an answer, the engine would wait for it.
            told = _failed(failure, is_open=kind == _OPEN)
            entry.code = told[1].partition(b"\n")[0].decode()
            entry.place = start if kind == _READ else -1
            entry.cause = None if isinstance(failure, _ChangedError) else failure
            return told
        return size, data


class _ChangedError(Exception):
    """The file is no longer what it was."""


def _is_connected(line: socket.socket) -> bool:
    number = line.fileno()
    if number < 0:
        return False
    poll = select.poll()
    poll.register(number, 0)
    return not poll.poll(0)


def _are_same(one: Any, other: Any) -> bool:
    if isinstance(one, StoredFile) and isinstance(other, StoredFile):
        return one.path == other.path and one.filesystem is other.filesystem
    return one is other or (isinstance(one, str) and one == other)


def _whole(store: Store, start: int, count: int, at_once: int) -> bytes:
    data = store.read(start, count, at_once) if count else b""
    if len(data) != count:
        raise _ChangedError
    return data


def _words(failure: BaseException) -> str:
    try:
        return without_secrets(" ".join(str(failure).split())) or type(failure).__name__
    except BaseException:
        return type(failure).__name__


def _failed(failure: BaseException, *, is_open: bool) -> tuple[int, bytes]:
    words = _words(failure)
    if isinstance(failure, _ChangedError):
        return _refused(
            "inputChanged",
            "it changed while it was being read",
            "Try again when nothing is writing to it.",
        )
    if isinstance(failure, FileNotFoundError):
        if is_open:
            return _refused("inputMissing", "there is no such file", "Check the name.")
        return _refused("inputChanged", "it was removed while it was being read")
    if isinstance(failure, PermissionError):
        return _refused("permissionDenied", f"the store does not allow reading it: {words}")
    if isinstance(failure, ImportError):
        return _refused(
            "fetcherMissing",
            f"the package that reads such addresses is not installed: {words}",
            "Install it, or pass StoredFile(path, filesystem).",
        )
    number = getattr(failure, "errno", None)
    if number in (errno.ETIMEDOUT,) or isinstance(failure, TimeoutError):
        return _refused("timedOut", f"the store did not answer in time: {words}")
    return _refused("storeFailed", f"its file system failed: {words}")


def _refused(code: str, message: str, hint: str = "") -> tuple[int, bytes]:
    return -1, f"{code}\n{message[:2000]}\n{hint}".encode("utf-8", "replace")
