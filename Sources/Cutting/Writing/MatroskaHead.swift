import MediaFiles

/// Finds the durations stated at the beginning of a Matroska file (RFC 9559, 5.1).
struct MatroskaHead {
  private let bytes: [UInt8]
  /// The content of Segment, which contains Info and Tags.
  private let segment: Range<Int>

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    segment =
      Self.elements(0x1853_8067, in: bytes.indices, of: bytes).first ?? bytes
      .endIndex..<bytes.endIndex
  }

  /// Where the eight bytes of Segment\\Info\\Duration are (5.1.2.10).
  var duration: Int? {
    inner(0x1549_A966).lazy.flatMap { elements(0x4489, in: $0) }.first { $0.count == 8 }?
      .lowerBound
  }

  /// Where the 20-byte text of every DURATION tag is (5.1.8.1.2.4).
  var statistics: [Int] {
    inner(0x1254_C367).flatMap { elements(0x7373, in: $0) }
      .flatMap { elements(0x67C8, in: $0) }
      .compactMap { tag in
        let name = elements(0x45A3, in: tag).first.map { bytes[$0] }
        guard name?.elementsEqual("DURATION".utf8) == true else { return nil }
        return elements(0x4487, in: tag).first { $0.count == 20 }?.lowerBound
      }
  }

  private func inner(_ identifier: UInt32) -> [Range<Int>] { elements(identifier, in: segment) }

  private func elements(_ identifier: UInt32, in range: Range<Int>) -> [Range<Int>] {
    Self.elements(identifier, in: range, of: bytes)
  }

  /// The contents of child elements of one kind, as far as they were kept: the segment size is
  /// unknown while a file is written.
  private static func elements(
    _ identifier: UInt32, in range: Range<Int>, of bytes: [UInt8]
  ) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var next = range.lowerBound
    while next < range.upperBound,
      let head = EBML.head(bytes[next..<range.upperBound])
    {
      let start = next + head.length
      let rest = range.upperBound - start
      guard rest >= 0 else { break }
      let length = head.size.map { Int(min($0, Int64(rest))) } ?? rest
      if head.id == identifier { found.append(start..<start + length) }
      next = start + length
    }
    return found
  }
}
