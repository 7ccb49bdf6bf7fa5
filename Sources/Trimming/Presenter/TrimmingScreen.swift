public import ExactTime

/// What to draw: one of three screens, each with everything it shows.
public enum TrimmingScreen: Hashable, Sendable {
  /// Nothing is known about the video yet.
  case loading(Loading)
  /// The video can be trimmed.
  case ready(Ready)
  /// The video cannot be shown.
  case failed(Failed)

  /// The screen while the video is being read: nothing about it is known yet.
  public struct Loading: Hashable, Sendable {
    /// The video's name for the ports, as it was given.
    public var location: String
    /// Whether the tutorial is shown over the screen.
    public var isTutorialVisible: Bool
  }

  /// The screen on which the video is trimmed.
  public struct Ready: Hashable, Sendable {
    /// The video's name for the ports, as it was given.
    public var location: String
    /// The whole video, or where there are several files, the one that is shown.
    public var bounds: MediaTimeRange
    /// The index of the file that is shown; `nil` where there is only one.
    public var source: Int?
    /// The names of all files for the ports; `nil` where there is only one.
    public var sources: [String]?
    /// The selected part.
    public var timeRange: MediaTimeRange
    /// All parts, including the selected one.
    public var list: PartList
    /// The limit the length is checked against.
    public var limit: LengthLimit
    /// Whether the length is valid, and if not, by how much it misses the limit.
    public var verdict: LengthVerdict
    /// The playhead: inside the range while playing, anywhere in the video while paused.
    public var playbackTime: MediaTime
    /// The frame on screen, counted from 0; `nil` when the frames are not known.
    public var frame: Int?
    /// Whether the range is being played.
    public var isPlaying: Bool
    /// How many passes over the range have ended.
    public var passCount: Int
    /// What the endpoints of the range snap to when they move.
    public var snap: Snap
    /// Whether there is a change to undo.
    public var canUndo: Bool
    /// Whether there is an undone change to redo.
    public var canRedo: Bool
    /// Whether an export would start now.
    public var isExportEnabled: Bool
    /// The state of the export and its progress, if one is running.
    public var exportState: ExportState
    /// The files of the last export; empty before the first.
    public var exportedLocations: [String]
    /// The alert the user has to close before going on; `nil` when there is none.
    public var alert: TrimmingAlert?
    /// What the user's last action could not do, or did in addition; `nil` when there is nothing to
    /// report.
    public var notice: SessionNotice?
    /// Whether the tutorial is shown over the screen.
    public var isTutorialVisible: Bool
  }

  /// The screen of a video that cannot be shown.
  public struct Failed: Hashable, Sendable {
    /// The video's name for the ports, as it was given.
    public var location: String
    /// Why the video cannot be shown, and what to do about it.
    public var failure: VideoFailure
  }
}

extension TrimmingSession {
  /// The screen for the current state.
  public var screen: TrimmingScreen {
    switch phase {
    case .loading:
      .loading(.init(location: location, isTutorialVisible: isTutorialVisible))
    case .failed(let failure):
      .failed(.init(location: location, failure: failure))
    case .ready:
      .ready(
        .init(
          location: location, bounds: bounds, source: sources.count > 1 ? shownSource : nil,
          sources: sources.count > 1 ? sources.map(\.location) : nil, timeRange: timeRange,
          list: list, limit: limit,
          verdict: verdict,
          playbackTime: playbackTime, frame: timings.frames.index(at: playbackTime),
          isPlaying: isPlaying, passCount: passCount, snap: snap, canUndo: canUndo,
          canRedo: canRedo, isExportEnabled: isExportEnabled, exportState: exportState,
          exportedLocations: exportedLocations, alert: alert, notice: notice,
          isTutorialVisible: isTutorialVisible))
    }
  }
}

// The compiler synthesizes these only in the file that declares the types.

extension TrimmingScreen.Loading: Codable {
  private enum CodingKeys: String, CodingKey {
    case location
    case isTutorialVisible = "is_tutorial_visible"
  }
}

extension TrimmingScreen.Failed: Codable {}

extension TrimmingScreen.Ready: Codable {
  private enum CodingKeys: String, CodingKey {
    case location, bounds, source, sources
    case timeRange = "time_range"
    case list, limit, verdict
    case playbackTime = "playback_time"
    case frame
    case isPlaying = "is_playing"
    case passCount = "pass_count"
    case snap
    case canUndo = "can_undo"
    case canRedo = "can_redo"
    case isExportEnabled = "is_export_enabled"
    case exportState = "export_state"
    case exportedLocations = "exported_locations"
    case alert, notice
    case isTutorialVisible = "is_tutorial_visible"
  }
}
