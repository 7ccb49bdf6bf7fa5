#if FFmpeg
  import CFFmpeg

  extension Demuxer {
    /// Ends a packet of sound that is stored in blocks of one size with its last whole block: of PCM, with
    /// its last whole sample.
    ///
    /// FFmpeg asks for many blocks at once and marks what it gets as corrupt where the file ends before
    /// that (`av_get_packet`). Nothing is wrong with the blocks that came: only of the last one a part
    /// may be missing. In a transport stream the mark has another meaning, and stays.
    ///
    /// - Returns: the bytes behind the last whole block; `nil` where the packet stays as it is.
    mutating func endWithWholeBlock(
      _ packet: UnsafeMutablePointer<AVPacket>, of track: LibavTrack
    ) -> Int? {
      guard formatName != "mpegts", track.kind == .audio, Self.isInBlocks(track.codec) else {
        return nil
      }
      let rest = unsafe Int(packet.pointee.size) % max(1, track.blockByteCount)
      let isMarked = unsafe packet.pointee.flags & AV_PKT_FLAG_CORRUPT != 0
      guard isMarked || rest > 0 && track.codec.hasPrefix("pcm_") else { return nil }
      // A packet may hold less than its buffer (libavcodec/packet.h).
      unsafe packet.pointee.size -= Int32(rest)
      unsafe packet.pointee.flags &= ~AV_PKT_FLAG_CORRUPT
      return rest
    }

    private static func isInBlocks(_ codec: String) -> Bool {
      // Packets of discs begin with a header.
      codec.hasPrefix("pcm_") && !["pcm_dvd", "pcm_bluray"].contains(codec)
        || codec.hasPrefix("adpcm_")
    }
  }
#endif
