package import Trimming

/// How the results of a file are made, whichever part is chosen: shown by all pages alike.
package struct StudioManner: Sendable, Hashable, Encodable {
  /// A track that can be written or left out.
  package struct Track: Sendable, Hashable, Encodable {
    package var id: Int
    /// What it is, safe to show.
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
  /// The endings of names, one for each kind of file that is written.
  package var endings: [String] = []

  package init(output: String, mode: CutMode = .smart, tracks: [Track] = []) {
    self.output = output
    self.mode = mode
    self.tracks = tracks
  }

  /// What a page changes of it.
  package enum Change: Sendable, Hashable {
    /// Another name, whose ending says which kind of file.
    case output(String)
    /// As `--mode` has it.
    case mode(String)
    /// The numbers of the tracks that are written, with commas between.
    case tracks(String)
  }
}
