import Glibc
import Threads

/// A descriptor through which another process reads a file, until this object is released: by then it must
/// have been sent.
package final class HandedInput: Sendable {
  package let descriptor: Int32
  private let isOwned: Bool

  fileprivate init(_ descriptor: Int32, isOwned: Bool) {
    self.descriptor = descriptor
    self.isOwned = isOwned
  }

  deinit {
    if isOwned { close(descriptor) }
  }
}

extension InputFile {
  /// - Throws: ``MediaError`` where the system has no descriptor or thread left.
  package func handedOver() throws(MediaError) -> HandedInput {
    guard let remote else { return HandedInput(descriptorToHandOver, isOwned: false) }
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Self.shortage(errno) }
    let (own, others) = (ends[0], ends[1])
    let server = RangeServer(file: remote, descriptor: own)
    guard WaitingThread.run({ server.run() }) else {
      close(own)
      close(others)
      throw Self.shortage(WaitingThread.noThreadLeft)
    }
    return HandedInput(others, isOwned: true)
  }

  private static func shortage(_ code: Int32) -> MediaError {
    if let shortage = SystemShortage(code) { return MediaError(shortage) }
    return MediaError(.readFailed, "it cannot be read in another process: \(systemText(code))")
  }
}
