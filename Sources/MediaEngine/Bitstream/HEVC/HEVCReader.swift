import MediaFacts

/// HEVC (ITU-T H.265, ISO 23008-2): parameter sets and access units of the base layer.
struct HEVCReader: CodedVideoReader {
  private struct PictureSet {
    var sequence: Int
    /// The value of num_extra_slice_header_bits.
    var reservedBits: Int
  }

  private var framing: NALFraming
  private var sequences: [Int: HEVCSequenceSet] = [:]
  private var pictureSets: [Int: PictureSet] = [:]
  private var active: Int?

  /// From `hvcC` (ISO 14496-15, 8.3.3.1), or from parameter sets with start codes.
  init(configuration: [UInt8]) {
    framing = .startCodes
    guard configuration.count >= 23,
      configuration[0] == 1 || !configuration.starts(with: [0, 0])
    else {
      for unit in NALUnits(configuration[...], .startCodes) { takeSet(unit) }
      return
    }
    framing = .lengths(Int(configuration[21] & 3) + 1)
    var rest = configuration[23...]
    for _ in 0..<configuration[22] {
      guard rest.count > 3 else { return }
      let count = Int(rest[rest.startIndex + 1]) << 8 | Int(rest[rest.startIndex + 2])
      rest = rest.dropFirst(3)
      for unit in NALUnits(rest, .lengths(2)).prefix(count) {
        takeSet(unit)
        rest = rest[unit.bytes.endIndex...]
      }
    }
  }

  var header: VideoHeader? {
    let id = active ?? sequences.keys.min()
    return id.flatMap { sequences[$0] }?.header
  }

  mutating func picture(in sample: ArraySlice<UInt8>) -> CodedPicture? {
    var recovery: Int?
    var picture: CodedPicture?
    for unit in NALUnits(sample, framing.found(in: sample)) {
      guard let type = Self.type(of: unit) else { continue }
      switch type {
      case 33, 34: takeSet(unit)
      case 39: recovery = Self.recovery(unit) ?? recovery
      case 0...9, 16...21: add(unit, type, to: &picture)
      default: break
      }
    }
    if picture?.entry == nil, let recovery {
      picture?.recoveryFrames = max(0, recovery)
      // D.3.8: a gradual refresh that takes its time is no clean point of entry.
      if recovery <= 0, picture?.prediction == .intra { picture?.entry = .recoveryPoint }
    }
    return picture
  }

  /// nal_unit_type; `nil` for a unit of an enhancement layer (7.3.1.2).
  private static func type(of unit: NALUnit) -> Int? {
    guard unit.bytes.count >= 2 else { return nil }
    let first = unit.bytes[unit.bytes.startIndex]
    let second = unit.bytes[unit.bytes.startIndex + 1]
    return first & 1 == 0 && second >> 3 == 0 ? Int(first >> 1 & 0x3F) : nil
  }

  private mutating func takeSet(_ unit: NALUnit) {
    switch Self.type(of: unit) {
    case 33:
      guard let set = HEVCSequenceSet(unit.payload(after: 2)) else { return }
      sequences[set.id] = set
    case 34:
      let payload = unit.payload(after: 2, atMost: 16)
      var bits = BitReader(payload[...])
      guard let id = try? bits.ue(upTo: 63), let sequence = try? bits.ue(upTo: 15),
        (try? bits.skip(2)) != nil, let reserved = try? bits.int(3)
      else { return }
      pictureSets[id] = PictureSet(sequence: sequence, reservedBits: reserved)
    default: break
    }
  }

  private static func recovery(_ unit: NALUnit) -> Int? {
    for message in SEIMessage.messages(in: unit.payload(after: 2)) where message.type == 6 {
      var bits = BitReader(message.payload)
      return try? bits.se()
    }
    return nil
  }

  private mutating func add(_ unit: NALUnit, _ type: Int, to picture: inout CodedPicture?) {
    var found = picture ?? Self.picture(ofType: type)
    let payload = unit.payload(after: 2, atMost: 32)
    if let prediction = try? prediction(payload, isRandomAccess: (16...23).contains(type)) {
      found.prediction = max(found.prediction ?? .intra, prediction)
    }
    picture = found
  }

  /// Table 7-1.
  private static func picture(ofType type: Int) -> CodedPicture {
    var picture = CodedPicture()
    picture.isFlagTrusted = false
    switch type {
    case 6, 7: picture.leading = .decodable
    case 8, 9: picture.leading = .skipped
    case 16...18: picture.entry = .bla
    case 19, 20: picture.entry = .idr
    case 21: picture.entry = .cra
    default: break
    }
    if picture.entry != nil { picture.prediction = .intra }
    return picture
  }

  /// slice_type (7.3.6.1); `nil` for a slice segment that repeats the header before it.
  private mutating func prediction(
    _ payload: [UInt8], isRandomAccess: Bool
  ) throws(MalformedBits) -> CodedPicture.Prediction? {
    var bits = BitReader(payload[...])
    // The others' place would have to be skipped, in as many bits as the picture has blocks.
    guard try bits.flag() else { return nil }
    if isRandomAccess { try bits.skip(1) }
    guard let set = pictureSets[try bits.ue(upTo: 63)] else { return nil }
    if sequences[set.sequence] != nil { active = set.sequence }
    try bits.skip(set.reservedBits)
    switch try bits.ue(upTo: 2) {
    case 0: return .bidirectional
    case 1: return .forward
    default: return .intra
    }
  }
}
