/// Changes the IDs of HEVC parameter sets, and the references to them in slices.
package enum HEVCNumbering {
  /// The ID of a parameter set; `nil` where it is not understood.
  package static func number(of unit: [UInt8]) -> UInt32? {
    let payload = NALEscaping.unescaped(unit.dropFirst(2))
    var reader = BitReader(payload)
    switch HEVCSets.type(of: unit) {
    case HEVCSets.video: return reader.read(4)
    case HEVCSets.sequence:
      guard skipToSequenceNumber(&reader) else { return nil }
      return reader.exponentialGolomb()
    default: return reader.exponentialGolomb()
    }
  }

  /// Skips sps_video_parameter_set_id, sps_max_sub_layers_minus1, the nesting flag and
  /// profile_tier_level (7.3.2.2.1, 7.3.3).
  package static func skipToSequenceNumber(_ reader: inout BitReader) -> Bool {
    guard reader.skip(4), let layers = reader.read(3), reader.skip(1), reader.skip(88),
      reader.skip(8)
    else { return false }
    var present: [(profile: Bool, level: Bool)] = []
    for _ in 0..<layers {
      guard let profile = reader.flag(), let level = reader.flag() else { return false }
      present.append((profile, level))
    }
    if layers > 0, !reader.skip(2 * Int(8 - layers)) { return false }
    for layer in present {
      if layer.profile, !reader.skip(88) { return false }
      if layer.level, !reader.skip(8) { return false }
    }
    return true
  }

  package static func videoSet(_ unit: [UInt8], number: UInt32) -> [UInt8] {
    var payload = NALEscaping.unescaped(unit.dropFirst(2))
    payload[0] = UInt8(number) << 4 | payload[0] & 0x0F
    return unit.prefix(2) + NALEscaping.escaped(payload)
  }

  /// - Parameter model: another SPS, whose reordering is stated too, so that a decoder keeps its
  ///   delay at a seam. If the picture size is the same, its conformance window is used.
  package static func sequenceSet(
    _ unit: [UInt8], number: UInt32, video: UInt32, waitingAs model: [UInt8]?
  ) -> [UInt8]? {
    var payload = NALEscaping.unescaped(unit.dropFirst(2))
    var reader = BitReader(payload)
    guard skipToSequenceNumber(&reader) else { return nil }
    let start = reader.position
    guard reader.exponentialGolomb() != nil else { return nil }
    payload[0] = UInt8(video) << 4 | payload[0] & 0x0F
    var writer = BitWriter()
    writer.copy(payload, from: 0, to: start)
    writer.exponentialGolomb(number)
    var rest = reader.position
    if let model, let whole = HEVCSPS(unit), let shown = HEVCSPS(model),
      whole.coding.width == shown.coding.width, whole.coding.height == shown.coding.height,
      whole.coding.chromaFormat == shown.coding.chromaFormat
    {
      let other = NALEscaping.unescaped(model.dropFirst(2))
      writer.copy(payload, from: rest, to: whole.window.lowerBound)
      writer.copy(other, from: shown.window.lowerBound, to: shown.window.upperBound)
      rest = whole.window.upperBound
    }
    if let own = HEVCPictureOrdering(unit), let other = model.flatMap(HEVCPictureOrdering.init) {
      writer.copy(payload, from: rest, to: own.range.lowerBound)
      own.waiting(as: other).write(to: &writer)
      rest = own.range.upperBound
    }
    writer.copy(payload, from: rest, to: stopBit(of: payload))
    writer.finish()
    return unit.prefix(2) + NALEscaping.escaped(writer.bytes)
  }

  package static func pictureSet(_ unit: [UInt8], number: UInt32, sequence: UInt32) -> [UInt8]? {
    let payload = NALEscaping.unescaped(unit.dropFirst(2))
    var reader = BitReader(payload)
    guard reader.exponentialGolomb() != nil, reader.exponentialGolomb() != nil else { return nil }
    var writer = BitWriter()
    writer.exponentialGolomb(number)
    writer.exponentialGolomb(sequence)
    writer.copy(payload, from: reader.position, to: stopBit(of: payload))
    writer.finish()
    return unit.prefix(2) + NALEscaping.escaped(writer.bytes)
  }

  /// PPS IDs whose code is exactly one byte longer than that of 0.
  package static let pictureNumbers = UInt32(15)..<31

  /// The slice with a reference to a PPS other than 0.
  ///
  /// Its header grows by eight bits, so what follows stays byte-aligned.
  package static func slice(_ unit: ArraySlice<UInt8>, pictureSet: UInt32) -> [UInt8]? {
    let payload = NALEscaping.unescaped(unit.dropFirst(2))
    var reader = BitReader(payload)
    // first_slice_segment_in_pic_flag; for IRAP pictures no_output_of_prior_pics_flag (7.3.6.1).
    reader.skip((16...23).contains(HEVCSets.type(of: unit)) ? 2 : 1)
    let start = reader.position
    guard reader.exponentialGolomb() == 0, pictureNumbers.contains(pictureSet) else { return nil }
    var writer = BitWriter()
    writer.copy(payload, from: 0, to: start)
    writer.exponentialGolomb(pictureSet)
    writer.copy(payload, from: start + 1, to: payload.count * 8)
    return unit.prefix(2) + NALEscaping.escaped(writer.bytes)
  }

  private static func stopBit(of payload: [UInt8]) -> Int {
    guard let last = payload.lastIndex(where: { $0 != 0 }) else { return 0 }
    return last * 8 + 7 - payload[last].trailingZeroBitCount
  }
}
