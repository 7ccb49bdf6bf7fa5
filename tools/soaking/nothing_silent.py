"""Cuts every file into its own container and looks for each box, element and chunk of the source."""

import collections
import json
import struct

from judging import reported
from soaking import bench as benches
from soaking import clips

ABOUT = "looks for each box, element and chunk of the source in the cut or in its report"

# How a file is stored: made for the output, whatever the source's was. Reviewed by hand.
STRUCTURE = {
    "iso": set(
        "ftyp styp moov mdat free skip wide moof sidx ssix mfra pdin pnot "
        "mvhd mvex trex mehd trep iods rmra chpl trak tkhd edts elst tref mdia mdhd hdlr minf vmhd smhd nmhd gmhd "
        "sthd hmhd dinf stbl stsd stts ctts cslg stss stps stsc stsz stz2 stco co64 sdtp sbgp sgpd udta "
        "mfhd traf tfhd tfdt trun btrt".split()),
    "riff": {"fmt ", "fact", "data", "ds64", "JUNK", "junk", "PAD ", "FLLR", "avih", "strh", "strf", "indx",
             "LIST hdrl", "LIST strl", "LIST movi", "LIST odml", "dmlh", "idx1", "LIST rec "},
    "aiff": {"COMM", "SSND", "FVER", "FLLR"},
    "caf": {"desc", "data", "pakt", "kuki", "chan", "free"},
    "flac": {"STREAMINFO", "PADDING", "SEEKTABLE"},
    "ogg": set(),
    "matroska": {
        "EBML", "Segment", "SeekHead", "Cues", "Void", "CRC-32", "Cluster", "Info", "Tracks", "TrackEntry",
        "Tags", "Tag", "Targets", "Chapters", "Attachments", "Video", "Audio", "Colour",
        "MasteringMetadata", "Projection", "TimestampScale", "Duration", "MuxingApp", "WritingApp", "SegmentUUID",
        "TrackNumber", "TrackUID", "CodecID", "CodecPrivate", "CodecDelay", "SeekPreRoll",
        "DefaultDuration", "FlagLacing", "MinCache", "MaxCache", "TrackTimestampScale", "MaxBlockAdditionID",
        "CodecDecodeAll", "ContentEncodings", "CodecName", "EditionUID", "ChapterUID",
        "PixelWidth", "PixelHeight", "SamplingFrequency", "OutputSamplingFrequency", "Channels", "BitDepth"},
}
# An element with its default value says nothing (RFC 9559, 5.1).
DEFAULTS = {
    "FlagEnabled": 1, "FlagDefault": 1, "FlagForced": 0, "StereoMode": 0, "AlphaMode": 0, "FlagInterlaced": 0,
    "FieldOrder": 2, "DisplayUnit": 0, "PixelCropBottom": 0, "PixelCropTop": 0, "PixelCropLeft": 0,
    "PixelCropRight": 0, "AspectRatioType": 0, "TrackOffset": 0}
