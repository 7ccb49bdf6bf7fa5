public import ExactTime

/// What the shell must do after an input, in order, once the state has changed.
public enum SessionEffect: Hashable, Sendable {
  /// Notify the subscribers.
  case deliver(SessionEvent)
  /// Pass the event to the log port.
  case log(LogEvent)
  /// Claim the flag "has visited", and answer with ``SessionInput/firstVisitDidResolve(_:)``.
  case claimFirstVisit
  /// Probe the video, and answer with `videoDidLoad` or `videoDidFail`.
  case probe
  /// Request a picture once no newer request has arrived for a while.
  case requestPicture(PictureRequest)
  /// Show the picture that answers this request.
  case showPicture(id: Int)
  /// Start the export, and report its progress and completion under its identifier.
  case startExport(ExportRequest)
  /// Cancel the task of this export; it answers with `exportDidCancel` once it has ended.
  case cancelExport(id: Int)
}

/// What subscribers are notified of: events that have happened, all of them, in order.
public enum SessionEvent: Hashable, Sendable {
  /// Playback reached the end of the range and returned to its start.
  case restartedVideo(Restart)
  /// The tutorial appeared or disappeared; on the first visit ever, `false` comes before `true`.
  case tutorialVisibilityDidChange(isVisible: Bool)
  /// The selected range changed; it is already clamped and snapped.
  case timeRangeDidChange(MediaTimeRange)
  /// Parts were added, split, deleted, reordered, renamed, selected, joined or separated.
  case partsDidChange(PartList)
  /// Something else was found, in order of time.
  case findingsDidChange([TrimmingFinding])
  /// The length became valid or invalid, or its distance from the limit changed.
  case validityDidChange(LengthVerdict)
  /// The video is now loading, ready or failed.
  case phaseDidChange(Phase)
  /// Playback started or stopped.
  case playingDidChange(isPlaying: Bool)
  /// The playhead was moved away from where playback would be: a player has to seek.
  case seek(to: MediaTime)
  /// The export has written its files, listed in the order of the parts.
  case exportDidFinish(locations: [String])
  /// An alert appeared that the user has to close before going on.
  case alertDidAppear(TrimmingAlert)
  /// Something worth a line in a diagnostic log; not a failure.
  case diagnostic(String)
  /// A screen event or a user action was passed to the log port.
  case logged(LogEvent)
}

/// One return of the playhead from the end of the range to its start.
public struct Restart: Hashable, Sendable {
  /// The start of the range.
  public var position: MediaTime
  /// How many passes ended at once: 1, or more when one late tick spans several.
  public var passes: Int

  /// Creates a restart at the start of the range.
  public init(position: MediaTime, passes: Int = 1) {
    self.position = position
    self.passes = passes
  }
}

/// The loading state of the video.
public enum Phase: Hashable, Sendable {
  /// The video is being read.
  case loading
  /// The video can be trimmed.
  case ready
  /// The video cannot be shown; the user may retry.
  case failed(VideoFailure)
}

/// An error that the user has to see; the screen stays open.
public struct TrimmingAlert: Hashable, Sendable, Codable {
  /// The message for the user, ready to display.
  public var message: String

  /// Creates an alert.
  public init(_ message: String) { self.message = message }
}

/// A request for a still of the video while a handle moves.
public struct PictureRequest: Hashable, Sendable {
  /// Counts up; an answer to any but the newest is dropped.
  public var id: Int
  /// The handle that moved.
  public var handle: Handle
  /// The instant whose frame is wanted: the last one not after it.
  public var position: MediaTime
  /// The index of the file whose frame it is, among ``TrimmingSession/sources``.
  public var source: Int

  /// Creates a request; `id` must be greater than that of every earlier request.
  public init(id: Int, handle: Handle, position: MediaTime, source: Int = 0) {
    self.id = id
    self.handle = handle
    self.position = position
    self.source = source
  }
}

/// What is to be exported.
public struct ExportRequest: Hashable, Sendable {
  /// Counts up from 1; included in the export's reports.
  public var id: Int
  /// The video's name for the ports, as it was given.
  public var location: String
  /// The names of all files for the ports, by the index that parts have; the first is ``location``.
  public var sources: [String]
  /// The parts, exact, each on the timeline of its file, in export order; at least one.
  public var parts: [TrimmingPart]
  /// Whether the parts are joined into one file; otherwise each becomes a separate file.
  public var joins: Bool
  /// The limit for each file; the cutter checks the written lengths against it again.
  public var limit: LengthLimit

  /// The first part's range: the whole export when there is one part.
  public var range: MediaTimeRange { parts[0].range }

  /// Creates the request for all parts of a list; a single part is never joined.
  ///
  /// - Parameter sources: `nil` where all parts are of the file at the location.
  public init(
    id: Int, location: String, sources: [String]? = nil, list: PartList, limit: LengthLimit
  ) {
    self.id = id
    self.location = location
    self.sources = sources ?? [location]
    parts = list.parts
    joins = list.joins && list.isSeveral
    self.limit = limit
  }

  /// Creates the request for one part.
  public init(id: Int, location: String, range: MediaTimeRange, limit: LengthLimit) {
    self.init(id: id, location: location, list: PartList(range), limit: limit)
  }
}

/// The state of an export.
public enum ExportState: Hashable, Sendable {
  /// Nothing is being exported.
  case idle
  /// An export is running; `fraction` is from 0 to 1 and never decreases.
  case exporting(id: Int, fraction: Rational)
  /// Cancelled by the user; not yet wound down.
  case cancelling(id: Int)
}
