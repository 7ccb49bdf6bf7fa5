import Glibc

/// The one absolute path of something that exists: without links, `.` and `..`.
struct RealPath: Hashable, Sendable {
  let bytes: [UInt8]

  /// `nil` if there is nothing at the path.
  init?(_ path: [UInt8]) {
    guard !path.contains(0), let found = realpath(path.map { CChar(bitPattern: $0) } + [0], nil)
    else { return nil }
    defer { free(found) }
    bytes = Array(UnsafeRawBufferPointer(start: found, count: strlen(found)))
  }

  /// What follows the path of a folder; `nil` if it is not inside, empty for the folder itself.
  func inside(_ folder: RealPath) -> [UInt8]? {
    if self == folder { return [] }
    let slash = UInt8(ascii: "/")
    let prefix = folder.bytes.last == slash ? folder.bytes : folder.bytes + [slash]
    return bytes.starts(with: prefix) ? Array(bytes[prefix.count...]) : nil
  }
}
