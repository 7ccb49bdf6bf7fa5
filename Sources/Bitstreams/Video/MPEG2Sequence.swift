import ExactTime

extension VideoHeader {
  /// A sequence header with its extensions (ISO 13818-2, 6.2.2; without one it is ISO 11172-2).
  package init?(mpeg2 bytes: ArraySlice<UInt8>) {
    var found: MPEG2Sequence?
    for unit in NALUnits(bytes: bytes, framing: .annexB) {
      // Pictures have extensions with the same start code.
      if unit.first == 0x00, found != nil { break }
      if unit.first == 0xB3, found == nil { found = MPEG2Sequence(unit.dropFirst()) }
      if unit.first == 0xB5 { found?.extend(unit.dropFirst()) }
    }
    guard let sequence = found, sequence.width > 0, sequence.height > 0 else { return nil }
    self = sequence.header
    (width, height) = (sequence.width, sequence.height)
    sampleAspectRatio = sequence.sampleAspectRatio
    frameRate = sequence.frameRate
    bitDepth = 8
    isFullRange = false
    pixelFormat = PixelFormat.name(chroma: sequence.chroma, bitDepth: 8, isFullRange: false)
  }
}

/// The parts of a sequence header that later extensions modify.
private struct MPEG2Sequence {
  var width: Int
  var height: Int
  var chroma = 1
  var header = VideoHeader()
  private var aspectCode: Int
  private var rateCode: Int
  private var rateScale = (numerator: Int64(1), denominator: Int64(1))
  private var isMPEG2 = false
  /// The display size, to which some aspect ratios refer.
  private var display: (width: Int, height: Int)?

  init?(_ payload: ArraySlice<UInt8>) {
    var reader = BitReader(payload)
    guard let width = reader.read(12), let height = reader.read(12), let aspect = reader.read(4),
      let rate = reader.read(4)
    else { return nil }
    self.width = Int(width)
    self.height = Int(height)
    aspectCode = Int(aspect)
    rateCode = Int(rate)
  }

  mutating func extend(_ payload: ArraySlice<UInt8>) {
    var reader = SyntaxReader(payload)
    switch try? reader.bits(4) {
    case 1: try? readSequenceExtension(&reader)
    case 2: try? readDisplayExtension(&reader)
    default: return
    }
  }

  /// 6.2.2.3.
  private mutating func readSequenceExtension(
    _ reader: inout SyntaxReader
  ) throws(SyntaxReader.NotUnderstood) {
    try reader.skip(1)
    let (profile, level) = try (Int(reader.bits(3)), reader.bits(4))
    let isProgressive = try reader.flag()
    let chroma = try Int(reader.bits(2))
    let (moreWidth, moreHeight) = try (Int(reader.bits(2)), Int(reader.bits(2)))
    isMPEG2 = true
    let names = ["4:2:2", "High", "Spatially Scalable", "SNR Scalable", "Main", "Simple"]
    header.profile = profile < names.count ? names[profile] : nil
    header.level = "\(level)"
    header.isProgressive = isProgressive
    if chroma > 0 { self.chroma = chroma }
    width |= moreWidth << 12
    height |= moreHeight << 12
    try reader.skip(12 + 1 + 8 + 1)
    rateScale = try (Int64(reader.bits(2)) + 1, Int64(reader.bits(5)) + 1)
  }

  /// 6.2.2.4.
  private mutating func readDisplayExtension(
    _ reader: inout SyntaxReader
  ) throws(SyntaxReader.NotUnderstood) {
    try reader.skip(3)
    if try reader.flag() { header.color = try ColorCodes(&reader) }
    let width = try Int(reader.bits(14))
    try reader.skip(1)
    let height = try Int(reader.bits(14))
    if width > 0, height > 0 { display = (width, height) }
  }

  /// Table 6-3 gives the display aspect ratio; the table in ISO 11172-2, 2.4.3.2 gives the sample
  /// aspect ratio, as height to width.
  var sampleAspectRatio: Rational? {
    guard isMPEG2 else {
      let shapes: [Int64] = [
        10000, 6735, 7031, 7615, 8055, 8437, 8935, 9157, 9815, 10255, 10695, 10950, 11575, 12015,
      ]
      guard aspectCode > 0, aspectCode <= shapes.count else { return nil }
      return Rational(10000, shapes[aspectCode - 1])
    }
    let shapes = [2: Rational(4, 3), 3: Rational(16, 9), 4: Rational(221, 100)]
    guard let shape = shapes[aspectCode] else { return aspectCode == 1 ? .one : nil }
    // The display size is used only where it gives the whole picture a common aspect ratio: many
    // streams have a wrong one.
    if let display, let ratio = Self.sample(shape, of: display),
      let whole = try? ratio.multiplied(by: Rational(checked: Int128(width), over: Int128(height))),
      whole == Rational(4, 3) || whole == Rational(16, 9)
    {
      return ratio
    }
    return Self.sample(shape, of: (width, height))
  }

  private static func sample(_ shape: Rational, of size: (width: Int, height: Int)) -> Rational? {
    guard size.width > 0 else { return nil }
    return try? Rational(
      checked: Int128(shape.numerator) * Int128(size.height),
      over: Int128(shape.denominator) * Int128(size.width))
  }

  /// Table 6-4, times the fraction in the extension.
  var frameRate: Rational? {
    let rates = [
      Rational(24000, 1001), Rational(24), Rational(25), Rational(30000, 1001), Rational(30),
      Rational(50), Rational(60000, 1001), Rational(60),
    ]
    guard rateCode > 0, rateCode <= rates.count else { return nil }
    let (numerator, denominator) = rateScale
    return try? rates[rateCode - 1].multiplied(by: Rational(numerator, denominator))
  }
}
