import CommandLineKit
import MediaEngine
import Threads
import TrimStudio
import Trimming

extension FolderTree {
  /// The folders that a studio was started with, and those of its files.
  convenience init(opening files: [ArgumentText], of named: [ArgumentText]) {
    let folders = named.map(\.bytes).filter(FolderListing.isFolder)
    self.init(folders + files.map { OutputFolder.around($0.bytes) })
  }
}

extension StudioFolders {
  /// The folders that a studio was started with, and those of its files.
  init(
    opening files: [ArgumentText], of named: [ArgumentText], in surroundings: StudioSurroundings
  ) {
    let tree = surroundings.tree ?? FolderTree(opening: files, of: named)
    self.init(tree, withFiles: true) { number in
      let path = try tree.place(number).bytes
      return StudioEntry(PlayInput(path: path), in: surroundings)
    }
  }

  /// - Parameter entry: opens the file with a number.
  init(
    _ tree: FolderTree, withFiles: Bool,
    entry: @escaping @Sendable (Int) throws -> StudioEntry
  ) {
    self.init(
      list: { number in
        try await WaitingThread.value { try tree.list(number, withFiles: withFiles) }
      },
      entry: { number in try await WaitingThread.value { try entry(number) } },
      make: { number, name in
        try await WaitingThread.value { try tree.make(in: number, named: name) }
      })
  }
}
