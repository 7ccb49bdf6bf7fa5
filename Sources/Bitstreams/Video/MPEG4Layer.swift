import ExactTime

/// The headers before a picture of MPEG-4 part 2: a visual object sequence with its video object layer (ISO
/// 14496-2, 6.2.2 and 6.2.3).
package struct MPEG4Layer {
  package private(set) var header = VideoHeader()
  /// The number of bits of a picture header's time (vop_time_increment).
  package private(set) var timeBits = 0
  /// quant_type; `nil` where it is not read.
  package private(set) var quantisesByMatrices: Bool?
  /// data_partitioned; `nil` where it is not read.
  package private(set) var hasDataPartitions: Bool?

  /// - Returns: `nil` without a video object layer that is understood.
  package init?(_ bytes: ArraySlice<UInt8>) {
    for unit in NALUnits(bytes: bytes, framing: .annexB) {
      guard let code = unit.first else { continue }
      var reader = SyntaxReader(unit.dropFirst())
      switch code {
      case 0xB0: try? readProfile(&reader)
      case 0xB5: try? readVisualObject(&reader)
      case 0x20...0x2F:
        guard (try? readLayer(&reader)) != nil else { return nil }
        header.bitDepth = 8
        header.pixelFormat = "yuv420p"
        return
      default: continue
      }
    }
    return nil
  }

  /// Table G-1: the profile in the upper half, the level in the lower.
  private mutating func readProfile(
    _ reader: inout SyntaxReader
  ) throws(SyntaxReader.NotUnderstood) {
    let (code, stated) = try (reader.bits(4), reader.bits(4))
    let names: [UInt32: String] = [
      0: "Simple Profile", 1: "Simple Scalable Profile", 2: "Core Profile", 3: "Main Profile",
      15: "Advanced Simple Profile",
    ]
    header.profile = names[code]
    // Simple profile, level 0, is coded as 8.
    header.level = "\(code == 0 && stated == 8 ? 0 : stated)"
  }

  /// 6.2.2: video_signal_type.
  private mutating func readVisualObject(
    _ reader: inout SyntaxReader
  ) throws(SyntaxReader.NotUnderstood) {
    if try reader.flag() { try reader.skip(7) }
    guard try (1...2).contains(reader.bits(4)), try reader.flag() else { return }
    try reader.skip(3)
    header.isFullRange = try reader.flag()
    if try reader.flag() { header.color = try ColorCodes(&reader) }
  }

  /// 6.2.3.
  private mutating func readLayer(_ reader: inout SyntaxReader) throws(SyntaxReader.NotUnderstood) {
    try reader.skip(9)
    var version: UInt32 = 1
    if try reader.flag() {
      version = try reader.bits(4)
      try reader.skip(3)
    }
    try readShapeOfSample(&reader)
    if try reader.flag() {
      try reader.skip(2)
      let isLowDelay = try reader.flag()
      if try reader.flag() { try reader.skip(79) }
      if isLowDelay { header.maxReorderFrames = 0 }
    }
    let shape = try reader.bits(2)
    try reader.skip(shape == 3 && version != 1 ? 4 + 1 : 1)
    let resolution = try reader.bits(16)
    guard resolution > 0 else { throw SyntaxReader.NotUnderstood() }
    try reader.skip(1)
    // The number of bits that a number below the resolution needs, at least one (6.3.3).
    timeBits = max(1, UInt32.bitWidth - (resolution - 1).leadingZeroBitCount)
    if try reader.flag() {
      let increment = try reader.bits(timeBits)
      if increment > 0 { header.frameRate = Rational(Int64(resolution), Int64(increment)) }
    }
    guard shape == 0 else { return }
    try reader.skip(1)
    let width = try Int(reader.bits(13))
    try reader.skip(1)
    let height = try Int(reader.bits(13))
    try reader.skip(1)
    header.setSize(width, height)
    try? readCoding(&reader, version)
  }

  /// Reads how pictures are coded; what follows sprites and complexity estimation is not read here.
  private mutating func readCoding(
    _ reader: inout SyntaxReader, _ version: UInt32
  ) throws(SyntaxReader.NotUnderstood) {
    header.isProgressive = try !reader.flag()
    try reader.skip(1)
    guard try reader.bits(version == 1 ? 1 : 2) == 0 else { return }
    if try reader.flag() { try reader.skip(8) }
    let hasMatrices = try reader.flag()
    quantisesByMatrices = hasMatrices
    if hasMatrices {
      for _ in 0..<2 {
        guard try reader.flag() else { continue }
        // Up to 64 numbers, or a zero after the last that differs.
        for _ in 0..<64 {
          if try reader.bits(8) == 0 { break }
        }
      }
    }
    try reader.skip(version == 1 ? 0 : 1)
    guard try reader.flag() else { return }
    try reader.skip(1)
    hasDataPartitions = try reader.flag()
  }

  /// Table 6-12.
  private mutating func readShapeOfSample(
    _ reader: inout SyntaxReader
  ) throws(SyntaxReader.NotUnderstood) {
    switch try reader.bits(4) {
    case 1: header.sampleAspectRatio = .one
    case 2: header.sampleAspectRatio = Rational(12, 11)
    case 3: header.sampleAspectRatio = Rational(10, 11)
    case 4: header.sampleAspectRatio = Rational(16, 11)
    case 5: header.sampleAspectRatio = Rational(40, 33)
    case 15:
      let (width, height) = try (reader.bits(8), reader.bits(8))
      if width > 0, height > 0 { header.sampleAspectRatio = Rational(Int64(width), Int64(height)) }
    default: break
    }
  }
}
