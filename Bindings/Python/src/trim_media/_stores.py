"""Files in object stores and other file systems, through pyarrow or fsspec, and file objects."""

from __future__ import annotations

import contextlib
import os
import re
import threading
import weakref
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath
from typing import Any, Protocol

_CHUNK = 8 << 20
# Stores in which an object appears only when its upload is complete.
_ATOMIC = {"s3", "gcs", "abfs"}

SCHEMES = frozenset(["gcs", "gs", "hf", "memory", "s3", "s3a"])
"""Those that a plain URL may have: they name an object and no server, as `hdfs` would."""


class FileObject(Protocol):
    """An open binary file that can seek."""

    def read(self, size: int = ..., /) -> Any: ...

    def seek(self, offset: int, whence: int = ..., /) -> Any: ...


_HTTP = re.compile(r"(?i)https?://")


def is_url(path: object) -> bool:
    return isinstance(path, str) and "://" in path.split("?", 1)[0]


def is_http(path: object) -> bool:
    """Whether the engine itself fetches it."""
    return isinstance(path, str) and _HTTP.match(path) is not None


def shown_url(url: str) -> str:
    """Returns a URL without user and query, which may be secret."""
    parts = re.match(r"([A-Za-z][A-Za-z0-9+.-]*://)([^/?#\\]*@)?([^?#]*)(\?)?", url)
    if parts is None:
        return url
    # What is no port may be a password with a slash in it.
    host = re.split(r"[/\\]", parts[3], maxsplit=1)[0]
    if not re.fullmatch(r"\[.*|[^:]*|.*:[0-9]*", host, re.DOTALL):
        return f"{parts[1]}…"
    return parts[1] + parts[3] + ("?…" if parts[4] else "")


def without_secrets(text: str) -> str:
    """Returns a message with every URL in it as it is shown."""
    return re.sub(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"<>]+", lambda found: shown_url(found[0]), text)


@dataclass(frozen=True, eq=False)
class StoredFile:
    """A file that this process reads for the engine, range by range as the engine asks.

    - path: a URL of any scheme that pyarrow or fsspec can open, or a path in `filesystem`.
    - filesystem: a file system of pyarrow or fsspec.

    A path of a task that is `s3://…`, `gs://…`, `hf://…` or `memory://…` is one too, as are binary
    file objects and what `fsspec.open` returns. Every other scheme has to be asked for like this,
    because it can name a server.
    """

    path: str
    filesystem: Any = None

    @property
    def shown(self) -> str:
        """What the file is called in results and errors: a URL without user and query."""
        return _served_name(self.path, self.filesystem)

    def __repr__(self) -> str:
        return f"StoredFile({self.shown!r})"


def _served_name(path: str, system: Any) -> str:
    if system is not None and "://" not in path:
        kinds = getattr(system, "protocol", None) or getattr(system, "type_name", None) or "fs"
        kind = kinds if isinstance(kinds, str) else kinds[0]
        path = f"{re.sub('[^A-Za-z0-9+.-]', '-', kind)}://{path.lstrip('/')}"
    # The engine would fetch it itself.
    return shown_url(f"fs+{path}" if is_http(path) else path)


class Store(Protocol):
    """One remote file."""

    name: str
    """The file name without folders."""

    def state(self) -> tuple[int, str]:
        """Returns its size and a version mark; raises `FileNotFoundError` if it does not exist."""

    def read(self, start: int, length: int, at_once: int = 1) -> bytes:
        """Reads a range, with at most so many requests at once."""

    def put(self, source: Path) -> None:
        """Uploads a local file; the remote file appears only when it is complete."""


def open_store(url: str, system: Any = None, *, is_plain: bool = False) -> Store:
    """Opens a file by its URL, or by its path in a file system of pyarrow or fsspec.

    With `is_plain`, the URL cannot choose the server, as pyarrow lets its query do.
    """
    if system is not None:
        return _opened(system, url) if _is_arrow(system) else _Fsspec(system, url)
    if not (is_plain and "?" in url):
        with contextlib.suppress(ImportError):
            import pyarrow as pa
            import pyarrow.fs as pafs

            try:
                return _opened(*pafs.FileSystem.from_uri(url))
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
                pass
    import fsspec

    return _Fsspec(*fsspec.core.url_to_fs(url))


def store_of(source: Any) -> Store:
    """Returns the store of a `StoredFile`, of a file object, or of what `fsspec.open` returns."""
    if isinstance(source, StoredFile):
        return open_store(source.path, source.filesystem)
    if isinstance(source, str):
        return open_store(source, is_plain=True)
    if getattr(source, "compression", None):
        raise ValueError("a file that is decompressed while it is read has no ranges")
    system, path = getattr(source, "fs", None), getattr(source, "path", None)
    if isinstance(path, str) and hasattr(system, "cat_file"):
        return _Fsspec(system, path)
    return _Object(source)


