/// The kinds of tags that files of bare sound have before, between or after their frames.
enum AudioTag {
  /// What may still be spent on tags without a stated size, in items: a crafted file has one at every byte.
  struct Search {
    fileprivate var left = 20_000

    fileprivate mutating func spend(_ items: Int) -> Bool {
      left -= items
      return left >= 0
    }
  }

  /// Where the tag that begins at a position ends; `nil` if none begins there.
  ///
  /// - Parameter size: of the file; a tag that states more ends there.
  static func end(
    at place: Int64, in bytes: inout ReadAhead, _ size: Int64, _ search: inout Search
  ) -> Int64? {
    guard let first = bytes[place, 1].first else { return nil }
    let length: Int64? =
      switch first {
      case UInt8(ascii: "I"): id3Length(at: place, in: &bytes)
      case UInt8(ascii: "T"): titleLength(at: place, in: &bytes)
      case UInt8(ascii: "A"): apeLength(at: place, in: &bytes)
      case UInt8(ascii: "L"): lyricsLength(at: place, in: &bytes, &search)
      default: nil
      }
    guard let length = length ?? apeItemsLength(at: place, in: &bytes, size, &search) else {
      return nil
    }
    return min(size, place + length)
  }

  /// ID3v2, 3.1: no byte of the version is 0xFF, and the size is seven bits of each of four bytes; 3.4: a
  /// footer is as long as the header.
  private static func id3Length(at place: Int64, in bytes: inout ReadAhead) -> Int64? {
    let head = Array(bytes[place, 10])
    guard head.count == 10, head.starts(with: "ID3".utf8), head[3] < 0xFF, head[4] < 0xFF,
      head[6...].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let size = head[6...].reduce(Int64(0)) { $0 << 7 | Int64($1) }
    return 10 + size + (head[5] & 0x10 != 0 ? 10 : 0)
  }

  /// ID3v1, or the extension of it that precedes it.
  private static func titleLength(at place: Int64, in bytes: inout ReadAhead) -> Int64? {
    if bytes.starts(with: "TAG+", at: place), bytes.starts(with: "TAG", at: place + 227) {
      return 227
    }
    return bytes.starts(with: "TAG", at: place) ? 128 : nil
  }

  /// APEv2: header and footer of 32 bytes state the size without the header.
  private static func apeLength(at place: Int64, in bytes: inout ReadAhead) -> Int64? {
    let head = Array(bytes[place, 32])
    guard head.count == 32, head.starts(with: "APETAGEX".utf8) else { return nil }
    return head[23] & 0x20 != 0 ? 32 + littleEndian(head[12..<16]) : 32
  }

  /// APE without a header: items of a size, flags and a name, then a footer that states their total size.
  private static func apeItemsLength(
    at place: Int64, in bytes: inout ReadAhead, _ size: Int64, _ search: inout Search
  ) -> Int64? {
    var next = place
    for _ in 0..<mostItems {
      if bytes.starts(with: "APETAGEX", at: next) {
        let foot = Array(bytes[next, 32])
        guard next > place, foot.count == 32,
          littleEndian(foot[12..<16]) == next + 32 - place
        else { return nil }
        return next + 32 - place
      }
      let head = Array(bytes[next, 264])
      // Only the lowest three flags and the highest are defined.
      guard head.count > 10, head[4] < 8, head[5] == 0, head[6] == 0, head[7] & 0x7F == 0
      else { return nil }
      let name = head[8...].prefix { (0x20...0x7E).contains($0) }
      guard name.count > 1, head.count > 8 + name.count, head[8 + name.count] == 0 else {
        return nil
      }
      next += 8 + Int64(name.count) + 1 + littleEndian(head[..<4])
      guard next < size, search.spend(1) else { return nil }
    }
    return nil
  }

  /// Lyrics3: version 2 states its size before its last nine bytes, version 1 only ends.
  private static func lyricsLength(
    at place: Int64, in bytes: inout ReadAhead, _ search: inout Search
  ) -> Int64? {
    guard bytes.starts(with: "LYRICSBEGIN", at: place), search.spend(200) else { return nil }
    let text = Array(bytes[place, mostLyrics])
    let ends = [Array("LYRICS200".utf8), Array("LYRICSEND".utf8)]
    for index in text.indices.dropFirst(11) where text[index] == UInt8(ascii: "L") {
      guard let kind = ends.firstIndex(where: { text[index...].starts(with: $0) }) else {
        continue
      }
      let digits = String(decoding: text[(index - 6)..<index], as: UTF8.self)
      if kind == 1 || Int(digits) == index - 6 { return Int64(index + 9) }
    }
    return nil
  }

  private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.reversed().reduce(0) { $0 << 8 | Int64($1) }
  }

  /// The most that six digits state, with what follows them.
  private static let mostLyrics = 1_000_015
  private static let mostItems = 1000
}
