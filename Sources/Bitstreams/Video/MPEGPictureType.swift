/// How a picture of MPEG-1, MPEG-2 or MPEG-4 part 2 is coded.
enum MPEGPictureType {
  /// By itself alone (I).
  case intra
  /// From pictures on either side of it (B): it is shown when it is decoded.
  case bidirectional
  /// From pictures before it (P, and S of MPEG-4), or of mean values alone (D of MPEG-1).
  case other

  /// That of the first picture in a packet; `nil` where none begins there.
  ///
  /// - Parameter isPart2: it is MPEG-4.
  init?(firstIn packet: ArraySlice<UInt8>, isPart2: Bool) {
    let code: UInt8 = isPart2 ? 0xB6 : 0
    for unit in NALUnits(bytes: packet, framing: .annexB) where unit.first == code {
      self.init(picture: unit, isPart2: isPart2)
      return
    }
    return nil
  }

  /// That of a picture which begins behind a start code: picture_coding_type of ISO 13818-2, 6.3.9, or
  /// vop_coding_type of ISO 14496-2, 6.3.5.
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
