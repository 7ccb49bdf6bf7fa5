/// The header of a packet of DVD-Video's PCM: emphasis and frame number, quantization, rate and channels,
/// and dynamic range.
package struct DVDSamples: Hashable {
  package static let headerByteCount = 3

  package let bits: Int
  package let channels: Int

  /// - Returns: `nil` for a packet without samples, or with a reserved quantization.
  package init?(_ packet: [UInt8]) {
    guard packet.count > Self.headerByteCount, packet[1] >> 6 < 3 else { return nil }
    bits = 16 + 4 * Int(packet[1] >> 6)
    channels = 1 + Int(packet[1] & 7)
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
