/// Changes the IDs of HEVC parameter sets, and the references to them in slices.
package enum HEVCNumbering {
  /// The ID of a parameter set; `nil` where it is not understood.
  package static func number(of unit: [UInt8]) -> UInt32? {
    if HEVCSets.type(of: unit) == HEVCSets.sequence { return HEVCSPS(beginningOf: unit[...])?.id }
    var reader = BitReader(NALEscaping.unescaped(unit.dropFirst(2)))
    return HEVCSets.type(of: unit) == HEVCSets.video ? reader.read(4) : reader.exponentialGolomb()
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
    guard let own = HEVCSPS(beginningOf: unit[...]) else { return nil }
    var payload = NALEscaping.unescaped(unit.dropFirst(2))
    payload[0] = UInt8(video) << 4 | payload[0] & 0x0F
    var writer = BitWriter()
    writer.copy(payload, from: 0, to: own.number.lowerBound)
    writer.exponentialGolomb(number)
    var rest = own.number.upperBound
    let other = model.flatMap { HEVCSPS(beginningOf: $0[...]) }
    if let model, let other, own.reach == .end, other.reach == .end,
      own.coding.width == other.coding.width, own.coding.height == other.coding.height,
      own.coding.chromaFormat == other.coding.chromaFormat
    {
      let shown = NALEscaping.unescaped(model.dropFirst(2))
      writer.copy(payload, from: rest, to: own.window.lowerBound)
      writer.copy(shown, from: other.window.lowerBound, to: other.window.upperBound)
      rest = own.window.upperBound
    }
    if let ordering = other.flatMap(own.ordering(waitingAs:)) {
      writer.copy(payload, from: rest, to: own.orderingRange.lowerBound)
      for layer in ordering {
        for value in [layer.held, layer.reordered, layer.latency] {
          writer.exponentialGolomb(value)
        }
      }
      rest = own.orderingRange.upperBound
    }
    writer.copy(payload, from: rest, to: SyntaxReader.stopBit(of: payload))
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
    writer.copy(payload, from: reader.position, to: SyntaxReader.stopBit(of: payload))
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
}
