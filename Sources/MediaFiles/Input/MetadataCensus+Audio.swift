extension MetadataCensus {
  // MARK: ID3 (id3.org, ID3v2.2 to 2.4)

  /// - Returns: where the tag ends.
  package mutating func countID3(at start: Int64) -> Int64 {
    guard let head = reader.bytes(at: start, count: 10).map({ Array($0) }) else { return start }
    let version = head[3]
    let end = start + 10 + Self.synchsafe(head[6..<10])
    let (nameLength, header): (Int64, Int64) = version == 2 ? (3, 6) : (4, 10)
    var position = start + 10
    // An extended header, which states its own size (ID3v2.3 and 2.4, 3.2).
    if version > 2, head[5] & 0x40 != 0 {
      let size = reader.bytes(at: position, count: 4) ?? []
      position += version == 4 ? Self.synchsafe(size) : 4 + number(at: position, bytes: 4)
    }
    while position + header <= end, goesOn() {
      guard let frame = reader.bytes(at: position, count: Int(header)).map({ Array($0) }),
        frame[0] != 0
      else { break }
      let size: Int64 =
        switch version {
        case 2: number(at: position + nameLength, bytes: 3)
        case 4: Self.synchsafe(frame[4..<8])
        default: number(at: position + nameLength, bytes: 4)
        }
      add()
      position += header + size
    }
    return end
  }

  private static func synchsafe(_ bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
  }

  // MARK: Vorbis comments (xiph.org, Vorbis I, 5)

  /// Adds the count stated in the comment header, as far as it fits: a comment takes at least four
  /// bytes.
  private mutating func countComments(at start: Int64) {
    let vendor = littleEndian32(at: start)
    let stated = littleEndian32(at: start + 4 + vendor)
    add(Int(min(stated, max(0, reader.byteCount - start) / 4)))
  }

  package mutating func countFLAC(at start: Int64) {
    var position = start
    while let head = reader.bytes(at: position, count: 4).map({ Array($0) }), goesOnInHeader() {
      if head[0] & 0x7F == 4 { countComments(at: position + 4) }
      if head[0] & 0x80 != 0 { return }
      position += 4 + number(at: position + 1, bytes: 3)
    }
  }

  /// Counts Ogg comments, which are the second packet of a stream, at the beginning of a page; in a
  /// chained file streams begin anywhere.
  package mutating func countOgg() {
    let magics = [[3] + Array("vorbis".utf8), Array("OpusTags".utf8)]
    var position: Int64 = 0
    while goesOn() {
      guard let page = reader.bytes(at: position, count: 27).map({ Array($0) }),
        page.starts(with: Array("OggS".utf8)),
        let sizes = reader.bytes(at: position + 27, count: Int(page[26])).map({ Array($0) })
      else { return }
      let content = position + 27 + Int64(sizes.count)
      for magic in magics
      where reader.bytes(at: content, count: magic.count).map({ Array($0) }) == magic {
        countComments(at: content + Int64(magic.count))
      }
      position = content + sizes.reduce(0) { $0 + Int64($1) }
    }
  }

  // MARK: RIFF (AVI, WAV): lists of kind INFO, and ID3

  package mutating func countRIFF() {
    var position: Int64 = 12
    while let head = reader.bytes(at: position, count: 12).map({ Array($0) }), goesOn() {
      let size = littleEndian32(at: position + 4)
      if head.starts(with: Array("ID3 ".utf8)) || head.starts(with: Array("id3 ".utf8)) {
        _ = countID3(at: position + 8)
      }
      if head.starts(with: Array("LIST".utf8)), Array(head[8..<12]) == Array("INFO".utf8) {
        var entry = position + 12
        while entry + 8 <= position + 8 + size, goesOn() {
          guard reader.bytes(at: entry, count: 8) != nil else { return }
          add()
          let length = littleEndian32(at: entry + 4)
          entry += 8 + length + length % 2
        }
      }
      position += 8 + size + size % 2
    }
  }
}
