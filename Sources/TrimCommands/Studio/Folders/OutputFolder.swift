import CommandLineKit
import Glibc
import MediaEngine
import Synchronization
import TrimStudio
import Trimming

/// The folder that the outputs of a file go to: one that was named, or any below it.
///
/// The choice is remembered for the outer folder, in the state directory, which names that only as a hash.
final class OutputFolder: Sendable {
  private let root: [UInt8]
  private let tree: FolderTree
  /// Where to write instead of a folder that cannot be written to.
  private let elsewhere: FolderTree
  private let memory: StateFolder?
  private let chosen: Mutex<[UInt8]>

  /// - Parameters:
  ///   - root: the path of a folder, which may be missing.
  ///   - remembers: whether the choice is kept.
  init(_ root: [UInt8], environment: Environment, remembers: Bool) {
    let found = RealPath(root)
    self.root = found?.bytes ?? root
    tree = FolderTree([root])
    elsewhere = FolderTree(Self.places(environment), mergesInner: false)
    memory = remembers ? StateFolder("outputs", environment: environment.stateVariables) : nil
    chosen = Mutex(self.root)
    if let path = remembered, tree.number(of: path) != nil, FolderListing.isFolder(path) {
      chosen.withLock { $0 = path }
    }
  }

  /// The folder that a file is in.
  static func around(_ path: [UInt8]) -> [UInt8] {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return Array(".".utf8) }
    return Array(path[..<max(1, slash)])
  }

  /// The user's folder for videos, and one for temporary files.
  private static func places(_ environment: Environment) -> [[UInt8]] {
    let home = environment["HOME"]
    let videos = [environment["XDG_VIDEOS_DIR"], home.map { $0 + "/Videos" }, home]
    let temporary = [environment["TMPDIR"], "/var/tmp", "/tmp"]
    return [videos, temporary].compactMap { places in
      places.lazy.compactMap { $0 }.filter { $0.hasPrefix("/") }.map { Array($0.utf8) }
        .first { FolderRefusal($0) == nil }
    }
  }

  /// The path, which ends with a slash.
  var path: [UInt8] {
    let path = chosen.withLock { $0 }
    return path.last == UInt8(ascii: "/") ? path : path + [UInt8(ascii: "/")]
  }

  /// Why nothing can be written there, and where else; `nil` if it can.
  var refusal: String? { FolderRefusal(chosen.withLock { $0 })?.sentence }

  var shown: StudioSettings.Folder {
    let refusal = refusal
    var shown = StudioSettings.Folder(
      name: ForeignText.shown(chosen.withLock { $0 }), refusal: refusal)
    guard refusal != nil else { return shown }
    shown.others = elsewhere.roots.compactMap { place in
      elsewhere.number(of: place.bytes).map {
        StudioFolders.Item(id: -1 - $0, name: ForeignText.shown(place.bytes))
      }
    }
    return shown
  }

  var folders: StudioFolders {
    StudioFolders(tree, withFiles: false) { _ in
      throw VideoFailure("Files are opened elsewhere.")
    }
  }

  /// - Parameter text: a number of ``folders``, or a negative one of ``shown``.
  /// - Throws: `VideoFailure`.
  func choose(_ text: String) throws {
    guard let number = Int(text) else { throw VideoFailure("There is no such folder.") }
    guard number >= 0 else {
      let place = try elsewhere.place(-1 - number).bytes
      return chosen.withLock { $0 = place }
    }
    let place = try tree.place(number).bytes
    if let refusal = FolderRefusal(place) { throw VideoFailure(refusal.sentence) }
    chosen.withLock { $0 = place }
    remember(place)
  }

  // MARK: Memory

  private var key: String { StateHash.text(root) }

  private var remembered: [UInt8]? {
    guard let rest = memory?.read(key, atMost: 4096), !rest.isEmpty else { return nil }
    return root + [UInt8(ascii: "/")] + rest
  }

  private func remember(_ path: [UInt8]) {
    guard let memory, let root = RealPath(root), let place = RealPath(path),
      let rest = place.inside(root)
    else { return }
    guard !rest.isEmpty else { return memory.remove(key) }
    try? memory.write(rest, to: key)
    memory.prune(olderThan: 90, keeping: 200)
  }
}
