import Glibc
import Synchronization

/// The only writer of a stream: writes complete pieces, in order, unbuffered.
///
/// The first failure is kept and stops all further writing; the tool's exit status reflects it.
package final class OutputStream: Sendable {
  package enum Failure: Error, Equatable {
    /// The reader has closed the pipe (`trim … | head`).
    case closedPipe
    case failed(errno: Int32)
  }

  /// Writes all bytes or throws.
  private let sink: @Sendable ([UInt8]) throws(Failure) -> Void
  private let state = Mutex<Failure?>(nil)

  package init(sink: @escaping @Sendable ([UInt8]) throws(Failure) -> Void) { self.sink = sink }

  package static func descriptor(_ descriptor: Int32) -> OutputStream {
    OutputStream { (bytes) throws(Failure) in try writeAll(bytes, to: descriptor) }
  }

  package var failure: Failure? { state.withLock { $0 } }

  /// Writes immediately; pieces from several threads never interleave.
  package func write(_ bytes: [UInt8]) {
    state.withLock { failure in
      guard failure == nil, !bytes.isEmpty else { return }
      do throws(Failure) {
        try sink(bytes)
      } catch {
        failure = error
      }
    }
  }

  package func write(_ text: String) { write(Array(text.utf8)) }

  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
      }
      if count >= 0 {
        done += count
        continue
      }
      let error = errno
      switch error {
      case EINTR: continue
      case EAGAIN: waitUntilWritable(descriptor)
      case EPIPE: throw .closedPipe
      default: throw .failed(errno: error)
      }
    }
  }

  /// Waits for a terminal or pipe that another program left in non-blocking mode.
  private static func waitUntilWritable(_ descriptor: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&request, 1, -1)
  }
}
