import MediaFiles

/// A file in Apple's Core Audio Format (Core Audio Format Specification 1.0).
///
/// Chunks follow one another: a four-byte name, an eight-byte length, and that many bytes.
struct CAFFile {
  let input: InputFile

  /// The stated end of the audio data; `nil` where it is left open, as -1.
  var soundEnd: Int64? { chunk("data")?.upperBound }

  /// Priming and padding in samples from the header of the packet table (`pakt`); `nil` where it
  /// hides nothing or is missing, as with uncompressed audio.
  var gapless: GaplessTag? {
    guard let table = chunk("pakt"), table.count >= 24 else { return nil }
    let head = input.bytes(in: table.lowerBound..<table.lowerBound + 24, atMost: 24)
    guard head.count == 24, let samples = Self.number(head[8..<16]),
      let priming = Self.number(head[16..<20]), let padding = Self.number(head[20..<24]),
      priming + padding > 0
    else { return nil }
    return GaplessTag(priming: priming, padding: padding, sampleCount: samples)
  }

  /// The byte range of the first chunk with a given name.
  private func chunk(_ name: String) -> Range<Int64>? {
    var place: Int64 = 8
    // The format does not limit their number; files have a dozen.
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

  /// Reads a signed big-endian number; `nil` below zero.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first, first < 0x80 else { return nil }
    return Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
