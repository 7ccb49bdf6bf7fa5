public import ExactTime

/// What to draw: one of three screens, each with all that it shows.
public enum TrimmingScreen: Hashable, Sendable {
  /// Nothing is known of the video yet.
  case loading(Loading)
  /// The video can be trimmed.
  case ready(Ready)
  /// The video cannot be shown.
  case failed(Failed)

  /// The screen while the video is being read: nothing of it is known yet.
  public struct Loading: Hashable, Sendable {
    /// The video's name for the ports, as it was given.
    public var location: String
    /// Whether the tutorial is to be shown over the screen.
    public var isTutorialVisible: Bool
  }

  /// The screen on which the video is trimmed.
  public struct Ready: Hashable, Sendable {
    /// The video's name for the ports, as it was given.
    public var location: String
    /// The whole video.
    public var bounds: MediaTimeRange
    /// The selected part.
    public var timeRange: MediaTimeRange
    /// All parts, the selected one among them.
    public var list: PartList
    /// The limit by which the length is judged.
    public var limit: LengthLimit
    /// Whether the length is valid, and by how much it is not.
    public var verdict: LengthVerdict
    /// The playhead: inside the range while playing, anywhere in the video while paused.
    public var playbackTime: MediaTime
    /// The frame on screen, counted from 0; `nil` when the frames are not known.
    public var frame: Int?
    /// Whether the range is being played.
    public var isPlaying: Bool
    /// How many passes over the range have ended.
    public var passCount: Int
    /// What the ends of the range are pulled to when they move.
    public var snap: Snap
    /// Whether there is a change to take back.
    public var canUndo: Bool
    /// Whether something was taken back that can be repeated.
    public var canRedo: Bool
    /// Whether an export would start now.
    public var isExportEnabled: Bool
    /// How far the running export has come, if there is one.
    public var exportState: ExportState
    /// The files of the last export; empty before the first.
    public var exportedLocations: [String]
    /// What the user has to be told before going on; `nil` when there is nothing.
    public var alert: TrimmingAlert?
    /// What the last step of the user could not do, or did besides; `nil` when there is nothing to
    /// say.
    public var notice: SessionNotice?
    /// Whether the tutorial is to be shown over the screen.
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
  /// The screen for the state as it is now.
  public var screen: TrimmingScreen {
    switch phase {
    case .loading:
      .loading(.init(location: location, isTutorialVisible: isTutorialVisible))
    case .failed(let failure):
      .failed(.init(location: location, failure: failure))
    case .ready:
      .ready(
        .init(
          location: location, bounds: bounds, timeRange: timeRange, list: list, limit: limit,
          verdict: verdict,
          playbackTime: playbackTime, frame: timings.frames.index(at: playbackTime),
          isPlaying: isPlaying, passCount: passCount, snap: snap, canUndo: canUndo,
          canRedo: canRedo, isExportEnabled: isExportEnabled, exportState: exportState,
          exportedLocations: exportedLocations, alert: alert, notice: notice,
          isTutorialVisible: isTutorialVisible))
    }
  }
}

// The compiler writes these only where the types are.

extension TrimmingScreen.Loading: Codable {
  private enum CodingKeys: String, CodingKey {
    case location
    case isTutorialVisible = "is_tutorial_visible"
  }
}

extension TrimmingScreen.Failed: Codable {}

extension TrimmingScreen.Ready: Codable {
  private enum CodingKeys: String, CodingKey {
    case location, bounds
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
