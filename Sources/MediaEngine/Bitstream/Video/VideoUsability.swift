import ExactTime

/// The fields that the usability information of H.264 and HEVC begins with (annex E of both).
struct VideoUsability: Hashable, Sendable {
  var sampleAspectRatio: Rational?
  var isFullRange: Bool?
  var primaries = 2
  var transfer = 2
  var matrix = 2

  /// Reads up to the place of the chroma samples, which is skipped.
  mutating func read(_ bits: inout BitReader) throws(MalformedBits) {
    if try bits.flag() {
      let code = try bits.int(8)
      if code == 255 {
        sampleAspectRatio = VideoHeader.ratio(try bits.int(16), try bits.int(16))
      } else {
        sampleAspectRatio = Self.aspectRatio(code)
      }
    }
    if try bits.flag() { try bits.skip(1) }
    if try bits.flag() {
      try bits.skip(3)
      isFullRange = try bits.flag()
      if try bits.flag() {
        primaries = try bits.int(8)
        transfer = try bits.int(8)
        matrix = try bits.int(8)
      }
    }
    if try bits.flag() {
      _ = try bits.ue()
      _ = try bits.ue()
    }
  }

  /// SampleAspectRatio of ITU-T H.273, table 11 (the same in H.264 and HEVC, table E-1).
  static func aspectRatio(_ code: Int) -> Rational? {
    switch code {
    case 1: Rational.one
    case 2: Rational(12, 11)
    case 3: Rational(10, 11)
    case 4: Rational(16, 11)
    case 5: Rational(40, 33)
    case 6: Rational(24, 11)
    case 7: Rational(20, 11)
    case 8: Rational(32, 11)
    case 9: Rational(80, 33)
    case 10: Rational(18, 11)
    case 11: Rational(15, 11)
    case 12: Rational(64, 33)
    case 13: Rational(160, 99)
    case 14: Rational(4, 3)
    case 15: Rational(3, 2)
    case 16: Rational(2, 1)
    default: nil
    }
  }

  func describe(in header: inout VideoHeader) {
    header.sampleAspectRatio = sampleAspectRatio
    header.colorPrimaries = CodePoints.primaries(primaries)
    header.colorTransfer = CodePoints.transfer(transfer)
    header.colorMatrix = CodePoints.matrix(matrix)
    header.colorRange = isFullRange.map { $0 ? "pc" : "tv" }
  }
}
