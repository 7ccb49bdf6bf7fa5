public import ExactTime

/// A screen event or a user's action, for analytics.
public struct LogEvent: Hashable, Sendable {
  /// What happened; its documentation lists the parameters.
  public var name: Name
  /// In the order documented for the name.
  public var parameters: [Parameter]

  /// Creates an event.
  public init(_ name: Name, _ parameters: [Parameter] = []) {
    self.name = name
    self.parameters = parameters
  }

  /// A stable snake_case name; new ones may be added.
  public enum Name: String, Hashable, Sendable, CaseIterable {
    /// `location`.
    case screenAppeared = "screen_appeared"
    /// `asked`: whether the user asked for it.
    case tutorialShown = "tutorial_shown"
    /// No parameters.
    case tutorialClosed = "tutorial_closed"
    /// `reason`.
    case firstVisitUnknown = "first_visit_unknown"
    /// `from`, `to`: the bounds.
    case videoLoaded = "video_loaded"
    /// `reason`.
    case videoFailed = "video_failed"
    /// No parameters.
    case videoRetried = "video_retried"
    /// `from`, `to`, `length`, `is_valid`, `cause`.
    case rangeChanged = "range_changed"
    /// `cause`: `added`, `split`, `deleted`, `moved`, `renamed`, `selected`, `removed`, `joined`,
    /// `separated`, `undo` or `redo`; `count`: how many there are now.
    case partsChanged = "parts_changed"
    /// Something was found.
    case findingsChanged = "findings_changed"
    /// `maximum`, if there is one.
    case limitChanged = "limit_changed"
    /// `snap`.
    case snapChanged = "snap_changed"
    /// `position`.
    case playheadMoved = "playhead_moved"
    /// `position`.
    case playbackStarted = "playback_started"
    /// `position`.
    case playbackPaused = "playback_paused"
    /// `position`, `passes`.
    case playbackRestarted = "playback_restarted"
    /// `from`, `to`, `length`.
    case exportStarted = "export_started"
    /// `reason`: `not_ready`, `invalid_length` or `exporting`.
    case exportRefused = "export_refused"
    /// `location`, for each file.
    case exportFinished = "export_finished"
    /// `reason`.
    case exportFailed = "export_failed"
    /// No parameters.
    case exportCancelled = "export_cancelled"
    /// No parameters.
    case alertClosed = "alert_closed"
  }

  /// One named value of an event.
  public struct Parameter: Hashable, Sendable {
    /// A stable snake_case name, such as `from`.
    public var key: String
    /// The value, exact where it is a time or a length.
    public var value: Value

    /// Creates a parameter.
    public init(_ key: String, _ value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// A value of one of the types that an analytics service distinguishes.
  public enum Value: Hashable, Sendable {
    /// An instant on the video's own timeline.
    case time(MediaTime)
    /// A length in exact seconds.
    case length(MediaDuration)
    /// A count.
    case count(Int)
    /// Yes or no.
    case flag(Bool)
    /// Text, such as a location or a stable snake_case word.
    case text(String)
  }
}

/// What moved an endpoint of the range.
enum RangeCause: String {
  case drag, change
  case inPoint = "in_point"
  case outPoint = "out_point"
  case nudge, typed, undo, redo, load
}
