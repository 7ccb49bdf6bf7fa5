import ExactTime

extension VideoHeader {
  /// The sequence header among the OBUs of a keyframe, or of an av1C box after its first four bytes (AV1
  /// bitstream specification, 5.3 and 5.5).
  package init?(av1 bytes: ArraySlice<UInt8>) {
    for unit in OpenBitstreamUnits(bytes: bytes) where unit.type == 1 {
      self.init(av1Sequence: unit.payload)
      return
    }
    return nil
  }

  private init?(av1Sequence payload: ArraySlice<UInt8>) {
    var reader = BitReader(payload)
    self.init(av1Sequence: &reader)
  }

  /// Whether a sequence header, without its OBU header, ends correctly: its syntax is followed by a 1 bit and
  /// only zeros up to the end of the OBU (5.3.4).
  package static func endsWhereStated(av1Sequence payload: ArraySlice<UInt8>) -> Bool {
    var reader = BitReader(payload)
    // The last flag signals film grain.
    guard VideoHeader(av1Sequence: &reader) != nil, reader.skip(1), reader.flag() == true else {
      return false
    }
    while reader.bitsLeft > 0 {
      guard reader.read(min(32, reader.bitsLeft)) == 0 else { return false }
    }
    return true
  }

  /// Reads up to the colors.
  private init?(av1Sequence reader: inout BitReader) {
    self.init()
    guard let profileCode = reader.read(3), profileCode < 3, reader.skip(1),
      let isReduced = reader.flag(), readAV1Operation(&reader, isReduced: isReduced),
      let widthBits = reader.read(4), let heightBits = reader.read(4),
      let width = reader.read(Int(widthBits) + 1), let height = reader.read(Int(heightBits) + 1),
      Self.skipAV1Tools(&reader, isReduced: isReduced)
    else { return nil }
    profile = ["Main", "High", "Professional"][Int(profileCode)]
    (self.width, self.height) = (Int(width) + 1, Int(height) + 1)
    isProgressive = true
    maxReorderFrames = 0
    guard readAV1Color(&reader, profile: Int(profileCode)) else { return nil }
  }

  /// Timing, decoder model and operating points: from timing_info to the last seq_tier, 5.5.1.
  private mutating func readAV1Operation(_ reader: inout BitReader, isReduced: Bool) -> Bool {
    if isReduced {
      guard let index = reader.read(5) else { return false }
      level = Self.av1Level(index)
      return true
    }
    guard let hasTiming = reader.flag() else { return false }
    var delayBits: Int?
    if hasTiming {
      guard readAV1Timing(&reader), let hasModel = reader.flag() else { return false }
      if hasModel {
        guard let bits = reader.read(5), reader.skip(32 + 5 + 5) else { return false }
        delayBits = Int(bits) + 1
      }
    }
    guard let hasDelays = reader.flag(), let last = reader.read(5) else { return false }
    for point in 0...last {
      guard reader.skip(12), let index = reader.read(5), reader.skip(index > 7 ? 1 : 0) else {
        return false
      }
      if point == 0 { level = Self.av1Level(index) }
      if let delayBits {
        guard let isPresent = reader.flag(), reader.skip(isPresent ? 2 * delayBits + 1 : 0) else {
          return false
        }
      }
      if hasDelays {
        guard let isPresent = reader.flag(), reader.skip(isPresent ? 4 : 0) else { return false }
      }
    }
    return true
  }

  /// 5.5.3: the rate is stated only where all pictures have the same duration.
  private mutating func readAV1Timing(_ reader: inout BitReader) -> Bool {
    guard let units = reader.read(32), let scale = reader.read(32), let isEqual = reader.flag()
    else { return false }
    guard isEqual else { return true }
    // uvlc (4.10.3) has the form of ue(v).
    guard let ticks = reader.exponentialGolomb() else { return false }
    if units > 0, scale > 0 {
      frameRate = try? Rational(
        checked: Int128(scale), over: Int128(units) * (Int128(ticks) + 1))
    }
    return true
  }

  /// From the frame identifiers to the loop restoration, 5.5.1.
  private static func skipAV1Tools(_ reader: inout BitReader, isReduced: Bool) -> Bool {
    guard !isReduced else { return reader.skip(3 + 3) }
    guard let hasIdentifiers = reader.flag(), reader.skip(hasIdentifiers ? 7 : 0),
      reader.skip(3 + 4), let hasOrder = reader.flag(), reader.skip(hasOrder ? 2 : 0),
      let choosesScreenTools = reader.flag()
    else { return false }
    var mayUseScreenTools = true
    if !choosesScreenTools {
      guard let isForced = reader.flag() else { return false }
      mayUseScreenTools = isForced
    }
    if mayUseScreenTools {
      guard let choosesInteger = reader.flag(), reader.skip(choosesInteger ? 0 : 1) else {
        return false
      }
    }
    return reader.skip(hasOrder ? 3 : 0) && reader.skip(3)
  }

  /// 5.5.2.
  private mutating func readAV1Color(_ reader: inout BitReader, profile: Int) -> Bool {
    guard let isHigh = reader.flag() else { return false }
    var depth = isHigh ? 10 : 8
    if profile == 2, isHigh {
      guard let isTwelve = reader.flag() else { return false }
      depth = isTwelve ? 12 : 10
    }
    bitDepth = depth
    var isGray = false
    if profile != 1 {
      guard let flag = reader.flag() else { return false }
      isGray = flag
    }
    guard let hasColor = reader.flag() else { return false }
    if hasColor {
      primaries = reader.read(8).map { Int($0) }
      transfer = reader.read(8).map { Int($0) }
      matrix = reader.read(8).map { Int($0) }
    }
    if !isGray, primaries == 1, transfer == 13, matrix == 0 {
      isFullRange = true
      pixelFormat = PixelFormat.planarRGB(bitDepth: depth)
      return reader.skip(1)
    }
    isFullRange = reader.flag()
    guard isFullRange != nil else { return false }
    if isGray {
      pixelFormat = PixelFormat.name(chroma: 0, bitDepth: depth, isFullRange: false)
      return true
    }
    guard let (halvesWidth, halvesHeight) = Self.av1Subsampling(&reader, profile, depth) else {
      return false
    }
    pixelFormat = PixelFormat.name(
      halvesWidth: halvesWidth, halvesHeight: halvesHeight, bitDepth: depth)
    // chroma_sample_position, and separate_uv_delta_q.
    return reader.skip(halvesWidth && halvesHeight ? 3 : 1)
  }

  private static func av1Subsampling(
    _ reader: inout BitReader, _ profile: Int, _ depth: Int
  ) -> (Bool, Bool)? {
    switch profile {
    case 0: return (true, true)
    case 1: return (false, false)
    default:
      guard depth == 12 else { return (true, false) }
      guard let halvesWidth = reader.flag() else { return nil }
      guard halvesWidth else { return (false, false) }
      return reader.flag().map { (true, $0) }
    }
  }

  /// Annex A.3; 31 means without limits.
  private static func av1Level(_ index: UInt32) -> String? {
    index < 24 ? "\(2 + index / 4).\(index % 4)" : nil
  }
}
