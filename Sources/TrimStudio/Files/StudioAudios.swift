import Trimming

/// The audio tracks of a file, each of which can be heard; a cut does not depend on which one is.
package struct StudioAudios: Sendable {
  package struct Track: Sendable, Hashable, Encodable {
    package var id: Int
    /// A description, safe to show.
    package var words: String

    package init(id: Int, words: String) {
      self.id = id
      self.words = words
    }
  }

  /// The first one is heard unless another is chosen.
  package var tracks: [Track]
  /// The levels and segments of a track, opened when first asked for.
  ///
  /// Throws `VideoFailure` if there is no such track.
  package var open: @Sendable (_ id: Int) async throws -> StudioPictures

  package init(
    tracks: [Track] = [],
    open: @escaping @Sendable (Int) async throws -> StudioPictures = { _ in
      throw VideoFailure("There is no such audio track.")
    }
  ) {
    self.tracks = tracks
    self.open = open
  }
}
