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
  }
#endif
