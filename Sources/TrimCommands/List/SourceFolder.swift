import CommandLineKit
import Glibc

/// The folder below which the files that a list names are opened: `--sources`, or the folder of the list.
struct SourceFolder: Sendable {
  private let root: RealPath

  /// - Throws: ``PlayedMedia/Failure`` where there is no such folder.
  init(_ path: [UInt8]) throws(PlayedMedia.Failure) {
    guard let root = RealPath(path), FolderListing.isFolder(root.bytes) else {
      throw Self.refusal("there is no folder '\(ForeignText.shown(path))'")
    }
    self.root = root
  }

  /// The one that `--sources` names, or that of a list.
  init(_ parsed: ParsedArguments, around list: ArgumentText) throws(PlayedMedia.Failure) {
    try self.init(
      parsed.last("sources")?.bytes
        ?? (list.isStandardStream ? Array(".".utf8) : OutputFolder.around(list.bytes)))
  }

  /// The file that a list names by a path or a `file:` URL.
  ///
  /// Of a path that begins elsewhere, as on the machine where the list was made, the name alone counts. What is
  /// found has to lie below the folder, links resolved.
  ///
  /// - Returns: its path without links.
  /// - Throws: ``PlayedMedia/Failure``.
  func file(_ hint: String) throws(PlayedMedia.Failure) -> [UInt8] {
    let (slash, shown) = (UInt8(ascii: "/"), ForeignText.shown(hint))
    let path = ListMedia.path(hint)
    let steps = path.split { $0 == slash || $0 == UInt8(ascii: "\\") }
    guard let name = steps.last, !path.contains(0) else {
      throw Self.refusal("'\(shown)' names no file")
    }
    guard !steps.contains(where: { $0.elementsEqual("..".utf8) }) else {
      throw Self.refusal("'\(shown)' leads out of its folder with '..', and is not opened")
    }
    let here = root.bytes + [slash]
    // Relative, or else absolute; then the name alone.
    let places = path.first == slash ? [path, here + name] : [here + path, here + name]
    var isOutside = false
    for place in places {
      guard let found = RealPath(place) else { continue }
      if let rest = found.inside(root) {
        if !rest.isEmpty { return found.bytes }
      } else if place.starts(with: here) {
        // A link that leads out is told; a path elsewhere is that of another machine.
        isOutside = true
      }
    }
    let folder = ForeignText.shown(root.bytes)
    throw Self.refusal(
      isOutside
        ? "'\(shown)' is a link that leads out of \(folder), and is not opened"
        : "there is no '\(shown)' below \(folder)")
  }

  private static func refusal(_ message: String) -> PlayedMedia.Failure {
    PlayedMedia.Failure(
      message: message, hint: "'--sources' names the folder of the files.", status: .noInput,
      code: "noSource")
  }

  /// Of the files of a list, the first that would not be found by its ``hint(of:)``: neither are all below the
  /// folder, nor all in one.
  func unfound(of paths: [[UInt8]]) -> [UInt8]? {
    let places = paths.map { RealPath($0)?.bytes ?? $0 }
    guard Set(places.map { OutputFolder.around($0) }).count > 1 else { return nil }
    return paths.first { RealPath($0)?.inside(root) == nil }
  }

  /// How a list below which the file is names it: its path from there, or its name alone.
  func hint(of path: [UInt8]) -> String {
    let inside = RealPath(path)?.inside(root)
    let name = path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? path
    return String(decoding: inside.flatMap { $0.isEmpty ? nil : $0 } ?? name, as: UTF8.self)
  }
}
