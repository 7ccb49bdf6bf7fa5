/// Distinguishes Vorbis headers from audio packets.
package enum VorbisPacket {
  /// - Returns: the first byte, whose lowest bit is set in headers (Vorbis I, 4.2.1), and for an
  ///   identification header the sample rate (4.2.2).
  package static func kind(_ packet: UnsafeRawBufferPointer) -> (type: UInt8, rate: Int64?) {
    guard let type = packet.first else { return (0, nil) }
    guard type == 1, packet.count >= 16 else { return (type, nil) }
    let rate = (0..<4).reduce(UInt32(0)) { $0 | UInt32(packet[12 + $1]) << UInt32($1 * 8) }
    return (type, rate > 0 ? Int64(rate) : nil)
  }
}
