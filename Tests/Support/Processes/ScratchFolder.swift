import Glibc

/// A temporary folder for one test, deleted with its last owner; names are bytes.
package final class ScratchFolder: Sendable {
  package let path: String

  package init() throws {
    var template = Array("/tmp/trim-scratch-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemFailure(call: "mkdtemp", number: errno) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    for name in names { unlink(Self.cString(name, in: path)) }
    rmdir(path)
  }

  /// A failed system call that a test needs to succeed.
  package struct SystemFailure: Error, Sendable {
    package var call: String
    package var number: Int32

    package init(call: String, number: Int32) {
      self.call = call
      self.number = number
    }
  }

  /// The names in it, in no particular order.
  package var names: Set<[UInt8]> {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: Set<[UInt8]> = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: 256) { text in
          (0..<256).prefix { text[$0] != 0 }.map { UInt8(bitPattern: text[$0]) }
        }
      }
      if name != [0x2E], name != [0x2E, 0x2E] { names.insert(name) }
    }
    return names
  }

  package func path(of name: String) -> String { path + "/" + name }

  package func path(of name: [UInt8]) -> [UInt8] { Array(path.utf8) + [0x2F] + name }

  /// - Parameter byteCount: the size to extend it to with a hole, which takes no disk space.
  @discardableResult
  package func write(
    _ bytes: [UInt8], to name: [UInt8], sparselyUpTo byteCount: Int64? = nil
  ) throws -> [UInt8] {
    try writeFile(bytes, to: Self.cString(name, in: path), byteCount: byteCount)
    return path(of: name)
  }

  @discardableResult
  package func write(
    _ bytes: [UInt8], to name: String, sparselyUpTo byteCount: Int64? = nil
  ) throws -> String {
    try write(bytes, to: Array(name.utf8), sparselyUpTo: byteCount)
    return path(of: name)
  }

  private static func cString(_ name: [UInt8], in folder: String) -> [CChar] {
    (Array(folder.utf8) + [0x2F] + name + [0]).map(CChar.init(bitPattern:))
  }
}

/// The bytes of a file that a test knows exists.
package func fileBytes(_ path: String) throws -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else {
    throw ScratchFolder.SystemFailure(call: "open \(path)", number: errno)
  }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 18)
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    guard count >= 0 else { throw ScratchFolder.SystemFailure(call: "read", number: errno) }
    if count == 0 { return bytes }
    bytes += buffer[..<count]
  }
}

/// Writes a file, in place of what it contained.
func writeFile(_ bytes: [UInt8], to path: [CChar], byteCount: Int64? = nil) throws {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  guard descriptor >= 0 else { throw ScratchFolder.SystemFailure(call: "open", number: errno) }
  defer { close(descriptor) }
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { throw ScratchFolder.SystemFailure(call: "write", number: errno) }
    rest = rest.dropFirst(count)
  }
  if let byteCount, ftruncate(descriptor, off_t(byteCount)) != 0 {
    throw ScratchFolder.SystemFailure(call: "ftruncate", number: errno)
  }
}
