"""Rewrites finished files into forms that no available muxer writes."""

import struct


def boxes(data, start, end):
    """Yields (kind, start of the content, end) of each box."""
    while start + 8 <= end:
        size, kind = struct.unpack(">I4s", data[start:start + 8])
        yield kind, start + 8, start + size
        start += size


def inside(data, start, end, *path):
    """Returns where a box's content starts and ends, by the kinds that lead to it."""
    for kind, begin, stop in boxes(data, start, end):
        if kind == path[0]:
            return (begin, stop) if len(path) == 1 else inside(data, begin, stop, *path[1:])
    return None


def samples(data, table):
    """Yields the offset and size of each sample of a track."""
    def numbers(kind, skipped, form):
        begin, stop = inside(data, *table, kind)
        return [entry for entry in struct.iter_unpack(form, data[begin + skipped:stop])]

    sizes = [size for size, in numbers(b"stsz", 12, ">I")]
    offsets = [offset for offset, in numbers(b"stco", 8, ">I")]
    runs = numbers(b"stsc", 8, ">III")
    place = 0
    for chunk, offset in enumerate(offsets, 1):
        count = next(count for first, count, _ in reversed(runs) if first <= chunk)
        for _ in range(count):
            yield offset, sizes[place]
            offset += sizes[place]
            place += 1


def two_byte_lengths(path):
    """Shortens the NAL unit lengths of an H.264 track to two bytes (ISO 14496-15, 5.3.3.1); filler data
    (ISO 14496-10, 7.3.2.7) takes up the space, so that nothing else moves."""
    data = bytearray(path.read_bytes())
    moov = inside(data, 0, len(data), b"moov")
    for kind, begin, stop in boxes(data, *moov):
        table = kind == b"trak" and inside(data, begin, stop, b"mdia", b"minf", b"stbl")
        entry = data.find(b"avcC", *table) if table else -1
        if entry < 0:
            continue
        data[entry + 8] &= 0xFC
        data[entry + 8] |= 1
        for offset, size in samples(data, table):
            units, place = [], offset
            while place < offset + size:
                length = int.from_bytes(data[place:place + 4], "big")
                units.append(bytes(data[place + 4:place + 4 + length]))
                place += 4 + length
            sample = b"".join(struct.pack(">H", len(unit)) + unit for unit in units)
            room = size - len(sample) - 2
            assert room >= 2, "a sample of one unit has no room for filler"
            sample += struct.pack(">H", room) + b"\x0c" + b"\xff" * (room - 2) + b"\x80"
            data[offset:offset + size] = sample
    path.write_bytes(data)


REWRITINGS = {"two-byte-lengths": two_byte_lengths}
