import CSystem
import Glibc

/// What a written file is recognized by later: its identity, or its content.
package struct OutputState: Sendable, Hashable {
  package var identity: FileIdentity
  package var byteCount: Int64
  package var modifiedSeconds: Int64
  package var modifiedNanoseconds: Int64

  package init(
    identity: FileIdentity, byteCount: Int64, modifiedSeconds: Int64, modifiedNanoseconds: Int64
  ) {
    self.identity = identity
    self.byteCount = byteCount
    self.modifiedSeconds = modifiedSeconds
    self.modifiedNanoseconds = modifiedNanoseconds
  }

  init?(descriptor: Int32) {
    var status = stat()
    guard trim_file_status(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    let modified = status.st_mtim
    self.init(
      identity: FileIdentity(
        device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino)),
      byteCount: Int64(status.st_size),
      modifiedSeconds: Int64(modified.tv_sec), modifiedNanoseconds: Int64(modified.tv_nsec))
  }

  /// The regular file at a path; `nil` for a symbolic link.
  package init?(path: [UInt8]) {
    guard let descriptor = Self.open(path) else { return nil }
    defer { close(descriptor) }
    self.init(descriptor: descriptor)
  }

  /// A hash of all bytes of a file; `nil` where they cannot be read.
  package static func contentHash(path: [UInt8]) -> UInt64? {
    guard let descriptor = open(path) else { return nil }
    defer { close(descriptor) }
    return contentHash(descriptor: descriptor)
  }

  static func contentHash(descriptor: Int32) -> UInt64? {
    var hash = trim_hash()
    trim_hash_begin(&hash)
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var position: off_t = 0
    while true {
      let count = pread(descriptor, &buffer, buffer.count, position)
      if count < 0 {
        if errno == EINTR { continue }
        return nil
      }
      if count == 0 { return trim_hash_end(&hash) }
      trim_hash_add(&hash, buffer, count)
      position += off_t(count)
    }
  }

  private static func open(_ path: [UInt8]) -> Int32? {
    guard !path.contains(0) else { return nil }
    let descriptor = Glibc.open(
      HiddenFiles.terminated(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    return descriptor >= 0 ? descriptor : nil
  }
}

extension OpenedFiles {
  /// A hash of all bytes of the output.
  package func outputHash() -> UInt64? {
    outputDescriptors.first.flatMap { OutputState.contentHash(descriptor: $0) }
  }
}
