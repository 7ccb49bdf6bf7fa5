package import ExactTime

/// Video usability information: annex E of ITU-T H.264 and H.265, whose beginning is the same.
///
/// Where it is truncated, what precedes the end is there.
package struct VideoUsability {
  package private(set) var sampleAspectRatio: Rational?
  package private(set) var isFullRange: Bool?
  package private(set) var color = ColorCodes()
  /// Frames per second from the timing information.
  package private(set) var frameRate: Rational?
  /// max_num_reorder_frames of H.264; `nil` when not stated.
  package private(set) var maxReorderFrames: Int?
  /// The number of bits before pic_struct in a picture timing SEI message (H.264, D.1.3); `nil`
  /// where it has none.
  package private(set) var pictureTimingDelayBits: Int?

  package init() {}

  /// vui_parameters of H.264, E.1.1, up to max_num_reorder_frames.
  package mutating func readH264(_ reader: inout SyntaxReader) throws(SyntaxReader.NotUnderstood) {
    try readBeginning(&reader)
    if try reader.flag() {
      // It counts fields (E.2.1).
      try readTiming(&reader, picturesPerTick: 2)
      try reader.skip(1)
    }
    var hasModel = false
    var delayBits = 0
    for _ in 0..<2 {
      guard try reader.flag() else { continue }
      hasModel = true
      let last = try reader.unsigned(upTo: 31)
      try reader.skip(8)
      for _ in 0...last {
        _ = try (reader.unsigned(), reader.unsigned())
        try reader.skip(1)
      }
      try reader.skip(5)
      delayBits = Int(try reader.bits(5)) + Int(try reader.bits(5)) + 2
      try reader.skip(5)
    }
    if hasModel { try reader.skip(1) }
    if try reader.flag() { pictureTimingDelayBits = delayBits }
    guard try reader.flag() else { return }
    try reader.skip(1)
    for _ in 0..<4 { _ = try reader.unsigned() }
    maxReorderFrames = Int(try reader.unsigned(upTo: 16))
  }

  /// vui_parameters of HEVC, E.2.1.
  package mutating func readHEVC(
    _ reader: inout SyntaxReader, layers: Int
  ) throws(SyntaxReader.NotUnderstood) {
    try readBeginning(&reader)
    try reader.skip(3)
    if try reader.flag() { for _ in 0..<4 { _ = try reader.unsigned() } }
    if try reader.flag() {
      try readTiming(&reader, picturesPerTick: 1)
      if try reader.flag() { _ = try reader.unsigned() }
      if try reader.flag() { try Self.skipReferenceDecoder(&reader, layers: layers) }
    }
    if try reader.flag() {
      try reader.skip(3)
      for _ in 0..<5 { _ = try reader.unsigned() }
    }
  }

  /// The shape of a sample, the colors and the place of chroma samples.
  private mutating func readBeginning(
    _ reader: inout SyntaxReader
  ) throws(SyntaxReader.NotUnderstood) {
    if try reader.flag() {
      let code = Int(try reader.bits(8))
      if code == 255 {
        let (width, height) = try (reader.bits(16), reader.bits(16))
        if width > 0, height > 0 { sampleAspectRatio = Rational(Int64(width), Int64(height)) }
      } else if code >= 1, code <= Self.aspectRatios.count {
        sampleAspectRatio = Self.aspectRatios[code - 1]
      }
    }
    if try reader.flag() { try reader.skip(1) }  // overscan
    if try reader.flag() {
      try reader.skip(3)
      isFullRange = try reader.flag()
      if try reader.flag() { color = try ColorCodes(&reader) }
    }
    if try reader.flag() { _ = try (reader.unsigned(), reader.unsigned()) }
  }

  private mutating func readTiming(
    _ reader: inout SyntaxReader, picturesPerTick: Int64
  ) throws(SyntaxReader.NotUnderstood) {
    let (units, scale) = try (reader.bits(32), reader.bits(32))
    if units > 0, scale > 0 {
      frameRate = Rational(Int64(scale), Int64(units) * picturesPerTick)
    }
  }

  /// Skips hrd_parameters of HEVC with the common information, E.2.2.
  private static func skipReferenceDecoder(
    _ reader: inout SyntaxReader, layers: Int
  ) throws(SyntaxReader.NotUnderstood) {
    let kinds = try [reader.flag(), reader.flag()].count { $0 }
    var hasParts = false
    if kinds > 0 {
      hasParts = try reader.flag()
      if hasParts { try reader.skip(19) }
      try reader.skip(8)
      if hasParts { try reader.skip(4) }
      try reader.skip(15)
    }
    for _ in 0...layers {
      let isFixed = try reader.flag()
      let isFixedWithin = isFixed ? true : try reader.flag()
      var isLowDelay = false
      if isFixedWithin {
        _ = try reader.unsigned()
      } else {
        isLowDelay = try reader.flag()
      }
      let buffers = isLowDelay ? 1 : Int(try reader.unsigned(upTo: 31)) + 1
      for _ in 0..<buffers * kinds {
        for _ in 0..<(hasParts ? 4 : 2) { _ = try reader.unsigned() }
        try reader.skip(1)
      }
    }
  }

  /// Table E-1.
  private static let aspectRatios: [Rational] = [
    Rational(1), Rational(12, 11), Rational(10, 11), Rational(16, 11), Rational(40, 33),
    Rational(24, 11), Rational(20, 11), Rational(32, 11), Rational(80, 33), Rational(18, 11),
    Rational(15, 11), Rational(64, 33), Rational(160, 99), Rational(4, 3), Rational(3, 2),
    Rational(2),
  ]
}

/// Code points of ITU-T H.273; `nil` where not stated.
package struct ColorCodes: Hashable {
  package var primaries: Int?
  package var transfer: Int?
  package var matrix: Int?

  package init() {}

  /// Eight bits for each.
  init(_ reader: inout SyntaxReader) throws(SyntaxReader.NotUnderstood) {
    primaries = Int(try reader.bits(8))
    transfer = Int(try reader.bits(8))
    matrix = Int(try reader.bits(8))
  }
}
