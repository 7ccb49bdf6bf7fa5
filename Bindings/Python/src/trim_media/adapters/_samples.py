"""Locates single samples of an MP4 or QuickTime file by its index."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from itertools import accumulate

_FOLDERS = {b"moov", b"trak", b"mdia", b"minf", b"stbl"}
# Pictures at the start that a header probe reads, to find those that a decoder skips.
_BEGINNING = 32
# The most that it reads of a sample.
_MOST = 64 << 10

Range = tuple[int, int]


class UnknownIndexError(Exception):
    """The index is of a kind that is not supported here."""


def wanted(movie: bytes) -> list[Range]:
    """Returns the ranges of media that a header probe reads: the beginning and the last sample of
    every track."""
    found: list[Range] = []
    tables: dict[bytes, bytes] = {}
    for kind, body in _boxes(movie, 0, len(movie)):
        if kind == b"trak" and tables:
            found += _of_track(tables)
            tables = {}
        tables[kind] = body
    return found + _of_track(tables)


def _boxes(data: bytes, at: int, end: int) -> Iterator[tuple[bytes, bytes]]:
    while at + 8 <= end:
        length, kind = struct.unpack_from(">I4s", data, at)
        if length < 8 or at + length > end:
            raise UnknownIndexError
        if kind in _FOLDERS:
            yield kind, b""
            yield from _boxes(data, at + 8, at + length)
        else:
            yield kind, data[at + 8 : at + length]
        at += length


def _of_track(tables: dict[bytes, bytes]) -> list[Range]:
    if b"stsd" not in tables:
        return []
    sizes, runs = _sizes(tables), _numbers(tables.get(b"stsc", b""), 3)
    chunks = _numbers(tables.get(b"stco", b""), 1) or _numbers(tables.get(b"co64", b""), 1, "Q")
    if not sizes:
        return []
    if not runs or not chunks or runs[0][0] != 1:
        raise UnknownIndexError
    is_video = tables.get(b"hdlr", b"")[8:12] == b"vide"
    sync = _numbers(tables.get(b"stss", b""), 1)
    if is_video and sync and sync[0][0] != 1:
        # A probe reads all samples before the first keyframe.
        raise UnknownIndexError
    chosen = {*range(min(_BEGINNING, len(sizes)) if is_video else 1), len(sizes) - 1}
    return list(_places(sizes, runs, [one[0] for one in chunks], chosen))


def _places(
    sizes: Sequence[int], runs: Sequence[tuple[int, ...]], chunks: Sequence[int], chosen: set[int]
) -> Iterator[Range]:
    first = 0
    for number, (chunk, count, _) in enumerate(runs):
        end = runs[number + 1][0] if number + 1 < len(runs) else len(chunks) + 1
        for place in range(chunk, min(end, len(chunks) + 1)):
            inside = sizes[first : first + count]
            if any(first <= sample < first + len(inside) for sample in chosen):
                starts = accumulate(inside, initial=chunks[place - 1])
                for sample, (start, size) in enumerate(zip(starts, inside, strict=False), first):
                    if sample in chosen:
                        yield start, start + min(size, _MOST)
            first += count


def _sizes(tables: dict[bytes, bytes]) -> Sequence[int]:
    body = tables.get(b"stsz", b"")
    if len(body) < 12:
        raise UnknownIndexError
    size, count = struct.unpack_from(">II", body, 4)
    if size:
        return [size] * count if count < 1 << 24 else []
    return struct.unpack_from(f">{min(count, (len(body) - 12) // 4)}I", body, 12)


def _numbers(body: bytes, width: int, kind: str = "I") -> list[tuple[int, ...]]:
    """Returns the entries of a table that begins with their number."""
    if len(body) < 8:
        return []
    entry = struct.Struct(f">{width}{kind}")
    count = min(struct.unpack_from(">I", body, 4)[0], (len(body) - 8) // entry.size)
    return [entry.unpack_from(body, 8 + number * entry.size) for number in range(count)]
