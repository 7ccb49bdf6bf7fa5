package import MediaFacts

/// Detects slices of a picture without its first one, in a packet that begins within a picture.
package enum PictureTail {
  /// - Parameter bytes: a packet of a transport or program stream, whose units have start codes.
  /// - Returns: false also where it cannot be determined, and for codecs that are unknown here.
  package static func isTail(_ bytes: UnsafeRawBufferPointer, codec: Codec) -> Bool {
    switch codec {
    case .h264:
      // ITU-T H.264, 7.3.3: `first_mb_in_slice` is zero, a single set bit, in the first slice.
      continues(bytes, headerBytes: 1) { [1, 2, 5].contains($0 & 0x1F) }
    case .hevc:
      // ITU-T H.265, 7.3.6.1: `first_slice_segment_in_pic_flag`, after a two-byte header.
      continues(bytes, headerBytes: 2) { $0 >> 1 & 0x3F < 32 }
    case .mpeg1Video, .mpeg2Video: beginsWithSlice(Array(bytes))
    default: false
    }
  }

  /// Whether the first slice lacks the bit that marks the first slice of a picture.
  private static func continues(
    _ bytes: UnsafeRawBufferPointer, headerBytes: Int, isSlice: (UInt8) -> Bool
  ) -> Bool {
    for unit in NALUnits(bytes: Array(bytes)[...], framing: .annexB) {
      guard let header = unit.first, isSlice(header),
        let field = unit.dropFirst(headerBytes).first
      else { continue }
      return field & 0x80 == 0
    }
    return false
  }

  /// ISO 13818-2, 6.2.1: slice start codes begin at 1; picture, sequence and group headers precede their
  /// slices.
  private static func beginsWithSlice(_ bytes: [UInt8]) -> Bool {
    let start = StartCodes.first(in: bytes) { $0 < 0xB0 || $0 == 0xB3 || $0 == 0xB8 }
    return start.map { (0x01...0xAF).contains(bytes[$0 + 3]) } ?? false
  }
}
