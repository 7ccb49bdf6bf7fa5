import ExactTime

extension VideoHeader {
  /// A visual object sequence with its video object layer (ISO 14496-2, 6.2.2 and 6.2.3).
  package init?(mpeg4 bytes: ArraySlice<UInt8>) {
    self.init()
    for unit in NALUnits(bytes: bytes, framing: .annexB) {
      guard let code = unit.first else { continue }
      var reader = BitReader(unit.dropFirst())
      switch code {
      case 0xB0: readMPEG4Profile(&reader)
      case 0xB5: readVisualObject(&reader)
      case 0x20...0x2F:
        guard readVideoObjectLayer(&reader) else { return nil }
        bitDepth = 8
        pixelFormat = "yuv420p"
        return
      default: continue
      }
    }
    return nil
  }

  /// Table G-1: the profile in the upper half, the level in the lower.
  private mutating func readMPEG4Profile(_ reader: inout BitReader) {
    guard let code = reader.read(4), let stated = reader.read(4) else { return }
    let names: [UInt32: String] = [
      0: "Simple Profile", 1: "Simple Scalable Profile", 2: "Core Profile", 3: "Main Profile",
      15: "Advanced Simple Profile",
    ]
    profile = names[code]
    // Simple profile, level 0, is coded as 8.
    level = "\(code == 0 && stated == 8 ? 0 : stated)"
  }

  /// 6.2.2: video_signal_type.
  private mutating func readVisualObject(_ reader: inout BitReader) {
    guard let hasIdentifier = reader.flag(), reader.skip(hasIdentifier ? 7 : 0),
      let type = reader.read(4), type == 1 || type == 2, reader.flag() == true, reader.skip(3)
    else { return }
    isFullRange = reader.flag()
    guard reader.flag() == true else { return }
    primaries = reader.read(8).map { Int($0) }
    transfer = reader.read(8).map { Int($0) }
    matrix = reader.read(8).map { Int($0) }
  }

  /// 6.2.3.
  private mutating func readVideoObjectLayer(_ reader: inout BitReader) -> Bool {
    guard reader.skip(9), let hasIdentifier = reader.flag() else { return false }
    var version: UInt32 = 1
    if hasIdentifier {
      guard let verid = reader.read(4), reader.skip(3) else { return false }
      version = verid
    }
    guard readShapeOfSample(&reader), let hasControl = reader.flag() else { return false }
    if hasControl {
      guard reader.skip(2), let isLowDelay = reader.flag(), let hasBuffer = reader.flag(),
        reader.skip(hasBuffer ? 79 : 0)
      else { return false }
      if isLowDelay { maxReorderFrames = 0 }
    }
    guard let shape = reader.read(2), reader.skip(shape == 3 && version != 1 ? 4 : 0),
      reader.skip(1), let resolution = reader.read(16), resolution > 0, reader.skip(1),
      let isFixed = reader.flag()
    else { return false }
    // The number of bits that a number below the resolution needs, at least one (6.3.3).
    let bits = max(1, UInt32.bitWidth - (resolution - 1).leadingZeroBitCount)
    timeIncrementBits = bits
    if isFixed {
      guard let increment = reader.read(bits) else { return false }
      if increment > 0 { frameRate = Rational(Int64(resolution), Int64(increment)) }
    }
    guard shape == 0 else { return true }
    guard reader.skip(1), let width = reader.read(13), reader.skip(1),
      let height = reader.read(13), reader.skip(1)
    else { return false }
    if width > 0, height > 0 { (self.width, self.height) = (Int(width), Int(height)) }
    isProgressive = reader.flag().map { !$0 }
    readCoding(&reader, version)
    return true
  }

  /// Reads how pictures are coded; what follows sprites and complexity estimation is not read here.
  private mutating func readCoding(_ reader: inout BitReader, _ version: UInt32) {
    guard reader.skip(1), reader.read(version == 1 ? 1 : 2) == 0, let isDeeper = reader.flag(),
      reader.skip(isDeeper ? 8 : 0), let hasMatrices = reader.flag()
    else { return }
    quantisesByMatrices = hasMatrices
    if hasMatrices {
      for _ in 0..<2 {
        guard let isSpelt = reader.flag() else { return }
        guard isSpelt else { continue }
        // Up to 64 numbers, or a zero after the last that differs.
        for _ in 0..<64 {
          guard let number = reader.read(8) else { return }
          if number == 0 { break }
        }
      }
    }
    guard reader.skip(version == 1 ? 0 : 1), reader.flag() == true, reader.skip(1) else { return }
    hasDataPartitions = reader.flag()
  }

  /// Table 6-12.
  private mutating func readShapeOfSample(_ reader: inout BitReader) -> Bool {
    guard let code = reader.read(4) else { return false }
    switch code {
    case 1: sampleAspectRatio = .one
    case 2: sampleAspectRatio = Rational(12, 11)
    case 3: sampleAspectRatio = Rational(10, 11)
    case 4: sampleAspectRatio = Rational(16, 11)
    case 5: sampleAspectRatio = Rational(40, 33)
    case 15:
      guard let width = reader.read(8), let height = reader.read(8) else { return false }
      if width > 0, height > 0 { sampleAspectRatio = Rational(Int64(width), Int64(height)) }
    default: break
    }
    return true
  }
}