ELEMENTS = {
    0x1A45DFA3: "EBML", 0x18538067: "Segment", 0x114D9B74: "SeekHead", 0x1C53BB6B: "Cues", 0xEC: "Void",
    0xBF: "CRC-32", 0x1F43B675: "Cluster", 0x1549A966: "Info", 0x1654AE6B: "Tracks", 0x1254C367: "Tags",
    0x1043A770: "Chapters", 0x1941A469: "Attachments", 0xAE: "TrackEntry", 0x7373: "Tag", 0x63C0: "Targets",
    0x67C8: "SimpleTag", 0x61A7: "AttachedFile", 0x45B9: "EditionEntry", 0xE0: "Video", 0xE1: "Audio",
    0x55B0: "Colour", 0x55D0: "MasteringMetadata", 0x7670: "Projection", 0x2AD7B1: "TimestampScale",
    0x4489: "Duration", 0x4D80: "MuxingApp", 0x5741: "WritingApp", 0x73A4: "SegmentUUID", 0x7384: "SegmentFilename",
    0x3CB923: "PrevUUID", 0x3EB923: "NextUUID", 0x3C83AB: "PrevFilename", 0x3E83BB: "NextFilename",
    0x4444: "SegmentFamily", 0x6924: "ChapterTranslate", 0x4461: "DateUTC", 0x7BA9: "Title",
    0xD7: "TrackNumber", 0x73C5: "TrackUID", 0x83: "TrackType", 0x86: "CodecID", 0x63A2: "CodecPrivate",
    0x56AA: "CodecDelay", 0x56BB: "SeekPreRoll", 0x23E383: "DefaultDuration", 0x9C: "FlagLacing",
    0x6DE7: "MinCache", 0x6DF8: "MaxCache", 0x23314F: "TrackTimestampScale", 0x55EE: "MaxBlockAdditionID",
    0xAA: "CodecDecodeAll", 0x6D80: "ContentEncodings", 0x258688: "CodecName", 0xB9: "FlagEnabled",
    0x88: "FlagDefault", 0x55AA: "FlagForced", 0x22B59C: "Language", 0x22B59D: "LanguageBCP47", 0x536E: "Name",
    0x537F: "TrackOffset", 0x7446: "AttachmentLink", 0x6FAB: "TrackOverlay", 0xE2: "TrackOperation",
    0x41E4: "BlockAdditionMapping", 0x55AB: "FlagHearingImpaired", 0x55AC: "FlagVisualImpaired",
    0x55AD: "FlagTextDescriptions", 0x55AE: "FlagOriginal", 0x55AF: "FlagCommentary",
    0x234E7A: "DefaultDecodedFieldDuration", 0x6624: "TrackTranslate",
    0xB0: "PixelWidth", 0xBA: "PixelHeight", 0x54B0: "DisplayWidth", 0x54BA: "DisplayHeight", 0x54B2: "DisplayUnit",
    0x9A: "FlagInterlaced", 0x9D: "FieldOrder", 0x53B8: "StereoMode", 0x53C0: "AlphaMode",
    0x54AA: "PixelCropBottom", 0x54BB: "PixelCropTop", 0x54CC: "PixelCropLeft", 0x54DD: "PixelCropRight",
    0x54B3: "AspectRatioType", 0x2EB524: "UncompressedFourCC", 0x2383E3: "FrameRate",
    0xB5: "SamplingFrequency", 0x78B5: "OutputSamplingFrequency", 0x9F: "Channels", 0x6264: "BitDepth",
    0x52F1: "Emphasis",
    0x55B1: "MatrixCoefficients", 0x55B2: "BitsPerChannel", 0x55B3: "ChromaSubsamplingHorz",
    0x55B4: "ChromaSubsamplingVert", 0x55B7: "ChromaSitingHorz", 0x55B8: "ChromaSitingVert", 0x55B9: "Range",
    0x55BA: "TransferCharacteristics", 0x55BB: "Primaries", 0x55BC: "MaxCLL", 0x55BD: "MaxFALL",
}
MASTERS = {"Segment", "Info", "Tracks", "TrackEntry", "Video", "Audio", "Colour", "Tags", "Tag", "Chapters",
           "Attachments"}
# Tags that a muxer writes about the file, and statistics of the whole source.
OWN_TAGS = {"ENCODER", "DURATION", "BPS", "NUMBER_OF_FRAMES", "NUMBER_OF_BYTES"}


