import CFFmpeg
import MediaFacts

extension Demuxer {
  /// Ends an ADPCM packet after its first block; the others are returned one by one after it.
  ///
  /// FFmpeg reads WAV in packets of 4 KiB, which contain several independently decodable blocks:
  /// cuts at packets would be off by up to a quarter of a second.
  mutating func endWithFirstBlock(
    _ packet: UnsafeMutablePointer<AVPacket>, of track: LibavTrack
  ) {
    guard readsBlocks, ["wav", "w64"].contains(formatName), track.codec.isADPCM,
      track.blockByteCount > 0
    else { return }
    let (size, length) = unsafe (Int(packet.pointee.size), packet.pointee.duration)
    let count = size / track.blockByteCount
    guard count > 1, size % track.blockByteCount == 0, length > 0, length % Int64(count) == 0
    else { return }
    unsafe packet.pointee.size = Int32(track.blockByteCount)
    unsafe packet.pointee.duration = length / Int64(count)
    blocksLeft = count - 1
  }

  /// Advances the packet to the next block in the same buffer.
  mutating func stepToNextBlock(of packet: UnsafeMutablePointer<AVPacket>) {
    blocksLeft -= 1
    let size = unsafe packet.pointee.size
    unsafe packet.pointee.data += Int(size)
    if unsafe packet.pointee.pos >= 0 { unsafe packet.pointee.pos += Int64(size) }
    let length = unsafe packet.pointee.duration
    if unsafe packet.pointee.pts != trim_NOPTS { unsafe packet.pointee.pts &+= length }
    if unsafe packet.pointee.dts != trim_NOPTS { unsafe packet.pointee.dts &+= length }
  }
}

extension Demuxer {
  /// Ends a packet of audio stored in fixed-size blocks after its last whole block, which for PCM
  /// is the last whole sample.
  ///
  /// FFmpeg reads many blocks at once and marks the packet as corrupt where the file ends before
  /// that (`av_get_packet`). The blocks read are intact: only the last one may be truncated. In a
  /// transport stream the flag has a different meaning, and is kept.
  ///
  /// - Returns: the bytes after the last whole block; `nil` where the packet is unchanged.
  mutating func endWithWholeBlock(
    _ packet: UnsafeMutablePointer<AVPacket>, of track: LibavTrack
  ) -> Int? {
    guard formatName != "mpegts", track.kind == .audio, Self.isInBlocks(track.codec) else {
      return nil
    }
    let rest = unsafe Int(packet.pointee.size) % max(1, track.blockByteCount)
    let isMarked = unsafe packet.pointee.flags & AV_PKT_FLAG_CORRUPT != 0
    guard isMarked || rest > 0 && track.codec.isPCM else { return nil }
    // A packet may be smaller than its buffer (libavcodec/packet.h).
    unsafe packet.pointee.size -= Int32(rest)
    unsafe packet.pointee.flags &= ~AV_PKT_FLAG_CORRUPT
    return rest
  }

  private static func isInBlocks(_ codec: Codec) -> Bool {
    // Packets from discs begin with a header.
    codec.isPCM && !codec.isOne(of: .pcmDVD, .pcmBluRay) || codec.isADPCM
  }
}
