import Bitstreams
import MediaFiles

/// The chunks of a RIFF, AIFF or CAF file, the blocks of a FLAC file and the logical streams of an
/// Ogg file, without the media.
struct SourceChunks {
  struct Chunk {
    /// Such as `cue `, `LIST adtl` or `APPLICATION`.
    var type: String
    /// The list that it is in, or `file`.
    var place = "file"
    /// The stream of an AVI, from 0.
    var stream: Int?
    /// Its content in the file.
    var content: Range<Int64>
  }

  enum Kind { case wave, avi, aiff, caf, flac, ogg }

  private(set) var kind: Kind?
  private(set) var chunks: [Chunk] = []
  /// Chunks that were looked at, with those that say nothing.
  private var visited = 0
  /// Bytes after the last chunk, unless all of them are zero, which is padding.
  private(set) var trailing: Range<Int64>?
  private let file: FileBytes

  private static let mostChunks = 10_000

  init(_ file: InputFile) {
    self.file = FileBytes(file)
    let head = read(0..<12)
    guard head.count == 12 else { return }
    let form = String(decoding: head[8...], as: UTF8.self)
    switch (String(decoding: head[..<4], as: UTF8.self), form) {
    case ("RIFF", "WAVE"), ("RF64", "WAVE"), ("BW64", "WAVE"):
      kind = .wave
      readAll(.little)
    case ("RIFF", "AVI "):
      kind = .avi
      readAll(.little)
    case ("FORM", "AIFF"), ("FORM", "AIFC"):
      kind = .aiff
      readAll(.big)
    case ("caff", _):
      kind = .caf
      readLongChunks()
    case ("fLaC", _):
      kind = .flac
      readBlocks()
    case ("OggS", _):
      kind = .ogg
      readStreams()
    default: break
    }
  }

  func read(_ range: Range<Int64>) -> [UInt8] {
    (try? file.read(
      at: range.lowerBound, count: Int(clamping: range.upperBound - range.lowerBound)))
      ?? []
  }

  /// The content of the first chunk of a type; `nil` where there is none, or it is very large.
  func content(of type: String) -> [UInt8]? {
    let found = chunks.first { $0.type == type && $0.place == "file" }?.content
    guard let found, found.upperBound - found.lowerBound <= Self.mostBytes else { return nil }
    return read(found)
  }

  private static let mostBytes: Int64 = 16 << 20

  // MARK: RIFF and IFF

  private mutating func readAll(_ order: ByteOrder) {
    // RF64 and BW64 (EBU Tech 3306, ITU-R BS.2088) state 64-bit sizes first.
    let end = readChunks(from: 12, to: file.byteCount, order, place: "file", stream: nil)
    guard end < file.byteCount else { return }
    let rest = read(end..<min(file.byteCount, end + Self.mostBytes))
    if rest.contains(where: { $0 != 0 }) || file.byteCount - end > Self.mostBytes {
      trailing = end..<file.byteCount
    }
  }

  /// Real files nest two of them.
  private static let deepest = 4
  private static let lists: Set = ["LIST hdrl", "LIST strl", "LIST odml", "LIST INFO"]

  /// - Returns: where the last chunk ends.
  private mutating func readChunks(
    from start: Int64, to limit: Int64, _ order: ByteOrder, place: String, stream: Int?,
    depth: Int = 0
  ) -> Int64 {
    var next = start
    var longData: Int64?
    var streams = 0
    while next <= limit - 8, visited < Self.mostChunks {
      visited += 1
      let head = read(next..<min(limit, next + 12))
      guard head.count >= 8, head[..<4].allSatisfy({ (0x20..<0x7F).contains($0) }) else { break }
      var type = String(decoding: head[..<4], as: UTF8.self)
      var size = head[4..<8].number(order)
      if type == "ds64" { longData = read(next + 16..<next + 24).number(.little) }
      if type == "data", size == 0xFFFF_FFFF { size = longData ?? size }
      let isList = (type == "LIST" || type == "RIFF") && head.count == 12
      if isList { type += " " + String(decoding: head[8...], as: UTF8.self) }
      let body = next + 8
      let end = size > limit - body ? limit : body + size
      if Self.lists.contains(type), end >= body + 4, depth < Self.deepest {
        // Of the lists in the header of an AVI, each is about one stream.
        let number = type == "LIST strl" ? streams : stream
        if type == "LIST strl" { streams += 1 }
        _ = readChunks(
          from: body + 4, to: end, order, place: type, stream: number, depth: depth + 1)
      } else if !(place == "LIST INFO" && isBlank(body..<max(body, end))) {
        chunks.append(
          Chunk(type: type, place: place, stream: stream, content: body..<max(body, end)))
      }
      next = end + size % 2
    }
    return next
  }

