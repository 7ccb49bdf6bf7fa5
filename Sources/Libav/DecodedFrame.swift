#if FFmpeg
  import CFFmpeg

  /// A frame that its decoder lends for as long as a closure runs.
  @safe package struct DecodedFrame: ~Copyable {
    let pointer: UnsafeMutablePointer<AVFrame>

    @unsafe init(_ pointer: UnsafeMutablePointer<AVFrame>) {
      unsafe self.pointer = unsafe pointer
    }

    package var time: Int64? {
      let stamp = unsafe pointer.pointee.best_effort_timestamp
      return stamp == trim_NOPTS ? nil : stamp
    }

    /// The PTS of the packet that it came of, where that had one: what FFmpeg guesses where two frames
    /// have one time is another's.
    package var statedTime: Int64? {
      let stamp = unsafe pointer.pointee.pts
      return stamp == trim_NOPTS ? time : stamp
    }

    /// True where something of it could not be decoded, or what it refers to is missing.
    package var isDamaged: Bool {
      unsafe pointer.pointee.decode_error_flags != 0
        || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }
  }
#endif
