/// How a picture of MPEG-1, MPEG-2 or MPEG-4 part 2 is coded.
enum MPEGPictureType {
  /// Intra (I).
  case intra
  /// Predicted from both directions (B): shown as soon as it is decoded.
  case bidirectional
  /// Predicted forward (P, and S in MPEG-4), or DC coefficients only (D in MPEG-1).
  case other

  /// The type of the first picture in a packet; `nil` if no picture starts in it.
  ///
  /// - Parameter isPart2: whether it is MPEG-4.
  init?(firstIn packet: ArraySlice<UInt8>, isPart2: Bool) {
    let code: UInt8 = isPart2 ? 0xB6 : 0
    for unit in NALUnits(bytes: packet, framing: .annexB) where unit.first == code {
      self.init(picture: unit, isPart2: isPart2)
      return
    }
    return nil
  }

  /// Reads picture_coding_type (ISO 13818-2, 6.3.9) or vop_coding_type (ISO 14496-2, 6.3.5) from a unit
  /// starting with its start code value.
  init?(picture unit: ArraySlice<UInt8>, isPart2: Bool) {
    var reader = BitReader(unit.dropFirst().prefix(8))
    // temporal_reference comes first.
    guard reader.skip(isPart2 ? 0 : 10), let type = reader.read(isPart2 ? 2 : 3) else { return nil }
    switch (type, isPart2) {
    case (0, true), (1, false): self = .intra
    case (2, true), (3, false): self = .bidirectional
    default: self = .other
    }
  }
}