class Walk:
    """The named parts of a file besides its structure."""

    def __init__(self, path):
        self.bytes = path.read_bytes()
        self.parts = collections.Counter()
        self.kind = None
        head = self.bytes[:12]
        if head[4:8] in (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip", b"styp", b"pnot", b"uuid"):
            self.kind = "iso"
            self.boxes(0, len(self.bytes), "file")
        elif head[:4] in (b"RIFF", b"RF64", b"BW64"):
            self.kind = "riff"
            self.chunks(12, len(self.bytes), "<", head[8:12] != b"WAVE")
        elif head[:4] == b"FORM":
            self.kind = "aiff"
            self.chunks(12, len(self.bytes), ">", False)
        elif head[:4] == b"caff":
            self.kind = "caf"
            self.long_chunks(8)
        elif head[:4] == b"fLaC":
            self.kind = "flac"
            self.blocks(4)
        elif head[:4] == b"OggS":
            self.kind = "ogg"
            self.pages()
        elif head[:4] == b"\x1aE\xdf\xa3":
            self.kind, self.sizes = "matroska", set()
            self.elements(0, len(self.bytes), "file")

    def add(self, kind, place):
        if self.kind and kind not in STRUCTURE[self.kind]:
            self.parts[kind, place] += 1

    def boxes(self, start, end, place, depth=0):
        position, handler = start, b""
        while position + 8 <= end and depth < 12:
            size, kind = struct.unpack_from(">I4s", self.bytes, position)
            header = 8
            if size == 1 and position + 16 <= end:
                size, header = struct.unpack_from(">Q", self.bytes, position + 8)[0], 16
            elif size == 0:
                size = end - position
            if size < header or not all(0x20 <= byte < 0x7f or byte == 0xa9 for byte in kind):
                break
            stop = min(end, position + size)
            name = kind.decode("latin-1")
            if name == "hdlr":
                handler = self.bytes[position + 16:position + 20]
            self.add(name, place)
            inner = position + header
            if name in ("moov", "trak", "mdia", "minf", "stbl", "udta", "moof", "traf"):
                self.boxes(inner, stop, name, depth + 1)
            elif name == "stsd" and self.video:
                self.entries(inner + 8, stop)
            if name == "mdia":
                self.video = False
            if name == "hdlr" and place == "mdia":
                self.video = handler == b"vide"
            position = stop
        rest = self.bytes[position:]
        # A box of structure whose size is wrong is not data.
        if depth == 0 and rest.strip(b"\0") and rest[4:8].decode("latin-1") not in STRUCTURE["iso"]:
            self.add("data", "file, after the last box")

    video = False
    # The display size is the picture size unless it is stated.
    sizes = frozenset()

    def entries(self, position, end):
        while position + 86 <= end:
            size, name = struct.unpack_from(">I4s", self.bytes, position)
            if size < 8:
                return
            if name not in (b"free", b"skip"):
                self.boxes(position + 86, min(end, position + size), "stsd", 1)
            position += size

    def chunks(self, position, end, order, descends):
        while position + 8 <= end:
            kind, size = self.bytes[position:position + 4], struct.unpack_from(
                order + "I", self.bytes, position + 4)[0]
            if not all(0x20 <= byte < 0x7f for byte in kind):
                break
            name = kind.decode()
            if name in ("LIST", "RIFF"):
                name += " " + self.bytes[position + 8:position + 12].decode("latin-1")
            stop = min(end, position + 8 + size)
            if name == "LIST INFO":
                # An entry without text says nothing.
                inner = position + 12
                while inner + 8 <= stop:
                    length = struct.unpack_from("<I", self.bytes, inner + 4)[0]
                    entry = self.bytes[inner:inner + 4].decode("latin-1")
                    if self.bytes[inner + 8:inner + 8 + length].strip(b"\0 ") and entry != "ISFT":
                        self.add(entry, "LIST INFO")
                    inner += 8 + length + length % 2
            elif descends and name in ("LIST hdrl", "LIST strl", "LIST odml"):
                self.chunks(position + 12, stop, order, True)
            elif name != "RIFF AVIX":
                self.add(name, "file")
            position = stop + size % 2

    def long_chunks(self, position):
        while position + 12 <= len(self.bytes):
            kind, size = struct.unpack_from(">4sq", self.bytes, position)
            self.add(kind.decode("latin-1"), "file")
            if size < 0:
                return
            position += 12 + size

    def blocks(self, position):
        names = {0: "STREAMINFO", 1: "PADDING", 2: "APPLICATION", 3: "SEEKTABLE", 4: "VORBIS_COMMENT",
                 5: "CUESHEET", 6: "PICTURE"}
        while position + 4 <= len(self.bytes):
            head = self.bytes[position]
            size = int.from_bytes(self.bytes[position + 1:position + 4], "big")
            self.add(names.get(head & 127, f"block {head & 127}"), "file")
            position += 4 + size
            if head & 128:
                return

    def pages(self):
        position = 0
        while self.bytes[position:position + 4] == b"OggS":
            lacing = self.bytes[position + 27:position + 27 + self.bytes[position + 26]]
            body = position + 27 + len(lacing)
            packet = self.bytes[body:body + 8]
            if self.bytes[position + 5] & 2 and packet.startswith((b"fishead", b"CMML")):
                self.add("Skeleton" if packet.startswith(b"fish") else "CMML", "file")
            for magic in (b"\x03vorbis", b"OpusTags", b"\x81theora"):
                if packet.startswith(magic[:8]):
                    self.comments(body + len(magic))
            position = body + sum(lacing)

    def comments(self, position):
        position += 4 + struct.unpack_from("<I", self.bytes, position)[0]
        count = struct.unpack_from("<I", self.bytes, position)[0]
        position += 4
        for _ in range(min(count, 1000)):
            if position + 4 > len(self.bytes):
                return
            size = struct.unpack_from("<I", self.bytes, position)[0]
            name = self.bytes[position + 4:position + 4 + size].split(b"=")[0].decode("latin-1").upper()
            if name not in OWN_TAGS and size < 60_000:
                self.add(name, "comments")
            position += 4 + size

    def number(self, position, marker):
        first = self.bytes[position] if position < len(self.bytes) else 0
        if not first:
            return None, 0
        length = 9 - first.bit_length()
        value = int.from_bytes(self.bytes[position:position + length], "big")
        if not marker:
            value &= (1 << 7 * length) - 1
            if value == (1 << 7 * length) - 1:
                value = None
        return value, length

    def elements(self, position, end, place):
        while position < end:
            name, length = self.number(position, True)
            if name is None:
                return
            size, more = self.number(position + length, False)
            if not more:
                return
            body = position + length + more
            stop = end if size is None else min(end, body + size)
            kind = ELEMENTS.get(name, f"0x{name:X}")
            content = self.bytes[body:stop]
            if kind == "Cluster" and size is None:
                return
            if kind == "SimpleTag":
                tag = self.tag(body, stop)
                if tag not in OWN_TAGS and not tag.startswith("_STATISTICS"):
                    self.add(f"SimpleTag {tag}", place)
            elif kind in MASTERS:
                self.add(kind, place)
                self.elements(body, stop, kind)
            elif kind in ("DisplayWidth", "DisplayHeight") and int.from_bytes(content, "big") in self.sizes:
                pass
            elif kind == "LanguageBCP47" and b"-" not in content:
                pass
            elif DEFAULTS.get(kind) != int.from_bytes(content[:8], "big") and content.strip(b"\0"):
                self.add(kind, place)
            if kind in ("PixelWidth", "PixelHeight"):
                self.sizes.add(int.from_bytes(content, "big"))
            position = stop

    def tag(self, position, end):
        while position < end:
            name, length = self.number(position, True)
            size, more = self.number(position + length, False)
            body = position + length + more
            if name == 0x45A3:
                return self.bytes[body:body + size].decode("latin-1").upper()
            position = body + (size or 0)
        return ""


def sources():
    return [(name, path) for name, path in clips.all_clips(1 << 40, set(reported.KINDS))
            if not name.startswith("samples/")]


COUNT = len(sources())


def missing(source, cut, report):
    """Returns the source's parts that are neither in the cut nor in the report."""
    told = {entry["type"] for entry in report["left_out"]}
    dropped = {track["type"] for track in report["tracks"] if track.get("dropped_because")}
    if {"Insta360 data", "Samsung data"} & told:
        told.add("data")
    held = {kind for kind, _ in Walk(cut).parts}
    of_track = ("trak", "mdia", "minf", "stbl", "stsd", "traf")
    return sorted(
        f"{kind} in {place}" for kind, place in Walk(source).parts
        if kind not in told and kind not in held and not (dropped and place in of_track))


def run(bench):
    files, rows = sources(), benches.Rows("nothing-silent")

    def work(number, folder):
        name, path = files[number % len(files)]
        ending = reported.OWN[path.suffix[1:].lower()]
        output = folder / f"cut.{ending}"
        done = benches.run([bench.trim, "cut", path, "--from", "25%", "--to", "75%", "-o", output, "--json",
                            "--verify", "none"], 300)
        row = {"clip": name, "ending": ending, "status": done.status}
        if done.status == 0:
            report = json.loads(done.out)
            row["silent"] = missing(path, output, report)
            row["left_out"] = [f"{entry['type']} in {entry['place']}" for entry in report["left_out"]]
            # What a plan says is what the cut says.
            plan = benches.run([bench.trim, "cut", path, "--from", "25%", "--to", "75%", "-o", output, "-f",
                                "-n", "--json"], 300)
            planned = sorted(f"{e['type']} in {e['place']}" for e in json.loads(plan.out)["left_out"])
            if planned != sorted(row["left_out"]):
                row["planned"] = planned
        return row

    counts, told = collections.Counter(), []
    for row in bench.cells(work):
        bad = bool(row.get("silent") or "planned" in row)
        verdict = "refused" if row["status"] else "silent" if bad else "told"
        counts[verdict] += 1
        if row["status"] < 0 or row["status"] == 70:
            counts["failed"] += 1
        if bad:
            told.append(f"| {row['clip']} | {row['ending']} | {', '.join(row['silent'])} | "
                        f"{', '.join(row.get('planned', []))} |")
        rows.add(row)
        if bench.only is not None:
            print(json.dumps(row, indent=2))
    lines = [
        "# Nothing is left out in silence", "",
        f"`tools/soak nothing_silent` on {len(files)} files, from 25 % to 75 %, each into its own container. "
        "*Told*: every box, element and chunk of the source is in the cut, in `left_out`, or on the list of "
        "structure in `tools/soaking/nothing_silent.py`; and `-n` says the same.", "",
        "| told | silent | refused | failed |", "|---:|---:|---:|---:|",
        "| " + " | ".join(str(counts[key]) for key in ("told", "silent", "refused", "failed")) + " |"]
    if told:
        lines += ["", "| file | into | silent | planned otherwise |", "|---|---|---|---|", *told]
    print("\n".join(lines))
    print(f"rows: {rows.path}")
    if bench.only is None:
        bench.write("nothing-silent", lines)
    return 1 if counts["silent"] or counts["failed"] else 0
