public import ExactTime

/// What happened to a trimming screen: the only way in to ``TrimmingSession``.
public enum SessionInput: Hashable, Sendable {
  // The video.
  // Indirect, since it is rare and large: every other input is copied in a third of the time.
  indirect case videoDidLoad(VideoTimings)
  case videoDidFail(VideoFailure)
  /// The user asked to try a failed video again.
  case retryDidTap

  // The screen and its tutorial.
  case viewDidAppear
  /// The answer to ``SessionEffect/claimFirstVisit``.
  case firstVisitDidResolve(FirstVisit)
  /// The user asked for the tutorial.
  case tutorialDidTap
  case tutorialDidClose

  // The range.
  case timeRangeDidChange(from: MediaTime, to: MediaTime)
  /// A `Double` of the screen is no time, or none that fits 64 bits.
  case screenTimeDidFail(ExactTimeError)
  /// A handle was grabbed: all changes up to the release are one step for undo and for the log.
  case dragDidBegin
  case dragDidEnd
  case inPointDidSet
  case outPointDidSet
  case nudge(Handle, by: NudgeStep)
  case snapDidChange(Snap)
  case undoDidTap
  case redoDidTap

  // The parts.
  /// A part is added; without a range the session finds room: from the playhead, or after the
  /// selected part.
  case partDidAdd(range: MediaTimeRange?)
  /// The selected part becomes two, at the playhead.
  case partDidSplit
  /// A part is deleted; `nil` for the selected one.
  case partDidDelete(id: Int?)
  /// The selected part goes to another place in the order of the export.
  case partDidMove(by: Int)
  case partDidRename(id: Int, name: String)
  case partDidSelect(id: Int)
  /// What lies between In and Out is taken out, and the rest kept and joined.
  case rangeDidRemove
  case joinDidChange(Bool)
  case limitDidChange(LengthLimit)

  // Playback.
  /// The player reports where it is.
  case playbackTimeDidChange(currentTime: MediaTime)
  /// A loop reports how many passes ended since its last report: more than one after a late tick.
  case playbackPassesDidEnd(count: Int)
  /// The user moved the playhead.
  case playheadDidMove(to: MediaTime)
  case playDidTap
  case pauseDidTap

  // Pictures.
  case pictureDidArrive(id: Int, position: MediaTime)

  // Export.
  case exportDidTap
  case exportDidProgress(id: Int, fraction: Rational)
  case exportDidFinish(id: Int, locations: [String])
  case exportDidFail(id: Int, message: String)
  /// The export has wound down after a cancel.
  case exportDidCancel(id: Int)
  case exportCancelDidTap
  case alertDidClose
}

extension SessionInput {
  /// The end of an export that wrote one file.
  public static func exportDidFinish(id: Int, location: String) -> SessionInput {
    .exportDidFinish(id: id, locations: [location])
  }

  /// Whether the user did it, and not the player, a port or the clock.
  var isStepOfUser: Bool {
    switch self {
    case .playbackTimeDidChange, .playbackPassesDidEnd, .pictureDidArrive, .exportDidProgress,
      .exportDidFinish, .exportDidFail, .exportDidCancel, .videoDidLoad, .videoDidFail,
      .viewDidAppear, .firstVisitDidResolve:
      false
    default: true
    }
  }
}

/// What the flag "has visited the trimming screen" answered.
public enum FirstVisit: Hashable, Sendable {
  /// Claimed now: nobody was here before.
  case first
  case visitedBefore
  /// The flag can be neither read nor kept; the reason is for a note, never for an alert.
  case unavailable(reason: String)
}
