import CFFmpeg
import LateFFmpeg

/// Counts the metadata entries that a demuxer has read so far: FFmpeg compares each new one with
/// all previous ones, so that a very large number takes hours.
@safe struct EntryCount: Sendable {
  /// The address of the `AVFormatContext`; a pointer is not `Sendable`.
  private let address: UInt
  let limit: Int

  /// - Parameter context: must outlive everything that reads for it.
  @unsafe init(of context: UnsafeMutablePointer<AVFormatContext>, limit: Int) {
    address = UInt(bitPattern: context)
    self.limit = limit
  }

  /// Whether there are too many entries; to be called on the demuxer's thread.
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
