#if FFmpeg
  import CFFmpeg

  extension Demuxer {
    /// Ends a packet of ADPCM with its first block; the others are handed out one by one behind it.
    ///
    /// FFmpeg reads WAV by 4 KiB, in which several blocks lie, and each of them can be decoded alone: what
    /// is cut by packets would be a quarter of a second off.
    mutating func endWithFirstBlock(
      _ packet: UnsafeMutablePointer<AVPacket>, of track: LibavTrack
    ) {
      guard readsBlocks, ["wav", "w64"].contains(formatName), track.codec.hasPrefix("adpcm_"),
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

    /// Makes the packet that of the block behind it, in the same buffer.
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
#endif
