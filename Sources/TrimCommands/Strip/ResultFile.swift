#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A small file that appears whole or not at all.
///
/// It is written under a name of its own beside its place, and linked there once it is complete.
struct ResultFile {
  private let path: [UInt8]
  private let replaces: Bool

  init(_ path: [UInt8], replaces: Bool) {
    self.path = path
    self.replaces = replaces
  }

  /// - Parameter source: the film it was made from, which is never replaced.
  func publish(_ bytes: [UInt8], madeFrom source: [UInt8]) throws(PlayFilm.Failure) {
    try check(against: source)
    let (folder, name) = Self.split(path)
    var temporary = (folder + Array(".\(Self.shortened(name)).trim-XXXXXX".utf8)).map {
      CChar(bitPattern: $0)
    }
    temporary.append(0)
    let descriptor = mkstemp(&temporary)
    guard descriptor >= 0 else { throw Self.failure(errno) }
    defer {
      close(descriptor)
      unlink(temporary)
    }
    var mask = mode_t()
    mask = umask(0)
    umask(mask)
    fchmod(descriptor, 0o666 & ~mask)
    try Self.write(bytes, to: descriptor)
    guard fsync(descriptor) == 0 else { throw Self.failure(errno) }
    let target = path.map { CChar(bitPattern: $0) } + [0]
    if replaces {
      guard rename(temporary, target) == 0 else { throw Self.failure(errno) }
    } else {
      guard link(temporary, target) == 0 else { throw Self.failure(errno) }
    }
  }

  /// Looks before the work what would make it useless.
  func check(against source: [UInt8]) throws(PlayFilm.Failure) {
    let target = path.map { CChar(bitPattern: $0) } + [0]
    var found = stat()
    guard lstat(target, &found) == 0 else { return }
    var original = stat()
    var followed = stat()
    if stat(source.map { CChar(bitPattern: $0) } + [0], &original) == 0,
      stat(target, &followed) == 0, original.st_dev == followed.st_dev,
      original.st_ino == followed.st_ino
    {
      throw PlayFilm.Failure(
        message: "the output is the film itself", hint: "Choose another name.",
        status: .cannotCreate)
    }
    guard replaces else { throw Self.failure(EEXIST) }
    guard found.st_mode & S_IFMT == S_IFREG else {
      throw PlayFilm.Failure(
        message: "the output's name belongs to something that is no regular file",
        hint: "Choose another name.", status: .cannotCreate)
    }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(PlayFilm.Failure) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        #if canImport(Glibc)
          Glibc.write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        #else
          Darwin.write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        #endif
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(errno)
      }
      done += count
    }
  }

  /// The folder with its slash, empty for the one we are in, and the name in it.
  private static func split(_ path: [UInt8]) -> (folder: [UInt8], name: [UInt8]) {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return ([], path) }
    return (Array(path[...slash]), Array(path[(slash + 1)...]))
  }

  /// Leaves room for what is added to a name of the greatest length.
  private static func shortened(_ name: [UInt8]) -> String {
    String(decoding: name.filter { $0 < 0x80 }.prefix(100), as: UTF8.self)
  }

  private static func failure(_ code: Int32) -> PlayFilm.Failure {
    switch code {
    case EEXIST:
      PlayFilm.Failure(
        message: "the output exists already", hint: "Replace it with --force.",
        status: .cannotCreate)
    case EACCES, EPERM, EROFS:
      PlayFilm.Failure(
        message: "the output's folder does not allow writing", status: .noPermission)
    case ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, ELOOP:
      PlayFilm.Failure(
        message: "the output cannot be created: \(SystemError.text(code))", status: .cannotCreate)
    default:
      PlayFilm.Failure(
        message: "the output cannot be written: \(SystemError.text(code))", status: .ioError)
    }
  }
}
