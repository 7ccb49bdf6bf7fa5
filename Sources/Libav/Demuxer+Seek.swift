import CFFmpeg

extension Demuxer {
  /// Seeks to the last position at or before a tick from which a stream can be decoded, as far as
  /// the container's index shows; the caller must check the next packet.
  ///
  /// - Returns: false where the container cannot seek there.
  package mutating func seek(stream: Int, tick: Int64) -> Bool {
    seek(stream: Int32(clamping: stream), to: tick, flags: AVSEEK_FLAG_BACKWARD)
  }

  /// Seeks to a byte of the input; false where packets cannot be found from an arbitrary byte.
  package mutating func seek(toByte offset: Int64) -> Bool {
    seek(stream: -1, to: offset, flags: AVSEEK_FLAG_BYTE)
  }

  private mutating func seek(stream: Int32, to target: Int64, flags: Int32) -> Bool {
    idle = Idleness()
    held = [:]
    blocksLeft = 0
    earlyEnd = nil
    return log.collecting { unsafe av_seek_frame(context, stream, target, flags) } >= 0
  }
}
