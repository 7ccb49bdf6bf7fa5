/// The parameter sets of a stream, from its configuration or its first packet.
package struct H264Sets {
  package private(set) var sequences: [H264SPS] = []
  package private(set) var sequenceUnits: [[UInt8]] = []
  package private(set) var pictureUnits: [[UInt8]] = []
  package private(set) var pictures: [UInt32: H264PPS] = [:]
  /// The most recent PPS for each ID, as raw bytes.
  private var newest: [UInt32: [UInt8]] = [:]
  private let configuration: [UInt8]

  /// - Parameter bytes: an avcC box, or units with start codes.
  package init(configuration bytes: [UInt8]) {
    configuration = bytes
    if bytes.first == 1, bytes.count > 6 {
      readBox(bytes)
    } else {
      add(NALUnits(bytes: bytes[...], framing: .annexB))
    }
  }

  package mutating func add(_ units: some Sequence<ArraySlice<UInt8>>) {
    for unit in units {
      guard let first = unit.first else { continue }
      switch first & 0x1F {
      case 7:
        guard !sequenceUnits.contains(Array(unit)), let set = H264SPS(Array(unit)) else {
          continue
        }
        sequenceUnits.append(Array(unit))
        sequences.append(set)
      case 8:
        guard !pictureUnits.contains(Array(unit)), let set = H264PPS(Array(unit)) else {
          continue
        }
        pictureUnits.append(Array(unit))
        pictures[set.id] = set
        newest[set.id] = Array(unit)
      default: continue
      }
    }
  }

  /// Adds sets, each replacing one with the same ID, as they are active after these units.
  package mutating func renew(_ units: some Sequence<ArraySlice<UInt8>>) {
    for unit in units where !isInForce(unit) {
      if (unit.first ?? 0) & 0x1F == 8 {
        guard let set = H264PPS(Array(unit)) else { continue }
        pictureUnits.removeAll { H264PPS($0)?.id == set.id }
      } else {
        guard let set = H264SPS(Array(unit)) else { continue }
        let others = sequences.indices.filter { sequences[$0].id != set.id }
        sequenceUnits = others.map { sequenceUnits[$0] }
        sequences = others.map { sequences[$0] }
      }
      add([unit])
    }
  }

  /// Whether a unit changes nothing: it is the set already active, or not a parameter set.
  private func isInForce(_ unit: ArraySlice<UInt8>) -> Bool {
    switch (unit.first ?? 0) & 0x1F {
    case 7: sequenceUnits.last.map { $0[...] == unit } == true
    case 8: newest.values.contains { $0[...] == unit }
    default: true
    }
  }

  /// Whether a unit is a parameter set that is not among these: a new one, or a replacement.
  package func isOther(_ unit: ArraySlice<UInt8>) -> Bool {
    switch (unit.first ?? 0) & 0x1F {
    case 7: !sequenceUnits.contains(Array(unit))
    case 8: !pictureUnits.contains(Array(unit))
    default: false
    }
  }

  /// AVCDecoderConfigurationRecord (ISO 14496-15, 5.3.3.1).
  private mutating func readBox(_ bytes: [UInt8]) {
    let record = SetRecord.h264(bytes)
    add(record.sequences + record.pictures)
  }

  /// The PPS with an ID, and its SPS.
  package func sets(_ number: UInt32) -> (H264PPS, H264SPS)? {
    guard let picture = pictures[number],
      let sequence = sequences.last(where: { $0.id == picture.sequenceID })
    else { return nil }
    return (picture, sequence)
  }

  /// An ID that no PPS has.
  package var freePictureID: UInt32? { (0..<256).first { pictures[$0] == nil } }

  /// The configuration record with other SPSs, and additional PPSs.
  package func box(sequences: [[UInt8]], pictures: [[UInt8]]) -> [UInt8] {
    let profile = sequences.first ?? []
    var box: [UInt8] = [1] + (profile.count > 3 ? profile[1...3] : [0, 0, 0][...])
    let lengthSize: UInt8 =
      configuration.first == 1 && configuration.count > 4 ? configuration[4] : 0xFF
    box.append(lengthSize | 0xFC)
    box.append(0xE0 | UInt8(sequences.count))
    for unit in sequences { box += Self.sized(unit) }
    box.append(UInt8(pictures.count))
    for unit in pictures { box += Self.sized(unit) }
    return box + tail
  }

  private static func sized(_ unit: [UInt8]) -> [UInt8] {
    [UInt8(truncatingIfNeeded: unit.count >> 8), UInt8(truncatingIfNeeded: unit.count)] + unit
  }

  /// Chroma format and bit depths, which High profiles add.
  private var tail: [UInt8] {
    guard configuration.first == 1, configuration.count > 6 else { return [] }
    return Array(SetRecord.h264(configuration).tail)
  }
}
