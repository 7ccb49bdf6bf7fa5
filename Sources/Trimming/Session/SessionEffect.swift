public import ExactTime

/// What the shell has to do after an input, in this order and after the state has changed.
public enum SessionEffect: Hashable, Sendable {
  /// Tell the subscribers.
  case deliver(SessionEvent)
  /// Hand the event to the log port.
  case log(LogEvent)
  /// Claim the flag "has visited", and answer with ``SessionInput/firstVisitDidResolve(_:)``.
  case claimFirstVisit
  /// Probe the video, and answer with `videoDidLoad` or `videoDidFail`.
  case probe
  /// Ask for a picture once no newer request has come for a while.
  case requestPicture(PictureRequest)
  /// Show the picture that answers this request.
  case showPicture(id: Int)
  /// Start the export, and report its progress and its end under its identifier.
  case startExport(ExportRequest)
  /// Cancel the task of this export; it answers with `exportDidCancel` once it has ended.
  case cancelExport(id: Int)
}

/// What a subscriber is told: past facts, all of them, in order.
public enum SessionEvent: Hashable, Sendable {
  /// The range's end was reached and playback is back at its start.
  case restartedVideo(Restart)
  /// The tutorial appeared or went; on the first appearance ever `false` comes before `true`.
  case tutorialVisibilityDidChange(isVisible: Bool)
  /// The selected range is another one; it is already clamped and snapped.
  case timeRangeDidChange(MediaTimeRange)
  /// Added, split, deleted, reordered, named, selected, joined or separated.
  case partsDidChange(PartList)
  /// The length became valid or invalid, or is invalid by another distance.
  case validityDidChange(LengthVerdict)
  /// The video is loading, ready or failed.
  case phaseDidChange(Phase)
  /// Playback started or stopped.
  case playingDidChange(isPlaying: Bool)
  /// The playhead was put elsewhere than playback would have gone: a player has to seek.
  case seek(to: MediaTime)
  /// The export has written its files, named in the order of the parts.
  case exportDidFinish(locations: [String])
  /// The user has to be told something before going on.
  case alertDidAppear(TrimmingAlert)
  /// Something worth a line in a diagnostic log; no failure.
  case diagnostic(String)
  /// A screen event or a user's action was handed to the log port.
  case logged(LogEvent)
}

/// One return of the playhead from the end of the range to its start.
public struct Restart: Hashable, Sendable {
  /// The start of the range.
  public var position: MediaTime
  /// How many passes ended at once: 1, and more only where one late tick spans several.
  public var passes: Int

  /// Creates a restart at the start of the range.
  public init(position: MediaTime, passes: Int = 1) {
    self.position = position
    self.passes = passes
  }
}

/// Where the video stands.
public enum Phase: Hashable, Sendable {
  /// The video is being read.
  case loading
  /// The video can be trimmed.
  case ready
  /// The video cannot be shown; another try may follow.
  case failed(VideoFailure)
}

/// Something that went wrong and that the user has to see; the screen stays.
public struct TrimmingAlert: Hashable, Sendable, Codable {
  /// What to tell the user, ready to be shown.
  public var message: String

  /// Creates an alert.
  public init(_ message: String) { self.message = message }
}

/// A still of the video, wanted for a handle that moves.
public struct PictureRequest: Hashable, Sendable {
  /// Counts up; an answer to any but the newest is dropped.
  public var id: Int
  /// The end of the range that moved.
  public var handle: Handle
  /// The instant whose frame is wanted: the last one not after it.
  public var position: MediaTime

  /// Creates a request; `id` has to be greater than that of every request before.
  public init(id: Int, handle: Handle, position: MediaTime) {
    self.id = id
    self.handle = handle
    self.position = position
  }
}

/// What is to be exported.
public struct ExportRequest: Hashable, Sendable {
  /// Counts up from 1; the export's reports carry it.
  public var id: Int
  /// The video's name for the ports, as it was given.
  public var location: String
  /// Exact, on the video's timeline, in the order of the export; at least one.
  public var parts: [TrimmingPart]
  /// The parts become one file; otherwise each becomes a file of its own.
  public var joins: Bool
  /// The limit for each file; the cutter judges the written lengths by it once more.
  public var limit: LengthLimit

  /// The first part's range: all there is where there is one part.
  public var range: MediaTimeRange { parts[0].range }

  /// Creates the request for all parts of a list; a single part is never joined.
  public init(id: Int, location: String, list: PartList, limit: LengthLimit) {
    self.id = id
    self.location = location
    parts = list.parts
    joins = list.joins && list.isSeveral
    self.limit = limit
  }

  /// Creates the request for one part.
  public init(id: Int, location: String, range: MediaTimeRange, limit: LengthLimit) {
    self.init(id: id, location: location, list: PartList(range), limit: limit)
  }
}

/// Where an export stands.
public enum ExportState: Hashable, Sendable {
  /// Nothing is being exported.
  case idle
  /// `fraction` is from 0 to 1 and never goes back.
  case exporting(id: Int, fraction: Rational)
  /// Cancelled by the user; not yet wound down.
  case cancelling(id: Int)
}
