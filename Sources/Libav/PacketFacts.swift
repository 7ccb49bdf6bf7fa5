import CFFmpeg

/// The properties of a packet; its bytes stay with the demuxer.
package struct PacketFacts: Sendable {
  package var stream: Int
  package var pts: Int64?
  package var dts: Int64?
  /// In ticks; zero when not known.
  package var duration: Int64
  package var byteCount: Int
  package var byteOffset: Int64?
  package var isKey: Bool
  package var isDiscarded: Bool
  package var isCorrupt: Bool
  /// Decoded samples to drop from the start and the end (`AV_PKT_DATA_SKIP_SAMPLES`).
  package var skippedAtStart = 0
  package var skippedAtEnd = 0
  /// True for the first of a later link of chained Ogg whose headers are not returned.
  package var beginsLink = false

  @unsafe init(_ packet: UnsafeMutablePointer<AVPacket>) {
    let value = unsafe packet.pointee
    unsafe stream = Int(value.stream_index)
    unsafe pts = value.pts == trim_NOPTS ? nil : value.pts
    unsafe dts = value.dts == trim_NOPTS ? nil : value.dts
    unsafe duration = value.duration
    unsafe byteCount = Int(max(0, value.size))
    unsafe byteOffset = value.pos >= 0 ? value.pos : nil
    unsafe isKey = value.flags & AV_PKT_FLAG_KEY != 0
    unsafe isDiscarded = value.flags & AV_PKT_FLAG_DISCARD != 0
    unsafe isCorrupt = value.flags & AV_PKT_FLAG_CORRUPT != 0
    guard unsafe value.side_data_elems > 0 else { return }
    var size = 0
    if let bytes = unsafe av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size),
      size >= 10
    {
      // Two little-endian numbers of 32 bits (libavcodec/packet.h).
      let raw = unsafe UnsafeRawBufferPointer(start: bytes, count: 8)
      unsafe skippedAtStart = Int(UInt32(littleEndian: raw.loadUnaligned(as: UInt32.self)))
      unsafe skippedAtEnd = Int(
        UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    }
  }
}
