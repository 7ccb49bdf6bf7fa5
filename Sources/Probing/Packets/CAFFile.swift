import MediaFiles

/// What a file says in Apple's Core Audio Format (Core Audio Format Specification 1.0).
///
/// Chunks stand one behind the other: a name of four bytes, a length of eight, and as many bytes.
struct CAFFile {
  let input: InputFile

  /// Where sound by the file's own word ends; `nil` where that is left open, as -1.
  var soundEnd: Int64? { chunk("data")?.upperBound }

  /// Priming and padding, which the head of the packet table (`pakt`) states in samples; `nil` where it hides
  /// nothing or there is none, as with uncompressed sound.
  var gapless: GaplessTag? {
    guard let table = chunk("pakt"), table.count >= 24 else { return nil }
    let head = input.bytes(in: table.lowerBound..<table.lowerBound + 24, atMost: 24)
    guard head.count == 24, let samples = Self.number(head[8..<16]),
      let priming = Self.number(head[16..<20]), let padding = Self.number(head[20..<24]),
      priming + padding > 0
    else { return nil }
    return GaplessTag(priming: priming, padding: padding, sampleCount: samples)
  }

  /// Where the first chunk of a name has its bytes.
  private func chunk(_ name: String) -> Range<Int64>? {
    var place: Int64 = 8
    // Their number is not limited; files have a dozen.
    for _ in 0..<1000 {
      let head = input.bytes(in: place..<place + 12, atMost: 12)
      guard head.count == 12, let count = Self.number(head[4...]), count > 0, count < 1 << 62 else {
        return nil
      }
      let start = place + 12
      if head.starts(with: name.utf8) { return start..<start + Int64(count) }
      place = start + Int64(count)
    }
    return nil
  }

  /// Big-endian and signed; `nil` below zero.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first, first < 0x80 else { return nil }
    return Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