def is_file_object(source: object) -> bool:
    """Whether it has a file's bytes itself, and is no name."""
    if isinstance(source, str | bytes | PurePath):
        return False
    if hasattr(source, "fs") and hasattr(source, "path"):
        return True
    return hasattr(source, "read") and hasattr(source, "seek")


def _is_arrow(system: Any) -> bool:
    return type(system).__module__.partition(".")[0] == "pyarrow" or hasattr(system, "type_name")


def _opened(system: Any, path: str) -> Store:
    """Opens a file in a file system of pyarrow; one of fsspec in it is used itself, because pyarrow
    does not invalidate its cache."""
    inner = getattr(getattr(system, "handler", None), "fs", None)
    return _Arrow(system, path) if inner is None else _Fsspec(inner, path)


class _Arrow:
    def __init__(self, system: Any, path: str) -> None:
        self._system, self._path = system, path
        self._file: Any = None
        self.name = PurePosixPath(path).name

    def state(self) -> tuple[int, str]:
        info = self._system.get_file_info(self._path)
        if not info.is_file:
            raise FileNotFoundError("there is no such file")
        return int(info.size), str(info.mtime_ns)

    def read(self, start: int, length: int, at_once: int = 1) -> bytes:
        self._file = self._file or self._system.open_input_file(self._path)
        return bytes(self._file.read_at(length, start))

    def put(self, source: Path) -> None:
        if self._system.type_name in _ATOMIC:
            self._copy(source, self._path)
            return
        self._system.create_dir(str(PurePosixPath(self._path).parent), recursive=True)
        part = f"{self._path}.{os.getpid()}.part"
        self._copy(source, part)
        self._system.move(part, self._path)

    def _copy(self, source: Path, path: str) -> None:
        with source.open("rb") as file, self._system.open_output_stream(path) as target:
            while data := file.read(_CHUNK):
                target.write(data)


class _Fsspec:
    def __init__(self, system: Any, path: str) -> None:
        self._system, self._path = system, path
        self.name = PurePosixPath(path).name

    def state(self) -> tuple[int, str]:
        # Its cache may be out of date.
        self._system.invalidate_cache()
        info = self._system.info(self._path)
        if info["type"] != "file":
            raise FileNotFoundError("there is no such file")
        if info.get("size") is None:
            raise OSError("the store does not say how large it is")
        marks = ("ETag", "etag", "blob_id", "LastModified", "last_modified", "mtime", "created")
        mark = next((info[key] for key in marks if info.get(key) is not None), "")
        return int(info["size"]), str(mark)

    def read(self, start: int, length: int, at_once: int = 1) -> bytes:
        starts = [*range(start, start + length, _CHUNK)]
        if len(starts) < 2:
            return bytes(self._system.cat_file(self._path, start=start, end=start + length))
        ends = [*starts[1:], start + length]
        found: list[bytes] = []
        for place in range(0, len(starts), at_once):
            now = slice(place, place + at_once)
            paths = [self._path] * len(starts[now])
            found += self._system.cat_ranges(paths, starts[now], ends[now], on_error="raise")
        return b"".join(found)

    def put(self, source: Path) -> None:
        self._system.put_file(str(source), self._path)


class _Turn:
    """Whose turn it is to use an open file."""

    def __init__(self) -> None:
        self.lock = threading.Lock()


class _Turns:
    """One for each open file, as long as any `_Object` has the file, and so its identity."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of: weakref.WeakValueDictionary[int, _Turn] = weakref.WeakValueDictionary()

    def turn(self, file: Any) -> _Turn:
        with self._lock:
            return self._of.setdefault(id(file), _Turn())

    def renew(self) -> None:
        self._lock = threading.Lock()
        for turn in self._of.values():
            turn.lock = threading.Lock()


_turns = _Turns()
# A lock that another thread held during a fork would never be released in the child.
os.register_at_fork(after_in_child=_turns.renew)


class _Object:
    """An open file, whose position is left as it was."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._turn = _turns.turn(file)
        self.name = PurePosixPath(str(getattr(file, "name", None) or "media")).name

    def state(self) -> tuple[int, str]:
        with self._turn.lock:
            before = self._file.tell()
            try:
                size = int(self._file.seek(0, os.SEEK_END) or self._file.tell())
            finally:
                self._file.seek(before)
        try:
            status = os.fstat(self._file.fileno())
        except (AttributeError, OSError, ValueError):
            return size, ""
        return size, str(status.st_mtime_ns)

    def read(self, start: int, length: int, at_once: int = 1) -> bytes:
        found = bytearray()
        with self._turn.lock:
            before = self._file.tell()
            try:
                self._file.seek(start)
                while len(found) < length and (data := self._file.read(length - len(found))):
                    if not isinstance(data, bytes | bytearray | memoryview):
                        raise TypeError("it is a text file: open it with mode 'rb'")
                    found += data
            finally:
                self._file.seek(before)
        return bytes(found)

    def put(self, source: Path) -> None:
        raise NotImplementedError
