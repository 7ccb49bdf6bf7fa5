import ExactTime

/// States an FLV's duration (Video File Format Specification 10.1, E.5, `duration`): FFmpeg's
/// muxer states its end time, and with reordered pictures the file begins later than zero.
struct FlashLength: HeadCorrection {
  /// The end of what is shown.
  let length: MediaTime

  /// Up to `onMetaData`: the tags of the source may come first.
  let headSize = 1 << 20

  /// The property's name after its size, and the marker of a number (Action Message Format 0,
  /// 2.2).
  private static let property: [UInt8] = [0, 8] + Array("duration".utf8) + [0]

  func corrections(of head: [UInt8]) -> [(place: Int, bytes: [UInt8])] {
    guard let place = head.firstRange(of: Self.property)?.upperBound, place + 8 <= head.count
    else { return [] }
    let value = length.seconds.approximation.bitPattern.bigEndian
    return [(place, withUnsafeBytes(of: value) { Array($0) })]
  }
}
