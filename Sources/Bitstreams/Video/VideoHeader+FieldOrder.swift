extension VideoHeader {
  /// The field order from the picture timing SEI of an H.264 file's first sample.
  ///
  /// - Returns: `progressive`, `tt` or `bb` by pic_struct (ITU-T H.264, table D-1); `nil` where the
  ///   header signals none or the sample has none.
  package func fieldOrder(ofFirstSample sample: ArraySlice<UInt8>, framing: Framing) -> String? {
    guard let pictureTimingDelayBits else { return nil }
    for unit in NALUnits(bytes: sample, framing: framing) {
      guard let first = unit.first, first & 0x1F == 6,
        let timing = SEIMessage.payload(ofType: 1, in: unit.dropFirst())
      else { continue }
      var reader = BitReader(timing)
      guard reader.skip(pictureTimingDelayBits), let structure = reader.read(4) else { return nil }
      switch structure {
      case 0, 7, 8: return "progressive"
      case 1, 3, 5: return "tt"
      case 2, 4, 6: return "bb"
      default: return nil
      }
    }
    return nil
  }
}
