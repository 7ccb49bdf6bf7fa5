import CSystem
import CommandLineKit
import Glibc
import Synchronization
import TrimStudio
import Trimming

/// Folders and what is below them, each with a number that stays the same.
///
/// A number stands for a path without links that is inside one of the folders, below no hidden one. Before it
/// is used, it is checked again.
final class FolderTree: Sendable {
  private struct State {
    var places: [RealPath] = []
    var numbers: [RealPath: Int] = [:]

    mutating func number(of place: RealPath) -> Int {
      if let known = numbers[place] { return known }
      places.append(place)
      numbers[place] = places.count - 1
      return places.count - 1
    }
  }

  /// The outermost folders.
  let roots: [RealPath]
  private let state = Mutex(State())

  /// The maximum number of entries in a listing.
  private static let mostListed = 1000
  private static let mostNumbers = 200_000

  /// - Parameter mergesInner: whether a folder inside another one is only shown there.
  init(_ folders: [[UInt8]], mergesInner: Bool = true) {
    let found = folders.compactMap { RealPath($0) }
    var outermost: [RealPath] = []
    for folder in found where !outermost.contains(folder) {
      let isInside = found.contains { $0 != folder && folder.inside($0) != nil }
      if !isInside || !mergesInner { outermost.append(folder) }
    }
    roots = outermost
  }

  /// The number of something that is there; `nil` for what must not be shown.
  func number(of path: [UInt8]) -> Int? {
    guard let place = RealPath(path), isShown(place) else { return nil }
    return state.withLock { state in
      state.places.count < Self.mostNumbers || state.numbers[place] != nil
        ? state.number(of: place) : nil
    }
  }

  private func isShown(_ place: RealPath) -> Bool {
    roots.contains { root in
      guard let rest = place.inside(root) else { return false }
      return !rest.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") }
    }
  }

  /// The path with a number, if that is still there.
  ///
  /// - Throws: `VideoFailure`.
  func place(_ number: Int) throws(VideoFailure) -> RealPath {
    let known = state.withLock { state in
      state.places.indices.contains(number) ? state.places[number] : nil
    }
    // A link that has come in its place since would lead elsewhere.
    guard let known, RealPath(known.bytes) == known, isShown(known) else {
      throw VideoFailure("It is no longer there: go back, and open the folder again.")
    }
    return known
  }

  // MARK: Listing

  /// - Parameter number: `nil` for the outermost folders.
  /// - Throws: `VideoFailure`.
  func list(_ number: Int?, withFiles: Bool) throws(VideoFailure) -> StudioFolders.Listing {
    guard let number else {
      if roots.count == 1, let only = self.number(of: roots[0].bytes) {
        return try list(only, withFiles: withFiles)
      }
      return StudioFolders.Listing(
        id: nil, name: "",
        folders: roots.compactMap { root in
          self.number(of: root.bytes).map { .init(id: $0, name: ForeignText.shown(root.bytes)) }
        })
    }
    let place = try place(number)
    var listing = StudioFolders.Listing(
      id: number, name: ForeignText.shown(place.bytes), parent: parent(of: place),
      refusal: FolderRefusal(place.bytes)?.sentence)
    let content: FolderListing.Content
    do throws(FolderListing.Failure) {
      content = try FolderListing.content(of: place.bytes)
    } catch {
      throw VideoFailure(error.message)
    }
    func items(_ names: [[UInt8]]) -> [StudioFolders.Item] {
      let items = names.prefix(Self.mostListed).compactMap { name in
        self.number(of: place.bytes + [UInt8(ascii: "/")] + name)
          .map { StudioFolders.Item(id: $0, name: ForeignText.shown(name)) }
      }
      listing.leftOut += max(0, names.count - Self.mostListed)
      return items
    }
    listing.folders = items(content.folders)
    if withFiles { listing.files = items(content.media) }
    return listing
  }

  private func parent(of place: RealPath) -> Int? {
    guard !roots.contains(place), let slash = place.bytes.lastIndex(of: UInt8(ascii: "/")) else {
      return nil
    }
    return number(of: Array(place.bytes[..<slash]))
  }

  // MARK: Making

  /// Makes a folder with a plain name, or finds it.
  ///
  /// - Throws: `VideoFailure`.
  func make(in number: Int, named text: String) throws(VideoFailure) -> Int {
    let place = try place(number)
    guard PlainName.isOne(text) else {
      throw VideoFailure("“\(ForeignText.shown(text))” is not a name for a folder.")
    }
    let path = place.bytes + [UInt8(ascii: "/")] + Array(text.utf8)
    guard mkdir(path.map { CChar(bitPattern: $0) } + [0], 0o777) == 0 || errno == EEXIST else {
      let reason = SystemError.text(errno)
      throw VideoFailure("No folder can be made in \(ForeignText.shown(place.bytes)): \(reason).")
    }
    guard FolderListing.isFolder(path), let made = self.number(of: path) else {
      throw VideoFailure("“\(ForeignText.shown(text))” is not a folder inside this one.")
    }
    return made
  }
}

/// Names that pages may choose.
enum PlainName {
  /// Whether it is a name without a folder, visible, and no option.
  static func isOne(_ text: String) -> Bool {
    let first = text.utf8.first
    return first != nil && text.utf8.count <= 200 && first != UInt8(ascii: ".")
      && first != UInt8(ascii: "-") && ForeignText.isHonest(text)
      // By bytes: with a combining mark, a slash is another character.
      && !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
  }
}
