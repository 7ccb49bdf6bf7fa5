"""Fetches only what a header probe of MP4 and QuickTime reads: the boxes without media data, and
the first and last samples."""

from __future__ import annotations

import struct
from pathlib import Path

from ._samples import UnknownIndexError, wanted
from ._stores import Store

_HEAD = 64 << 10
# More requests than this cost more than fetching the file.
_MOST = 32
# A probe also reads samples of other tracks: chapter titles, timecodes, subtitles.
_PLAIN = {b"vide", b"soun"}


def fetch_index(store: Store, target: Path, size: int, room: int) -> bool:
    """Writes a file as long as the source, with holes in place of its media.

    Returns False, and writes nothing, if it is not certain that this is enough.
    """
    if size < 4 * _HEAD:
        return False
    pieces: dict[int, bytes] = {}
    head = store.read(0, _HEAD)
    at, requests, movie = 0, 0, b""
    while at + 8 <= size:
        piece, start = (head, at) if at + 16 <= len(head) else (b"", 0)
        if not piece:
            requests += 1
            piece = store.read(at, min(16, size - at))
        length, kind, header = _box(piece, start, size - at)
        if length < header or requests > _MOST:
            return False
        if at == 0 and kind not in (b"ftyp", b"moov", b"wide", b"free", b"skip", b"mdat"):
            return False
        if kind in (b"moof", b"mfra", b"sidx", b"styp"):
            return False
        if kind == b"mdat":
            pieces[at] = piece[start : start + header]
        else:
            if sum(map(len, pieces.values())) + length > room or at + length > size:
                return False
            whole = head[at : at + length] if at + length <= len(head) else b""
            requests += not whole
            pieces[at] = whole or store.read(at, length)
            if kind == b"moov":
                movie += pieces[at]
        at += length
    if at != size or not movie or not _is_plain(movie):
        return False
    try:
        ranges = _joined(wanted(movie), size)
    except (UnknownIndexError, struct.error):
        return False
    if len(ranges) > _MOST or sum(end - start for start, end in ranges) > size // 2:
        return False
    parts = [(start, store.read(start, end - start)) for start, end in ranges]
    if sum(len(data) for _, data in [*parts, *pieces.items()]) > room:
        return False
    with target.open("xb") as file:
        for place, data in [*parts, *pieces.items()]:
            file.seek(place)
            file.write(data)
        file.truncate(size)
    return True


def _joined(ranges: list[tuple[int, int]], size: int) -> list[tuple[int, int]]:
    """Returns the ranges inside the file, with ranges close to each other merged."""
    found: list[tuple[int, int]] = []
    for start, end in sorted((start, min(end, size)) for start, end in ranges if start < size):
        if found and start <= found[-1][1] + _HEAD:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _box(data: bytes, at: int, rest: int) -> tuple[int, bytes, int]:
    """Returns the length, kind and header length of a box; a length of 0 means there is none."""
    if len(data) - at < 8:
        return 0, b"", 8
    length, kind = struct.unpack_from(">I4s", data, at)
    if length == 0:
        return rest, kind, 8
    if length == 1:
        if len(data) - at < 16:
            return 0, kind, 16
        return struct.unpack_from(">Q", data, at + 8)[0], kind, 16
    return length, kind, 8


def _is_plain(movie: bytes) -> bool:
    """Returns whether every track is video or audio, and none is fragmented."""
    if b"mvex" in movie or b"cmov" in movie:
        return False
    at = movie.find(b"hdlr")
    while at >= 0:
        kind = movie[at + 12 : at + 16]
        # Data references and metadata have handlers too.
        is_of_track = movie[at + 8 : at + 12] in (b"mhlr", b"\0\0\0\0")
        if is_of_track and kind not in _PLAIN and kind not in (b"mdir", b"mdta", b"url ", b"alis"):
            return False
        at = movie.find(b"hdlr", at + 4)
    return True
