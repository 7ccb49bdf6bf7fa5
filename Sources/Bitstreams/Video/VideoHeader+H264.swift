import ExactTime

extension VideoHeader {
  /// A sequence parameter set (ITU-T H.264, 7.3.2.1.1), with its header byte.
  package init?(h264SPS unit: ArraySlice<UInt8>) {
    guard let set = H264SPS(Array(unit)), set.chromaFormat < 4, set.lumaDepth < 8,
      let size = set.size
    else { return nil }
    self.init()
    profile = Self.h264Profile(set)
    level = set.isLevelOneB ? "1.b" : "\(set.level / 10).\(set.level % 10)"
    let depth = Int(set.lumaDepth) + 8
    bitDepth = depth
    isProgressive = set.onlyFrames ? true : nil
    if size.width > 0, size.height > 0 { (width, height) = size }
    if let position = set.usabilityPosition {
      var reader = BitReader(NALEscaping.unescaped(unit.dropFirst()))
      reader.skip(position)
      if reader.flag() == true { readVUI(&reader, isHEVC: false) }
    }
    pixelFormat =
      set.chromaFormat == 3 && matrix == 0
      ? PixelFormat.planarRGB(bitDepth: depth)
      // Decoders add neutral chroma planes to monochrome pictures.
      : PixelFormat.name(
        chroma: max(Int(set.chromaFormat), 1), bitDepth: depth, isFullRange: isFullRange == true)
  }

  private static func h264Profile(_ set: H264SPS) -> String? {
    switch set.profile {
    case 66: set.constraints & 0x40 != 0 ? "Constrained Baseline" : "Baseline"
    case 77: "Main"
    case 88: "Extended"
    case 100: set.constraints & 0x0C == 0x0C ? "Constrained High" : "High"
    case 110: set.constraints & 0x10 != 0 ? "High 10 Intra" : "High 10"
    case 122: set.constraints & 0x10 != 0 ? "High 4:2:2 Intra" : "High 4:2:2"
    case 244: set.constraints & 0x10 != 0 ? "High 4:4:4 Intra" : "High 4:4:4 Predictive"
    case 44: "CAVLC 4:4:4"
    default: nil
    }
  }

  /// Reads video usability information: annex E of both standards, whose beginning is the same.
  package mutating func readVUI(_ reader: inout BitReader, isHEVC: Bool) {
    if reader.flag() == true, let code = reader.read(8) {
      if code == 255 {
        if let width = reader.read(16), let height = reader.read(16), width > 0, height > 0 {
          sampleAspectRatio = Rational(Int64(width), Int64(height))
        }
      } else if code >= 1, Int(code) <= Self.aspectRatios.count {
        sampleAspectRatio = Self.aspectRatios[Int(code) - 1]
      }
    }
    if reader.flag() == true { reader.skip(1) }  // overscan
    if reader.flag() == true {
      reader.skip(3)
      isFullRange = reader.flag()
      if reader.flag() == true {
        primaries = reader.read(8).map { Int($0) }
        transfer = reader.read(8).map { Int($0) }
        matrix = reader.read(8).map { Int($0) }
      }
    }
    if reader.flag() == true {
      _ = reader.exponentialGolomb()
      _ = reader.exponentialGolomb()
    }
    if isHEVC {
      reader.skip(3)
      if reader.flag() == true { for _ in 0..<4 { _ = reader.exponentialGolomb() } }
    }
    if reader.flag() == true {
      guard let units = reader.read(32), let scale = reader.read(32) else { return }
      // H.264 counts fields (E.2.1), HEVC pictures.
      if units > 0, scale > 0 {
        frameRate = Rational(Int64(scale), Int64(units) * (isHEVC ? 1 : 2))
      }
      if !isHEVC { reader.skip(1) }
    }
    if !isHEVC { readRestrictions(&reader) }
  }

  /// bitstream_restriction of H.264, after the HRD parameters (E.1.1 and E.1.2).
  private mutating func readRestrictions(_ reader: inout BitReader) {
    var hasModel = false
    var delayBits = 0
    for _ in 0..<2 {
      guard let isPresent = reader.flag() else { return }
      guard isPresent else { continue }
      hasModel = true
      guard let last = reader.exponentialGolomb(), last < 32, reader.skip(8) else { return }
      for _ in 0...last {
        guard reader.exponentialGolomb() != nil, reader.exponentialGolomb() != nil,
          reader.skip(1)
        else { return }
      }
      guard reader.skip(5), let removal = reader.read(5), let output = reader.read(5),
        reader.skip(5)
      else { return }
      delayBits = Int(removal) + Int(output) + 2
    }
    if hasModel { reader.skip(1) }
    guard let tellsStructure = reader.flag() else { return }
    if tellsStructure { pictureTimingDelayBits = delayBits }
    guard reader.flag() == true, reader.skip(1) else { return }
    for _ in 0..<4 where reader.exponentialGolomb() == nil { return }
    guard let reordered = reader.exponentialGolomb(), reordered <= 16 else { return }
    maxReorderFrames = Int(reordered)
  }

  /// Table E-1.
  private static let aspectRatios: [Rational] = [
    Rational(1), Rational(12, 11), Rational(10, 11), Rational(16, 11), Rational(40, 33),
    Rational(24, 11), Rational(20, 11), Rational(32, 11), Rational(80, 33), Rational(18, 11),
    Rational(15, 11), Rational(64, 33), Rational(160, 99), Rational(4, 3), Rational(3, 2),
    Rational(2),
  ]
}

extension VideoHeader {
  /// The field order from the picture timing SEI of an H.264 file's first sample.
  ///
  /// - Returns: `progressive`, `tt` or `bb` by pic_struct (ITU-T H.264, table D-1); `nil` where the
  ///   header signals none or the sample has none.
  package func fieldOrder(ofFirstSample sample: ArraySlice<UInt8>, framing: Framing) -> String? {
    guard let pictureTimingDelayBits else { return nil }
    for unit in NALUnits(bytes: sample, framing: framing) {
      guard let first = unit.first, first & 0x1F == 6,
        let timing = SEIMessage.payload(ofType: 1, in: unit.dropFirst())
      else { continue }
      var reader = BitReader(timing)
      guard reader.skip(pictureTimingDelayBits), let structure = reader.read(4) else { return nil }
      switch structure {
      case 0, 7, 8: return "progressive"
      case 1, 3, 5: return "tt"
      case 2, 4, 6: return "bb"
      default: return nil
      }
    }
    return nil
  }
}
