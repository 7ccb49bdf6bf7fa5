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
    public var timeRange: MediaTimeRange
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
    public var exportedLocation: String?
    public var alert: TrimmingAlert?
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
          location: location, bounds: bounds, timeRange: timeRange, verdict: verdict,
          playbackTime: playbackTime, frame: timings.frames.index(at: playbackTime),
          isPlaying: isPlaying, passCount: passCount, snap: snap, canUndo: canUndo,
          canRedo: canRedo, isExportEnabled: isExportEnabled, exportState: exportState,
          exportedLocation: exportedLocation, alert: alert, isTutorialVisible: isTutorialVisible))
    }
  }
}
