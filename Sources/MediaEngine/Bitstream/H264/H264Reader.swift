import MediaFacts

/// H.264 (ITU-T H.264, ISO 14496-10): parameter sets and access units.
struct H264Reader: CodedVideoReader {
  private var framing: NALFraming
  private var sequences: [Int: H264SequenceSet] = [:]
  /// The sequence parameter set that each picture parameter set refers to.
  private var sequenceOfPictureSet: [Int: Int] = [:]
  private var active: Int?

  /// From `avcC` (ISO 14496-15, 5.3.3.1), or from parameter sets with start codes.
  init(configuration: [UInt8]) {
    framing = .startCodes
    guard configuration.count >= 7, configuration[0] == 1 else {
      for unit in NALUnits(configuration[...], .startCodes) { takeSet(unit) }
      return
    }
    framing = .lengths(Int(configuration[4] & 3) + 1)
    var rest = configuration[5...]
    for mask in [UInt8(0x1F), 0xFF] {
      guard let count = rest.popFirst() else { return }
      for unit in NALUnits(rest, .lengths(2)).prefix(Int(count & mask)) {
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
    var messages: [SEIMessage] = []
    var picture: CodedPicture?
    for unit in NALUnits(sample, framing.found(in: sample)) {
      switch unit.bytes.first.map({ $0 & 0x1F }) {
      case 7, 8: takeSet(unit)
      case 6: messages += SEIMessage.messages(in: unit.payload(after: 1))
      case 1, 2, 5: add(unit, to: &picture)
      default: break
      }
    }
    if var found = picture {
      apply(messages, to: &found)
      picture = found
    }
    return picture
  }

  private mutating func takeSet(_ unit: NALUnit) {
    switch unit.bytes.first.map({ $0 & 0x1F }) {
    case 7:
      guard let set = H264SequenceSet(unit.payload(after: 1)) else { return }
      sequences[set.id] = set
    case 8:
      let payload = unit.payload(after: 1, atMost: 16)
      var bits = BitReader(payload[...])
      guard let id = try? bits.ue(upTo: 255), let sequence = try? bits.ue(upTo: 31)
      else { return }
      sequenceOfPictureSet[id] = sequence
    default: break
    }
  }

  /// Adds a slice: a picture is as predicted as its least restricted slice.
  private mutating func add(_ unit: NALUnit, to picture: inout CodedPicture?) {
    let payload = unit.payload(after: 1, atMost: 32)
    guard
      let slice = H264Slice(
        payload, sequence: { set in sequenceOfPictureSet[set].flatMap { sequences[$0] } })
    else { return }
    var found = picture ?? CodedPicture(structure: slice.structure)
    // The second field of an I frame may be a P picture: it refers to the first one only.
    guard found.structure == slice.structure else { return }
    found.prediction = max(found.prediction ?? .intra, slice.prediction)
    if picture == nil {
      if unit.bytes.first.map({ $0 & 0x1F }) == 5 { found.entry = .idr }
      active = sequenceOfPictureSet[slice.pictureSet].flatMap { sequences[$0]?.id } ?? active
    }
    picture = found
  }

  private func apply(_ messages: [SEIMessage], to picture: inout CodedPicture) {
    if let message = messages.first(where: { $0.type == 6 }) {
      var bits = BitReader(message.payload)
      picture.recoveryFrames = try? bits.ue(upTo: 65535)
    }
    // D.2.8: from a count of zero on every picture is right. A later recovery of P slices is a
    // gradual refresh, which no decoder can enter cleanly.
    if picture.entry == nil, let recovery = picture.recoveryFrames,
      recovery == 0 || picture.prediction == .intra
    {
      picture.entry = .recoveryPoint
    }
    if let message = messages.first(where: { $0.type == 1 }),
      let usability = active.flatMap({ sequences[$0] })?.usability,
      usability.statesPictureStructure
    {
      var bits = BitReader(message.payload)
      guard (try? bits.skip(usability.delayBits ?? 0)) != nil, let structure = try? bits.int(4)
      else { return }
      picture.fieldOrder = Self.fieldOrder(structure, isFirstOfFrame: picture.entry != nil)
    }
  }

  /// Table D-1; a field that is a sample of its own tells the order only where it surely is the
  /// first of its frame.
  private static func fieldOrder(_ structure: Int, isFirstOfFrame: Bool) -> String? {
    switch structure {
    case 0, 7, 8: "progressive"
    case 1: isFirstOfFrame ? "tt" : nil
    case 2: isFirstOfFrame ? "bb" : nil
    case 3, 5: "tt"
    case 4, 6: "bb"
    default: nil
    }
  }
}
