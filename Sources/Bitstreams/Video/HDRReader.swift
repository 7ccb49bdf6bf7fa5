import ExactTime
package import MediaFacts

/// Reads HDR metadata from boxes, messages and units.
package enum HDRReader {
  /// How much of a sample is searched: the Dolby Vision unit follows the picture.
  package static var mostBytes: Int { 4 << 20 }

  // MARK: Boxes

  /// `mdcv` (ISO 14496-12, 12.1.6) and the SEI message with the same content (ITU-T H.265, D.2.28): three
  /// primaries in the order green, blue, red, and the white point in units of 0.00002, then the maximum and
  /// minimum luminance, in units of 0.0001 candela.
  package static func masteringDisplay(_ bytes: ArraySlice<UInt8>) -> HDRFacts.MasteringDisplay? {
    var reader = BitReader(bytes)
    var points: [HDRFacts.Chromaticity] = []
    for _ in 0..<4 {
      guard let x = reader.read(16), let y = reader.read(16) else { return nil }
      points.append(
        HDRFacts.Chromaticity(x: Rational(Int64(x), 50_000), y: Rational(Int64(y), 50_000)))
    }
    guard let most = reader.read(32), let least = reader.read(32) else { return nil }
    return display(
      ordered(points), least: Rational(Int64(least), 10_000), most: Rational(Int64(most), 10_000))
  }

  /// The order is recommended, not required: red is the rightmost point, green the highest of the others.
  private static func ordered(_ points: [HDRFacts.Chromaticity]) -> [HDRFacts.Chromaticity] {
    let primaries = points.prefix(3).sorted { $0.x > $1.x }
    let others = primaries.dropFirst().sorted { $0.y > $1.y }
    return [primaries[0]] + others + [points[3]]
  }

  /// `SmDm` of VP9 (VP Codec ISO Media File Format Binding, without its version) and AV1's metadata (6.7.4):
  /// red, green, blue and white in units of 1/65,536, the luminance in units of 1/256 and 1/16,384.
  package static func masteringDisplay(fixed bytes: ArraySlice<UInt8>) -> HDRFacts.MasteringDisplay?
  {
    var reader = BitReader(bytes)
    var points: [HDRFacts.Chromaticity] = []
    for _ in 0..<4 {
      guard let x = reader.read(16), let y = reader.read(16) else { return nil }
      points.append(
        HDRFacts.Chromaticity(x: Rational(Int64(x), 65_536), y: Rational(Int64(y), 65_536)))
    }
    guard let most = reader.read(32), let least = reader.read(32) else { return nil }
    return display(points, least: Rational(Int64(least), 16_384), most: Rational(Int64(most), 256))
  }

  private static func display(
    _ points: [HDRFacts.Chromaticity], least: Rational, most: Rational
  ) -> HDRFacts.MasteringDisplay? {
    // Encoders without this information write zeros.
    guard most.isPositive || points.contains(where: \.y.isPositive) else { return nil }
    var display = HDRFacts.MasteringDisplay()
    (display.red, display.green, display.blue) = (points[0], points[1], points[2])
    display.white = points[3]
    (display.minimumLuminance, display.maximumLuminance) = (least, most)
    return display
  }

  /// `clli` and its message (H.265, D.2.35), `CoLL`, and AV1's metadata (6.7.3): two numbers, with 0 for not
  /// stated.
  package static func contentLight(_ bytes: ArraySlice<UInt8>) -> HDRFacts.ContentLight? {
    var reader = BitReader(bytes)
    guard let most = reader.read(16), let average = reader.read(16), most > 0 || average > 0
    else { return nil }
    return HDRFacts.ContentLight(maximum: Int(most), maximumFrameAverage: Int(average))
  }

  /// `dvcC`, `dvvC` and `dvwC`.
  package static func dolbyVision(_ bytes: ArraySlice<UInt8>) -> HDRFacts.DolbyVision? {
    var reader = BitReader(bytes)
    guard reader.skip(16), let profile = reader.read(7), let level = reader.read(6),
      reader.skip(1), let enhanced = reader.flag(), reader.skip(1),
      let compatibility = reader.read(4)
    else { return nil }
    return HDRFacts.DolbyVision(
      profile: Int(profile), level: Int(level), compatibility: Int(compatibility),
      hasEnhancementLayer: enhanced)
  }

  // MARK: Messages and units

  /// The facts in the messages of a coded picture or codec configuration.
  package static func facts(
    codec: Codec, _ sample: ArraySlice<UInt8>, framing: Framing
  ) -> HDRFacts {
    var facts = HDRFacts()
    switch codec {
    case .h264, .hevc:
      for unit in NALUnits(bytes: sample, framing: framing) { read(unit, codec, &facts) }
    case .av1: readAV1(sample, &facts)
    default: break
    }
    return facts
  }

  /// The messages in `hvcC` that apply to every sample (ISO 14496-15, 8.3.3.1).
  package static func facts(hvcC: [UInt8]) -> HDRFacts {
    var facts = HDRFacts()
    for unit in SetRecord.hevc(hvcC).flatMap(\.units) { read(unit, .hevc, &facts) }
    return facts
  }

  private static func read(_ unit: ArraySlice<UInt8>, _ codec: Codec, _ facts: inout HDRFacts) {
    guard let first = unit.first else { return }
    let isHEVC = codec == .hevc
    let type = isHEVC ? first >> 1 & 0x3F : first & 0x1F
    if isHEVC, type == 62 { facts.dolbyVision = facts.dolbyVision ?? HDRFacts.DolbyVision() }
    guard type == (isHEVC ? 39 : 6) else { return }
    let payload = unit.dropFirst(isHEVC ? 2 : 1)
    if let message = SEIMessage.payload(ofType: 137, in: payload) {
      facts.masteringDisplay = facts.masteringDisplay ?? masteringDisplay(message)
    }
    if let message = SEIMessage.payload(ofType: 144, in: payload) {
      facts.contentLight = facts.contentLight ?? contentLight(message)
    }
    if let message = SEIMessage.payload(ofType: 4, in: payload) { readRegistered(message, &facts) }
  }

  /// Registered user data (ITU-T T.35): the country code of the United States (B5), then the provider.
  ///
  /// SMPTE ST 2094-40 is 003C 0001 04; Dolby's units are 003B 00000800.
  private static func readRegistered(_ message: ArraySlice<UInt8>, _ facts: inout HDRFacts) {
    if message.starts(with: [0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04]) { facts.hasHDR10Plus = true }
    if message.starts(with: [0xB5, 0x00, 0x3B, 0x00, 0x00, 0x08, 0x00]) {
      facts.dolbyVision = facts.dolbyVision ?? HDRFacts.DolbyVision()
    }
  }

  /// Metadata OBUs (type 5) of AV1, which begin with the metadata type (5.8.1).
  private static func readAV1(_ sample: ArraySlice<UInt8>, _ facts: inout HDRFacts) {
    for unit in OpenBitstreamUnits(bytes: sample)
    where unit.type == OpenBitstreamUnits.Unit.metadata {
      let payload = unit.payload.dropFirst()
      switch unit.payload.first {
      case 1: facts.contentLight = facts.contentLight ?? contentLight(payload)
      case 2: facts.masteringDisplay = facts.masteringDisplay ?? masteringDisplay(fixed: payload)
      case 4: readRegistered(payload, &facts)
      default: break
      }
    }
  }
}