  /// Whether an entry of a list of texts says nothing.
  private func isBlank(_ content: Range<Int64>) -> Bool {
    content.upperBound - content.lowerBound <= 4096
      && read(content).allSatisfy { $0 == 0 || $0 == 0x20 }
  }

  // MARK: CAF, FLAC, Ogg

  /// Apple Core Audio Format Specification 1.0, CAF Chunk Header.
  private mutating func readLongChunks() {
    var place: Int64 = 8
    while place <= file.byteCount - 12, chunks.count < Self.mostChunks {
      let head = read(place..<place + 12)
      guard head.count == 12 else { return }
      // A size of −1 means up to the end.
      let size = head[4] & 0x80 != 0 ? file.byteCount : head[4...].number(.big)
      let end = size > file.byteCount - place - 12 ? file.byteCount : place + 12 + size
      chunks.append(
        Chunk(type: String(decoding: head[..<4], as: UTF8.self), content: place + 12..<end))
      place = end
    }
  }

  /// RFC 9639, 8.1.
  private mutating func readBlocks() {
    let names = [
      "STREAMINFO", "PADDING", "APPLICATION", "SEEKTABLE", "VORBIS_COMMENT", "CUESHEET",
      "PICTURE",
    ]
    var place: Int64 = 4
    while place <= file.byteCount - 4, chunks.count < Self.mostChunks {
      let head = read(place..<place + 4)
      guard head.count == 4 else { return }
      let number = Int(head[0] & 0x7F)
      let end = min(file.byteCount, place + 4 + head[1...].number(.big))
      chunks.append(
        Chunk(
          type: number < names.count ? names[number] : "block \(number)",
          content: place + 4..<max(place + 4, end)))
      if head[0] & 0x80 != 0 { return }
      place = end
    }
  }

  /// Logical streams that describe others: their first pages are together, at the beginning (RFC
  /// 3533, 4).
  private mutating func readStreams() {
    let names = [("fishead\0", "Skeleton"), ("CMML", "CMML")]
    var place: Int64 = 0
    while place <= file.byteCount - 27, chunks.count < Self.mostChunks {
      let head = read(place..<min(file.byteCount, place + 27 + 255))
      guard head.count > 27, head.starts(with: "OggS".utf8), head[5] & 2 != 0 else { return }
      let lacing = head[27...].prefix(Int(head[26]))
      let body = place + 27 + Int64(lacing.count)
      let size = lacing.reduce(0) { $0 + Int64($1) }
      let packet = read(body..<min(file.byteCount, body + 8))
      if let name = names.first(where: { packet.starts(with: $0.0.utf8) })?.1 {
        chunks.append(Chunk(type: name, content: body..<body + size))
      }
      place = body + size
    }
  }

  // MARK: What is written

  /// The same with some of its chunks.
  func keeping(_ isKept: (Chunk) -> Bool) -> SourceChunks {
    var copy = self
    copy.chunks = chunks.filter(isKept)
    return copy
  }

  /// Changes the numbers of streams; chunks of those without a number are removed.
  mutating func renumber(_ number: (Int) -> Int?) {
    chunks = chunks.compactMap { chunk in
      guard let stream = chunk.stream else { return chunk }
      var chunk = chunk
      chunk.stream = number(stream)
      return chunk.stream == nil ? nil : chunk
    }
  }

  /// The texts that FFmpeg's muxers write into a list of texts.
  static let written: Set = [
    "IARL", "IART", "ICMS", "ICMT", "ICOP", "ICRD", "ICRP", "IDIM", "IDPI", "IENG", "IGNR",
    "IKEY", "ILGT", "ILNG", "IMED", "INAM", "IPLT", "IPRD", "IPRT", "ITRK", "ISBJ", "ISFT",
    "ISHP", "ISMP", "ISRC", "ISRF", "ITCH",
  ]

  // MARK: The list of structure

  /// Chunks that describe how media are stored.
  static let structure: Set = [
    "fmt ", "fact", "data", "ds64", "JUNK", "junk", "PAD ", "FLLR", "fllr", "PEAK", "levl",
    // AVI, with its indexes (OpenDML AVI File Format Extensions 1.02).
    "avih", "strh", "strf", "indx", "dmlh", "idx1", "LIST movi", "LIST rec ", "RIFF AVIX",
    // EA IFF 85 and AIFF-C.
    "COMM", "SSND", "FVER",
    // CAF.
    "desc", "pakt", "kuki", "chan", "free",
    // FLAC.
    "STREAMINFO", "PADDING", "SEEKTABLE",
  ]

  /// Chunks that are read as tags and covers, which other containers have in their own form.
  static let tags: Set = [
    "bext", "id3 ", "ID3 ", "NAME", "AUTH", "(c) ", "ANNO", "info", "VORBIS_COMMENT", "PICTURE",
    "strn",
  ]
}
