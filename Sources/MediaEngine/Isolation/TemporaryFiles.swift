import CSystem
import Glibc

/// Unnamed temporary files, opened for a process that cannot open any; closed with their last owner.
package final class TemporaryFiles: Sendable {
  package let descriptors: [Int32]

  /// A cut keeps its packets, and what it makes of them, in separate files.
  package static let count = 3

  /// Opens them in the folders for temporary files; fewer where no folder allows it, since most work needs
  /// none.
  package init() {
    descriptors = (0..<Self.count).compactMap { _ in Self.one() }
  }

  /// A descriptor of an unnamed file, which the caller closes; `nil` where no folder allows it.
  package static func one() -> Int32? {
    let places = [getenv("TMPDIR").map { String(cString: $0) }, "/var/tmp", "/tmp"]
    return places.lazy.compactMap { $0 }.map { trim_open_unnamed_file($0) }.first { $0 >= 0 }
  }

  /// Opens them on the file system of an output, which must have room for it anyway.
  package init(beside output: PendingFile) throws(MediaError) {
    descriptors = try output.openScratch(Self.count)
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }
}
