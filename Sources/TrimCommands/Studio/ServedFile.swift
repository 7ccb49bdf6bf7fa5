import CSystem
import CommandLineKit
import Glibc
import TrimStudio
import Trimming

/// A file that a browser reads: opened once, and only served while it is unchanged.
final class ServedFile: Sendable {
  private struct Look: Equatable {
    var inode: UInt64
    var size: Int64
    var seconds: Int
    var nanoseconds: Int
  }

  private let descriptor: Int32
  private let look: Look

  /// - Throws: `VideoFailure`.
  init(_ path: [UInt8]) throws(VideoFailure) {
    let name = path.map { CChar(bitPattern: $0) } + [0]
    descriptor = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      throw VideoFailure(
        "\(ForeignText.shown(path)) cannot be opened: \(SystemError.text(errno))")
    }
    guard let look = Self.look(descriptor) else {
      close(descriptor)
      throw VideoFailure("\(ForeignText.shown(path)) is not a regular file")
    }
    self.look = look
  }

  deinit { close(descriptor) }

  /// A new descriptor; the caller sends the file and closes it.
  func opened() throws(VideoFailure) -> StudioMedia.Opened {
    guard Self.look(descriptor) == look else {
      throw VideoFailure("The file has been changed since it was opened: open it again.")
    }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else {
      throw VideoFailure("The file cannot be read: \(SystemError.text(errno))")
    }
    return StudioMedia.Opened(descriptor: copy, size: UInt64(look.size))
  }

  private static func look(_ descriptor: Int32) -> Look? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let changed = status.st_mtim
    return Look(
      inode: UInt64(status.st_ino), size: Int64(status.st_size), seconds: changed.tv_sec,
      nanoseconds: changed.tv_nsec)
  }
}

extension StudioMedia {
  /// Creates media from a file in its current state.
  init(_ path: [UInt8], type: String) throws(VideoFailure) {
    let served = try ServedFile(path)
    self.init(type: type) { try served.opened() }
  }
}
