import Glibc
import Testing

/// A folder for one test, deleted with this object.
final class CutFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/trim-cut-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    for name in entries { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  func bytes(_ name: String) -> [UInt8] { Array("\(path)/\(name)".utf8) }

  /// The names of all files in it, hidden ones too.
  var entries: [String] {
    guard let list = opendir(path) else { return [] }
    defer { closedir(list) }
    var names: [String] = []
    while let entry = readdir(list) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
