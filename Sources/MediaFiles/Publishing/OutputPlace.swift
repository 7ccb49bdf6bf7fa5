import CSystem
import Glibc

/// The folder and the name of an output, examined before anything is written.
package struct OutputPlace {
  /// An open descriptor of the folder, which the caller must close.
  package let folder: Int32
  package let name: [UInt8]

  package init(
    _ path: [UInt8], replacing: Bool, sparing inputs: [FileIdentity]
  ) throws(MediaError) {
    let path = try Self.followed(path, replacing: replacing, sparing: inputs)
    guard !path.isEmpty, !path.contains(0), path.last != UInt8(ascii: "/") else {
      throw MediaError(output: .cannotCreate, "the output's name is not a file name")
    }
    let slash = path.lastIndex(of: UInt8(ascii: "/"))
    let folderPath = slash.map { $0 == 0 ? [UInt8(ascii: "/")] : Array(path[..<$0]) }
    name = slash.map { Array(path[($0 + 1)...]) } ?? path
    folder = open(
      HiddenFiles.terminated(folderPath ?? [UInt8(ascii: ".")]),
      O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw MediaError(openingFolder: errno) }
    do {
      try examine(replacing: replacing, sparing: inputs)
    } catch {
      close(folder)
      throw error
    }
  }

  /// Checks a destination without keeping its folder open.
  package static func check(
    _ path: [UInt8], replacing: Bool, sparing inputs: [FileIdentity]
  ) throws(MediaError) {
    close(try OutputPlace(path, replacing: replacing, sparing: inputs).folder)
  }

  /// Follows a symbolic link: the output is its target, which is replaced only if that was requested.
  private static func followed(
    _ path: [UInt8], replacing: Bool, sparing inputs: [FileIdentity]
  ) throws(MediaError) -> [UInt8] {
    var status = stat()
    let name = HiddenFiles.terminated(path)
    guard lstat(name, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
    guard let resolved = realpath(name, nil) else {
      throw MediaError(
        output: .cannotCreate, "the output is a symbolic link that leads nowhere",
        hint: "Remove the link, or name another output.")
    }
    defer { free(resolved) }
    var target: [UInt8] = []
    var index = 0
    while resolved[index] != 0 {
      target.append(UInt8(bitPattern: resolved[index]))
      index += 1
    }
    return target
  }

  private func examine(
    replacing: Bool, sparing inputs: [FileIdentity]
  ) throws(MediaError) {
    var status = stat()
    guard fstatat(folder, HiddenFiles.terminated(name), &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return }
      throw MediaError(creating: errno)
    }
    if inputs.contains(FileIdentity(status)) {
      throw MediaError(
        output: .sameFile, "the output is the input itself", hint: "Name another output.")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw MediaError(
        output: .cannotCreate, "the output already exists and is not a regular file",
        hint: "Name another output.")
    }
    guard replacing else { throw MediaError.exists }
  }
}

extension MediaError {
  package static let exists = MediaError(output: .outputExists, "the output already exists")

  package init(openingFolder code: Int32) {
    switch code {
    case ENOENT: self.init(output: .cannotCreate, "the output's folder does not exist")
    case ENOTDIR: self.init(output: .cannotCreate, "part of the output's path is not a folder")
    case ENAMETOOLONG:
      self.init(output: .cannotCreate, "the output's name is longer than the system allows")
    case EACCES, EPERM:
      self.init(output: .permissionDenied, "the output's folder cannot be entered")
    default:
      if let shortage = SystemShortage(code) {
        self.init(shortage, "the output's folder cannot be opened")
      } else {
        self.init(output: .cannotCreate, "the output's folder: \(systemText(code))")
      }
    }
  }

  private init(_ shortage: SystemShortage, _ what: String) {
    self.init(output: .outOfMemory, "\(what): \(shortage.message)", hint: shortage.hint)
  }

  package init(openingTemporary code: Int32) {
    let what = "no folder for temporary files can be written to"
    if let shortage = SystemShortage(code) {
      self.init(shortage, what)
    } else {
      self.init(output: .cannotCreate, "\(what): \(systemText(code))", hint: "Name one in TMPDIR.")
    }
  }

  package init(creating code: Int32) {
    switch code {
    case EACCES, EPERM:
      self.init(output: .permissionDenied, "the output's folder cannot be written to")
    case EROFS:
      self.init(output: .permissionDenied, "the output's folder is on a read-only file system")
    case ENAMETOOLONG:
      self.init(output: .cannotCreate, "the output's name is longer than the system allows")
    case ENOSPC, EDQUOT: self.init(writing: code)
    default:
      if let shortage = SystemShortage(code) {
        self.init(shortage, "the output cannot be created")
      } else {
        self.init(output: .cannotCreate, "the output cannot be created: \(systemText(code))")
      }
    }
  }

  package init(writing code: Int32) {
    switch code {
    case ENOSPC: self.init(output: .writeFailed, "the disk is full", hint: "Nothing was changed.")
    case EDQUOT:
      self.init(output: .writeFailed, "the disk quota is used up", hint: "Nothing was changed.")
    case EFBIG:
      self.init(output: .writeFailed, "the output exceeds the maximum file size")
    default: self.init(output: .writeFailed, "writing failed: \(systemText(code))")
    }
  }

  package init(linking code: Int32) {
    if code == EEXIST {
      self = .exists
    } else {
      self.init(creating: code)
    }
  }
}
