"""Files in object stores and other file systems, by URL: through pyarrow if it supports the scheme,
else through fsspec."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.fs as pafs

_CHUNK = 8 << 20
# Stores in which an object appears only when its upload is complete.
_ATOMIC = {"s3", "gcs", "abfs"}


def is_url(path: object) -> bool:
    return isinstance(path, str) and "://" in path.split("?", 1)[0]


class Store(Protocol):
    """One remote file."""

    name: str
    """The file name without folders."""

    def state(self) -> tuple[int, str]:
        """Returns its size and a version mark; raises `FileNotFoundError` if it does not exist."""

    def read(self, start: int, length: int) -> bytes: ...

    def put(self, source: Path) -> None:
        """Uploads a local file; the remote file appears only when it is complete."""


def open_store(url: str, system: Any = None) -> Store:
    """Opens a file by its URL, or by its path in a file system of pyarrow or fsspec."""
    if isinstance(system, pafs.FileSystem):
        return _Arrow(system, url)
    if system is not None:
        return _Fsspec(system, url)
    try:
        return _Arrow(*pafs.FileSystem.from_uri(url))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        import fsspec

        return _Fsspec(*fsspec.core.url_to_fs(url))


def fetch(store: Store, target: Path, size: int) -> None:
    """Fetches the whole file in pieces."""
    with target.open("xb") as file:
        for start in range(0, size, _CHUNK):
            length = min(_CHUNK, size - start)
            data = store.read(start, length)
            if len(data) != length:
                raise OSError("the file became shorter while it was fetched")
            file.write(data)


class _Arrow:
    def __init__(self, system: Any, path: str) -> None:
        self._system, self._path = system, path
        self._file: Any = None
        self.name = PurePosixPath(path).name

    def state(self) -> tuple[int, str]:
        info = self._system.get_file_info(self._path)
        if info.type != pafs.FileType.File:
            raise FileNotFoundError(self._path)
        return int(info.size), str(info.mtime_ns)

    def read(self, start: int, length: int) -> bytes:
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
            raise FileNotFoundError(self._path)
        marks = ("ETag", "etag", "LastModified", "last_modified", "mtime", "created")
        mark = next((info[key] for key in marks if info.get(key) is not None), "")
        return int(info["size"]), str(mark)

    def read(self, start: int, length: int) -> bytes:
        return bytes(self._system.cat_file(self._path, start=start, end=start + length))

    def put(self, source: Path) -> None:
        self._system.put_file(str(source), self._path)
