#if FFmpeg
  import CFFmpeg
  import LateFFmpeg

  /// How many metadata entries a demuxer has gathered so far: FFmpeg compares each new one with all
  /// before it, so that a great many take it hours.
  @safe struct EntryCount: Sendable {
    /// Of the `AVFormatContext`; a pointer is not `Sendable`.
    private let address: UInt
    let limit: Int

    /// - Parameter context: must outlive all that reads for it.
    @unsafe init(of context: UnsafeMutablePointer<AVFormatContext>, limit: Int) {
      address = UInt(bitPattern: context)
      self.limit = limit
    }

    /// To be asked on the thread that the demuxer works on.
    var isOverLimit: Bool {
      guard let context = unsafe UnsafeMutablePointer<AVFormatContext>(bitPattern: address) else {
        return false
      }
      if unsafe av_dict_count(context.pointee.metadata) > limit { return true }
      return (0..<Int(unsafe context.pointee.nb_streams)).contains { index in
        guard let stream = unsafe context.pointee.streams[index] else { return false }
        return unsafe av_dict_count(stream.pointee.metadata) > limit
      }
    }
  }
#endif
