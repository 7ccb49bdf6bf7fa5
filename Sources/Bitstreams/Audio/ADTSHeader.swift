/// The ADTS header before every AAC frame in a stream (ISO 14496-3, 1.A.2.2).
package struct ADTSHeader: Hashable {
  /// Size in bytes of the header, with its checksum.
  package let byteCount: Int
  /// Size in bytes of the whole frame with its header (aac_frame_length, 1.A.2.2.2).
  package let frameByteCount: Int
  /// The number of 1,024-sample blocks that follow.
  package let blockCount: Int
  /// The channel configuration; 0 where a program config element in the frame gives it.
  package let channels: Int
  private let objectType: UInt8
  private let rateIndex: UInt8

  package init?(_ bytes: [UInt8]) {
    guard bytes.count > 7, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return nil }
    byteCount = bytes[1] & 1 == 1 ? 7 : 9
    objectType = bytes[2] >> 6 + 1
    rateIndex = bytes[2] >> 2 & 0xF
    channels = Int(bytes[2] & 1) << 2 | Int(bytes[3] >> 6)
    frameByteCount = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5] >> 5)
    blockCount = 1 + Int(bytes[6] & 3)
    guard rateIndex < 13, bytes.count > byteCount else { return nil }
  }

  /// Whether only one frame follows.
  package var isOneFrame: Bool { blockCount == 1 }
  package var sampleCount: Int { 1024 * blockCount }
  package var sampleRate: Int? { AudioHeader.rate(ofIndex: Int(rateIndex)) }

  /// The equivalent configuration for MP4 (ISO 14496-3, 1.6.2.1).
  package var audioSpecificConfig: [UInt8] {
    [objectType << 3 | rateIndex >> 1, rateIndex << 7 | UInt8(channels) << 3]
  }
}
