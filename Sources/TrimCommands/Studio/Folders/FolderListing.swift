import CSystem
import CommandLineKit
import Glibc
import Trimming

/// The files of a studio run.
enum FolderListing {
  struct Failure: Error {
    var message: String
    var hint: String?
    var status: ExitStatus
  }

  /// The named files, and the media files in named folders, sorted by name.
  static func files(_ named: [ArgumentText]) throws(Failure) -> [ArgumentText] {
    var files: [ArgumentText] = []
    for name in named.isEmpty ? ["."] : named {
      guard isFolder(name.bytes) else {
        files.append(name)
        continue
      }
      files += try media(in: name.bytes)
    }
    guard !files.isEmpty else {
      throw Failure(
        message: "no media files in \(named.first?.shown ?? "this folder")",
        hint: "Name a file, or a folder that contains media files.", status: .noInput)
    }
    guard files.count <= most else {
      throw Failure(
        message: "\(files.count) files are more than the studio lists (\(most))",
        hint: "Name fewer files.", status: .usage)
    }
    return files
  }

  private static let most = 1000

  /// File extensions to look for in folders; a file named explicitly may have any.
  private static let endings = Set(OutputContainer.allCases.flatMap(\.rules.nameEndings))
    .union(["3gp", "mpg", "mpeg", "vob", "wmv", "flv", "mxf"])

  static func isFolder(_ path: [UInt8]) -> Bool {
    var status = stat()
    let name = path.map { CChar(bitPattern: $0) } + [0]
    return stat(name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func media(in folder: [UInt8]) throws(Failure) -> [ArgumentText] {
    let isHere = folder == Array(".".utf8)
    let prefix = isHere ? [] : folder.last == UInt8(ascii: "/") ? folder : folder + Array("/".utf8)
    return try content(of: folder).media.map { ArgumentText(bytes: prefix + $0) }
  }

  /// The names in a folder that are not hidden, sorted.
  struct Content {
    var folders: [[UInt8]] = []
    var media: [[UInt8]] = []
  }

  static func content(of folder: [UInt8]) throws(Failure) -> Content {
    var content = Content()
    for name in try names(in: folder) {
      if isFolder(folder + [UInt8(ascii: "/")] + name) {
        content.folders.append(name)
      } else if let dot = name.lastIndex(of: UInt8(ascii: ".")),
        endings.contains(String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased())
      {
        content.media.append(name)
      }
    }
    return content
  }

  /// The names in a folder that are not hidden, sorted.
  static func names(in folder: [UInt8]) throws(Failure) -> [[UInt8]] {
    guard let listing = opendir(folder.map { CChar(bitPattern: $0) } + [0]) else {
      let reason = SystemError.text(errno)
      throw Failure(
        message: "the folder \(ForeignText.shown(folder)) cannot be read: \(reason)",
        status: errno == EACCES ? .noPermission : .noInput)
    }
    defer { closedir(listing) }
    var names: [[UInt8]] = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name.first != UInt8(ascii: ".") { names.append(name) }
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
