package import ExactTime
package import Trimming

/// The cutting functions for a file.
package struct StudioCutting: Sendable {
  /// What an export would do.
  package struct Outlook: Sendable, Hashable, Encodable {
    package var sentence: String
    /// The ranges whose frames are re-encoded; the rest is copied.
    package var encoded: [MediaTimeRange]
    /// The index of the file of each such range; empty where all are of the first.
    package var encodedSources: [Int] = []
    /// How many bytes each part adds, estimated and in words; empty if not known.
    package var sizes: [String] = []

    package init(sentence: String, encoded: [MediaTimeRange]) {
      self.sentence = sentence
      self.encoded = encoded
    }

    private enum CodingKeys: CodingKey { case sentence, encoded, sizes }

    /// With the re-encoded ranges of one file only.
    func shown(ofSource source: Int) -> Outlook {
      var shown = self
      shown.encoded = encoded.indices.filter { index in
        source == (encodedSources.indices.contains(index) ? encodedSources[index] : 0)
      }.map { encoded[$0] }
      return shown
    }
  }

  /// A file that was written.
  package struct Result: Sendable {
    /// Safe to show.
    package var name: String
    /// The folder and the name, safe to show.
    package var place: String
    package var media: StudioMedia

    package init(name: String, place: String, media: StudioMedia) {
      self.name = name
      self.place = place
      self.media = media
    }
  }

  package var outlook: Look

  package typealias Look =
    @Sendable (_ parts: [TrimmingPart], _ joins: Bool) async throws -> Outlook
  /// Makes a preview of the cut of some parts, concatenated, exactly as it would be written.
  ///
  /// `isWritten` requests a file, which provides pictures and a preview like any other file.
  package var preview: Preview

  package typealias Preview =
    @Sendable (_ parts: [TrimmingPart], _ limit: LengthLimit, _ isWritten: Bool) async throws ->
    StudioResult
  /// Cancels the preview being made, if any.
  package var endPreview: @Sendable () -> Void
  /// Writes files; the session refers to them by location.
  package var export: ExportPort
  /// The files of the last export.
  package var results: @Sendable () -> [Result]
  package var settings: @Sendable () -> StudioSettings
  /// - Throws: `VideoFailure` if the change is not possible.
  package var change: @Sendable (StudioSettings.Change) throws -> Void
  /// The folders that outputs may go to; `nil` if none can be chosen.
  package var folders: StudioFolders?

  package init(
    outlook: @escaping Look,
    preview: @escaping Preview,
    endPreview: @escaping @Sendable () -> Void, export: ExportPort,
    results: @escaping @Sendable () -> [Result], settings: @escaping @Sendable () -> StudioSettings,
    change: @escaping @Sendable (StudioSettings.Change) throws -> Void
  ) {
    self.outlook = outlook
    self.preview = preview
    self.endPreview = endPreview
    self.export = export
    self.results = results
    self.settings = settings
    self.change = change
  }
}

/// The result of a cut that has no name yet; it is deleted with this value.
package struct StudioResult: Sendable {
  package var facts: StudioFacts
  package var frames: FrameInstants
  /// Its length, as the end of its own timeline, which starts at zero.
  package var end: MediaTime
  /// Where re-encoded pictures meet copied ones, on its own timeline.
  package var seams: [MediaTime]
  package var media: StudioMedia
  package var pictures: StudioPictures
  /// Whether it is stored in a file; otherwise in pieces, which only a browser can show.
  package var isWritten = true

  package init(
    facts: StudioFacts, frames: FrameInstants, end: MediaTime, seams: [MediaTime],
    media: StudioMedia, pictures: StudioPictures
  ) {
    self.facts = facts
    self.frames = frames
    self.end = end
    self.seams = seams
    self.media = media
    self.pictures = pictures
  }
}
