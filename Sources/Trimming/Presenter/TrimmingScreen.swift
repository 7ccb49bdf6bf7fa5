public import ExactTime

/// What to draw: one of three screens, each with all that it shows.
public enum TrimmingScreen: Hashable, Sendable {
  case loading(Loading)
  case ready(Ready)
  case failed(Failed)

  public struct Loading: Hashable, Sendable {
    public var location: String
    public var isTutorialVisible: Bool
  }

  public struct Ready: Hashable, Sendable {
    public var location: String
    /// The whole video.
    public var bounds: MediaTimeRange
    /// The selected part.
    public var timeRange: MediaTimeRange
    /// All parts, the selected one among them.
    public var list: PartList
    public var limit: LengthLimit
    public var verdict: LengthVerdict
    public var playbackTime: MediaTime
    /// The frame on screen, counted from 0; `nil` when the frames are not known.
    public var frame: Int?
    public var isPlaying: Bool
    public var passCount: Int
    public var snap: Snap
    public var canUndo: Bool
    public var canRedo: Bool
    public var isExportEnabled: Bool
    public var exportState: ExportState
    public var exportedLocations: [String]
    public var alert: TrimmingAlert?
    public var notice: SessionNotice?
    public var isTutorialVisible: Bool
  }

  public struct Failed: Hashable, Sendable {
    public var location: String
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
