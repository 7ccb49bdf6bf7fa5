import Glibc

/// Hidden files next to a destination: `.NAME.trim-` and eight letters.
package enum HiddenFiles {
  package static func terminated(_ bytes: [UInt8]) -> [CChar] {
    bytes.map { CChar(bitPattern: $0) } + [0]
  }

  /// The common prefix of all hidden files of a destination; within the 255 bytes of a name.
  private static func prefix(of name: [UInt8]) -> [UInt8] {
    [UInt8(ascii: ".")] + name.prefix(220) + Array(".trim-".utf8)
  }

  package static func name(beside name: [UInt8]) -> [UInt8] {
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    var generator = SystemRandomNumberGenerator()
    return prefix(of: name)
      + (0..<8).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] }
  }

  /// A new hidden file, locked for as long as its descriptor is open.
  package static func create(
    beside name: [UInt8], in folder: Int32
  ) throws(MediaError) -> (descriptor: Int32, name: [UInt8]) {
    for _ in 0..<16 {
      let hidden = Self.name(beside: name)
      let descriptor = openat(
        folder, terminated(hidden), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 {
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        return (descriptor, hidden)
      }
      guard errno == EEXIST else { throw MediaError(creating: errno) }
    }
    throw MediaError(creating: EEXIST)
  }

  /// Removes what killed runs have left: hidden files that nobody has locked.
  package static func sweep(beside name: [UInt8], in folder: Int32) {
    let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return }
    guard let list = fdopendir(copy) else {
      close(copy)
      return
    }
    defer { closedir(list) }
    let prefix = prefix(of: name)
    while let entry = readdir(list) {
      let found = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard found.starts(with: prefix), found.count == prefix.count + 8 else { continue }
      let descriptor = openat(
        folder, terminated(found), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { _ = unlinkat(folder, terminated(found), 0) }
      close(descriptor)
    }
  }
}
