import ExactTime

/// A sequence header of AV1 (AV1 bitstream specification, 5.5), read up to the colors.
package struct AV1SequenceHeader {
  package private(set) var header = VideoHeader()
  /// Whether the OBU ends correctly: the syntax is followed by a 1 bit and only zeros (5.3.4).
  package private(set) var endsWhereStated = false

  /// - Parameter payload: of the OBU, without its header.
  package init?(_ payload: ArraySlice<UInt8>) {
    var reader = SyntaxReader(payload)
    do {
      try read(&reader)
    } catch {
      return nil
    }
    header.isProgressive = true
    header.maxReorderFrames = 0
    // The last flag signals film grain.
    guard (try? reader.skip(1)) != nil, (try? reader.flag()) == true else { return }
    endsWhereStated = reader.hasOnlyZeros
  }

  private mutating func read(_ reader: inout SyntaxReader) throws(SyntaxReader.NotUnderstood) {
    let profile = try reader.bits(3)
    guard profile < 3 else { throw SyntaxReader.NotUnderstood() }
    header.profile = Self.profileName(UInt8(profile))
    try reader.skip(1)
    let isReduced = try reader.flag()
    if isReduced {
      header.level = Self.levelName(UInt8(try reader.bits(5)))
    } else {
      try readOperation(&reader)
    }
    let (widthBits, heightBits) = try (reader.bits(4), reader.bits(4))
    header.width = Int(try reader.bits(Int(widthBits) + 1)) + 1
    header.height = Int(try reader.bits(Int(heightBits) + 1)) + 1
    try Self.skipTools(&reader, isReduced: isReduced)
    try readColor(&reader, profile: profile)
  }

  /// Timing, decoder model and operating points: from timing_info to the last seq_tier, 5.5.1.
  private mutating func readOperation(
    _ reader: inout SyntaxReader
  ) throws(SyntaxReader.NotUnderstood) {
    var delayBits: Int?
    if try reader.flag() {
      try readTiming(&reader)
      if try reader.flag() {
        delayBits = Int(try reader.bits(5)) + 1
        try reader.skip(32 + 5 + 5)
      }
    }
    let hasDelays = try reader.flag()
    for point in 0...(try reader.bits(5)) {
      try reader.skip(12)
      let level = try reader.bits(5)
      try reader.skip(level > 7 ? 1 : 0)
      if point == 0 { header.level = Self.levelName(UInt8(level)) }
      if let delayBits, try reader.flag() { try reader.skip(2 * delayBits + 1) }
      if hasDelays, try reader.flag() { try reader.skip(4) }
    }
  }

  /// 5.5.3: the rate is stated only where all pictures have the same duration.
  private mutating func readTiming(
    _ reader: inout SyntaxReader
  ) throws(SyntaxReader.NotUnderstood) {
    let (units, scale) = try (reader.bits(32), reader.bits(32))
    guard try reader.flag() else { return }
    // uvlc (4.10.3) has the form of ue(v).
    let ticks = try reader.unsigned()
    if units > 0, scale > 0 {
      header.frameRate = try? Rational(
        checked: Int128(scale), over: Int128(units) * (Int128(ticks) + 1))
    }
  }

  /// From the frame identifiers to the loop restoration, 5.5.1.
  private static func skipTools(
    _ reader: inout SyntaxReader, isReduced: Bool
  ) throws(SyntaxReader.NotUnderstood) {
    guard !isReduced else { return try reader.skip(3 + 3) }
    if try reader.flag() { try reader.skip(7) }
    try reader.skip(3 + 4)
    let hasOrder = try reader.flag()
    try reader.skip(hasOrder ? 2 : 0)
    let choosesScreenTools = try reader.flag()
    let mayUseScreenTools = choosesScreenTools ? true : try reader.flag()
    if mayUseScreenTools, try !reader.flag() { try reader.skip(1) }
    try reader.skip((hasOrder ? 3 : 0) + 3)
  }

  /// 5.5.2.
  private mutating func readColor(
    _ reader: inout SyntaxReader, profile: UInt32
  ) throws(SyntaxReader.NotUnderstood) {
    let isHigh = try reader.flag()
    let isTwelve = try profile == 2 && isHigh ? reader.flag() : false
    let depth = isTwelve ? 12 : isHigh ? 10 : 8
    header.bitDepth = depth
    let isGray = try profile == 1 ? false : reader.flag()
    if try reader.flag() { header.color = try ColorCodes(&reader) }
    let color = header.color
    if !isGray, color.primaries == 1, color.transfer == 13, color.matrix == 0 {
      header.isFullRange = true
      header.pixelFormat = PixelFormat.planarRGB(bitDepth: depth)
      return try reader.skip(1)
    }
    header.isFullRange = try reader.flag()
    if isGray {
      header.pixelFormat = PixelFormat.name(chroma: 0, bitDepth: depth, isFullRange: false)
      return
    }
    var (halvesWidth, halvesHeight) = (profile != 1, profile == 0)
    if profile == 2, depth == 12 {
      halvesWidth = try reader.flag()
      halvesHeight = try halvesWidth ? reader.flag() : false
    }
    header.pixelFormat = PixelFormat.name(
      halvesWidth: halvesWidth, halvesHeight: halvesHeight, bitDepth: depth)
    // chroma_sample_position, and separate_uv_delta_q.
    try reader.skip(halvesWidth && halvesHeight ? 3 : 1)
  }

  static func profileName(_ code: UInt8) -> String {
    ["Main", "High", "Professional"][Int(min(code, 2))]
  }

  /// Annex A.3; 31 means without limits.
  static func levelName(_ index: UInt8) -> String? {
    index < 24 ? "\(2 + index / 4).\(index % 4)" : nil
  }
}
