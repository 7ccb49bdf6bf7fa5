import CSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Files without a name for what is kept in between, opened for a process that cannot; closed with
/// their last owner.
package final class TemporaryFiles: Sendable {
  package let descriptors: [Int32]

  /// A cut keeps its packets, and what it makes of them, in files of their own.
  package static let count = 3

  /// Opens them where temporary files belong: fewer where no folder takes them, since most work
  /// needs none.
  package init() {
    descriptors = (0..<Self.count).compactMap { _ in Self.one() }
  }

  /// A descriptor of a file without a name, which the caller closes; `nil` where no folder takes it.
  package static func one() -> Int32? {
    let places = [getenv("TMPDIR").map { String(cString: $0) }, "/var/tmp", "/tmp"]
    return places.lazy.compactMap { $0 }.map { trim_open_unnamed_file($0) }.first { $0 >= 0 }
  }

  /// Opens them on the file system of an output, which must have room for it anyway.
  package init(beside output: PendingFile) throws(PublishingError) {
    descriptors = try output.openScratch(Self.count)
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }
}
