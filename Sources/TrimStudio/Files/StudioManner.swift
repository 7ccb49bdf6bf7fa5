package import Trimming

/// How the results of a file are made, independent of the chosen part: shared by all pages.
package struct StudioManner: Sendable, Hashable, Encodable {
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

  /// The name of the next file, safe to show.
  package var output: String
  package var mode: CutMode
  package var tracks: [Track]
  /// The file extensions, one for each supported container.
  package var endings: [String] = []

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
  }
}
