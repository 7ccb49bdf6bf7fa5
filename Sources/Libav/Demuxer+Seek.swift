#if FFmpeg
  import CFFmpeg

  extension Demuxer {
    /// Goes to the last place at or before a tick from which a stream can be decoded, as far as
    /// the container's index knows; what comes next must be looked at.
    ///
    /// - Returns: false where the container cannot go there.
    package mutating func seek(stream: Int, tick: Int64) -> Bool {
      seek(stream: Int32(clamping: stream), to: tick, flags: AVSEEK_FLAG_BACKWARD)
    }

    /// Goes to a byte of the input; false where packets cannot be found from any byte on.
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
#endif
