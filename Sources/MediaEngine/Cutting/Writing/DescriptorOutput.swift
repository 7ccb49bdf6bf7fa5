import Libav
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Writes to a descriptor that someone else owns, and knows how far the file reaches.
final class DescriptorOutput: ByteOutput {
  private let descriptor: Int32
  private let end = Mutex<Int64>(0)

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  var byteCount: Int64 { end.withLock { $0 } }

  /// The file as written so far, for reading.
  func reopened() throws(CutError) -> InputFile {
    do {
      return try InputFile(descriptor: descriptor, isOwned: false, isSeekable: true)
    } catch {
      throw CutError(error)
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(OutputFault) {
    var done = 0
    while done < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done,
        off_t(position) + off_t(done))
      if count < 0 {
        if errno == EINTR { continue }
        throw OutputFault(errno)
      }
      done += count
    }
    end.withLock { $0 = max($0, position + Int64(bytes.count)) }
  }
}
