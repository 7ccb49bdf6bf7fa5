import CFFmpeg

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
    guard isMarked || rest > 0 && track.codec.hasPrefix("pcm_") else { return nil }
    // A packet may be smaller than its buffer (libavcodec/packet.h).
    unsafe packet.pointee.size -= Int32(rest)
    unsafe packet.pointee.flags &= ~AV_PKT_FLAG_CORRUPT
    return rest
  }

  private static func isInBlocks(_ codec: String) -> Bool {
    // Packets from discs begin with a header.
    codec.hasPrefix("pcm_") && !["pcm_dvd", "pcm_bluray"].contains(codec)
      || codec.hasPrefix("adpcm_")
  }
}
