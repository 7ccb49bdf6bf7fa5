/// The header of a packet of DVD-Video's PCM: emphasis and frame number, quantization, rate and channels,
/// and dynamic range (as FFmpeg's `pcm_dvd` reads it; the standard is not public).
package struct DVDSamples: Hashable {
  package static let headerByteCount = 3

  package let bits: Int
  package let channels: Int

  /// - Returns: `nil` for a packet without samples, or with a reserved quantization.
  package init?<Bytes: RandomAccessCollection>(_ packet: Bytes)
  where Bytes.Element == UInt8, Bytes.Index == Int {
    guard packet.count > Self.headerByteCount else { return nil }
    let format = packet[packet.startIndex + 1]
    guard format >> 6 < 3 else { return nil }
    bits = 16 + 4 * Int(format >> 6)
    channels = 1 + Int(format & 7)
  }

  /// Samples of each channel in a packet of so many bytes; `nil` where its end lies within one.
  package func samples(inPacketOf byteCount: Int) -> Int? {
    let (count, rest) = ((byteCount - Self.headerByteCount) * 8)
      .quotientAndRemainder(dividingBy: bits * channels)
    return rest == 0 && count > 0 ? count : nil
  }

  /// Bytes of the smallest run of samples that can be decoded alone: with more than 16 bits, the low
  /// bits of several samples follow their high bits.
  package var groupByteCount: Int {
    if bits == 16 { return channels * 2 }
    switch channels {
    case 1, 2, 4: return 4 * bits / 8
    case 8: return 8 * bits / 8
    default: return 4 * channels * bits / 8
    }
  }
}
