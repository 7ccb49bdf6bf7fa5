package import Trimming

/// How the results of a file are made, independent of the chosen part: shared by all pages.
package struct StudioSettings: Sendable, Hashable, Encodable {
  /// A track that can be written or left out.
  package struct Track: Sendable, Hashable, Encodable {
    package var id: Int
    /// A description, safe to show.
    package var words: String
    package var isWritten: Bool

    package init(id: Int, words: String, isWritten: Bool) {
      self.id = id
      self.words = words
      self.isWritten = isWritten
    }
  }

  /// A file type that can be chosen.
  package struct FileType: Sendable, Hashable, Encodable {
    package var ending: String
    /// What people call it.
    package var name: String
    /// Whether it is among the few that fit this file, shown before all others.
    package var isFirst: Bool

    package init(ending: String, name: String, isFirst: Bool) {
      self.ending = ending
      self.name = name
      self.isFirst = isFirst
    }
  }

  /// The name of the next file, safe to show.
  package var output: String
  package var mode: CutMode
  package var tracks: [Track]
  /// The file types, each once; those that fit the file best come first.
  package var types: [FileType] = []
  /// Where outputs go; `nil` if not known.
  package var folder: Folder?

  /// A folder for outputs.
  package struct Folder: Sendable, Hashable, Encodable {
    /// Its path, safe to show.
    package var name: String
    /// Why nothing can be written there; `nil` if it can.
    package var refusal: String?
    /// Folders that can be written to, if this one cannot.
    package var others: [StudioFolders.Item]

    package init(name: String, refusal: String? = nil, others: [StudioFolders.Item] = []) {
      self.name = name
      self.refusal = refusal
      self.others = others
    }
  }

  package init(output: String, mode: CutMode = .smart, tracks: [Track] = []) {
    self.output = output
    self.mode = mode
    self.tracks = tracks
  }

  /// A change made by a page.
  package enum Change: Sendable, Hashable {
    /// Another name, whose extension selects the container.
    case output(String)
    /// A mode, as for `--mode`.
    case mode(String)
    /// The numbers of the tracks to write, comma-separated.
    case tracks(String)
    /// The number of the folder that outputs go to.
    case folder(String)
  }
}
