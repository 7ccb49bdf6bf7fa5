#if FFmpeg
  import MediaFiles

  /// The chunks of a RIFF or AIFF file and the blocks of a FLAC file, without the media.
  struct SourceChunks {
    struct Chunk {
      /// Such as `cue `, `LIST adtl` or `APPLICATION`.
      var type: String
      /// Its content in the file.
      var content: Range<Int64>
    }

    enum Kind { case wave, aiff, flac }

    private(set) var kind: Kind?
    private(set) var chunks: [Chunk] = []
    /// Bytes after the last chunk.
    private(set) var trailing: Range<Int64>?
    private let file: FileBytes

    private static let mostChunks = 10_000

    init(_ file: InputFile) {
      self.file = FileBytes(file)
      let head = read(0..<12)
      guard head.count == 12 else { return }
      switch (String(decoding: head[..<4], as: UTF8.self), head[8...]) {
      case ("RIFF", let form) where form.elementsEqual("WAVE".utf8),
        ("RF64", let form) where form.elementsEqual("WAVE".utf8),
        ("BW64", let form) where form.elementsEqual("WAVE".utf8):
        kind = .wave
        readChunks(isBigEndian: false)
      case ("FORM", let form)
      where form.elementsEqual("AIFF".utf8) || form.elementsEqual("AIFC".utf8):
        kind = .aiff
        readChunks(isBigEndian: true)
      case ("fLaC", _):
        kind = .flac
        readBlocks()
      default: break
      }
    }

    func read(_ range: Range<Int64>) -> [UInt8] {
      (try? file.read(
        at: range.lowerBound, count: Int(clamping: range.upperBound - range.lowerBound)))
        ?? []
    }

    static func number(_ bytes: some Collection<UInt8>, isBigEndian: Bool = false) -> Int64 {
      isBigEndian
        ? bytes.reduce(0) { $0 << 8 | Int64($1) }
        : bytes.reversed().reduce(0) { $0 << 8 | Int64($1) }
    }

    private mutating func readChunks(isBigEndian: Bool) {
      var place: Int64 = 12
      // RF64 and BW64 (EBU Tech 3306, ITU-R BS.2088) state 64-bit sizes first.
      var longData: Int64?
      while place <= file.byteCount - 8, chunks.count < Self.mostChunks {
        let head = read(place..<min(file.byteCount, place + 12))
        guard head.count >= 8, head[..<4].allSatisfy({ (0x20..<0x7F).contains($0) }) else { break }
        var type = String(decoding: head[..<4], as: UTF8.self)
        var size = Self.number(head[4..<8], isBigEndian: isBigEndian)
        if type == "ds64" { longData = Self.number(read(place + 16..<place + 24)) }
        if type == "data", size == 0xFFFF_FFFF { size = longData ?? size }
        if type == "LIST", head.count == 12 {
          type += " " + String(decoding: head[8...], as: UTF8.self)
        }
        let start = place + 8
        let end = min(file.byteCount, start &+ max(0, size))
        chunks.append(Chunk(type: type, content: start..<max(start, end)))
        place = end + size % 2
      }
      if place < file.byteCount { trailing = place..<file.byteCount }
    }

    /// RFC 9639, 8.1.
    private mutating func readBlocks() {
      let names = [2: "APPLICATION", 5: "CUESHEET"]
      var place: Int64 = 4
      while place <= file.byteCount - 4, chunks.count < Self.mostChunks {
        let head = read(place..<place + 4)
        guard head.count == 4 else { return }
        let end = min(file.byteCount, place + 4 + Self.number(head[1...], isBigEndian: true))
        if let name = names[Int(head[0] & 0x7F)] {
          chunks.append(Chunk(type: name, content: place + 4..<max(place + 4, end)))
        }
        if head[0] & 0x80 != 0 { return }
        place = end
      }
    }

    /// The list of structure, and of chunks that are read as tags: they describe how sound is
    /// stored, or are written as tags where the output has any.
    static let structure: Set = [
      "fmt ", "fact", "data", "ds64", "JUNK", "junk", "PAD ", "FLLR", "fllr", "LIST INFO", "bext",
      "id3 ", "ID3 ", "PEAK", "levl",
      // EA IFF 85 and AIFF-C.
      "COMM", "SSND", "FVER", "NAME", "AUTH", "(c) ", "ANNO",
    ]
  }
#endif
