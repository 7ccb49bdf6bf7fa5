package import ExactTime
package import Trimming

/// The unfinished work on a file: what a session needs to go on after the studio has ended.
package struct KeptWork: Sendable, Hashable, Codable {
  /// Newer ones are not read.
  package var version = 1
  /// The file's length and number of frames, so that parts are never applied to another file.
  package var bounds: MediaTimeRange
  package var frames: Int
  package var list: PartList
  /// The limit, if it was changed on this file.
  package var limit: LengthLimit?
  /// The name of the output, as it is shown.
  package var output: String
  package var mode: CutMode
  /// The numbers of the tracks that are written.
  package var tracks: [Int]

  package init(
    bounds: MediaTimeRange, frames: Int, list: PartList, limit: LengthLimit?, manner: StudioManner
  ) {
    self.bounds = bounds
    self.frames = frames
    self.list = list
    self.limit = limit
    output = manner.output
    mode = manner.mode
    tracks = manner.tracks.filter(\.isWritten).map(\.id)
  }
}

/// Where unfinished work is kept.
package struct WorkPort: Sendable {
  /// What was kept for the file; `nil` for nothing.
  package var load: @Sendable () -> KeptWork?
  /// Keeps work in place of the earlier one; a failure is not reported.
  package var keep: @Sendable (KeptWork) -> Void
  package var forget: @Sendable () -> Void
  /// Whether nothing was kept for the file, but something for another one that had its name and place.
  package var isOfOtherVersion: @Sendable () -> Bool = { false }
  /// Whether somebody else has kept or forgotten work on the file since it was last loaded or kept here.
  package var wasChangedElsewhere: @Sendable () -> Bool = { false }

  package init(
    load: @escaping @Sendable () -> KeptWork?, keep: @escaping @Sendable (KeptWork) -> Void,
    forget: @escaping @Sendable () -> Void
  ) {
    self.load = load
    self.keep = keep
    self.forget = forget
  }
}
