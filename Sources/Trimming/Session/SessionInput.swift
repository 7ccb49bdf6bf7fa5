public import ExactTime

/// What happened to a trimming screen: the only way in to ``TrimmingSession``.
public enum SessionInput: Hashable, Sendable {
  // The video. Indirect, since it is rare and large: this makes copying every other input three
  // times as fast.
  /// The video has loaded, with what is known about its frames.
  indirect case videoDidLoad(VideoTimings)
  /// The video could not be opened.
  case videoDidFail(VideoFailure)
  /// The user asked to try a failed video again.
  case retryDidTap

  // The screen and its tutorial.
  /// The screen came into view, for the first time or again.
  case viewDidAppear
  /// The answer to ``SessionEffect/claimFirstVisit``.
  case firstVisitDidResolve(FirstVisit)
  /// The user asked for the tutorial.
  case tutorialDidTap
  /// The user closed the tutorial.
  case tutorialDidClose

  // The range.
  /// The range is set to two endpoints, which are swapped if they are in the wrong order.
  case timeRangeDidChange(from: MediaTime, to: MediaTime)
  /// A `Double` from the screen is not a time, or does not fit in 64 bits.
  case screenTimeDidFail(ExactTimeError)
  /// A handle was grabbed: all changes up to the release are one step for undo and for the log.
  case dragDidBegin
  /// The handle was released.
  case dragDidEnd
  /// The in point is set at the playhead.
  case inPointDidSet
  /// The out point is set at the playhead.
  case outPointDidSet
  /// A handle or the playhead is moved by a step.
  case nudge(Handle, by: NudgeStep)
  /// A time was typed for a handle or the playhead, which goes exactly there, without snapping.
  case timeDidType(Handle, MediaTime)
  /// The snapping mode for the endpoints changed.
  case snapDidChange(Snap)
  /// The last change of the range or the parts is undone.
  case undoDidTap
  /// The last undone change is redone.
  case redoDidTap

  // The parts.

  /// Parts may be of another file from now on: it gets the next index, and the parts do not change.
  indirect case sourceDidAdd(TrimmingSource)
  /// A part of a file follows all others, and is selected; without a range it is the whole file.
  case partDidAppend(source: Int, range: MediaTimeRange?)
  /// A part is added; without a range the session finds room for it: from the playhead, or after
  /// the selected part.
  case partDidAdd(range: MediaTimeRange?)
  /// The part at the playhead is split in two there; of several, the selected one.
  case partDidSplit
  /// A part is deleted; `nil` for the selected one.
  case partDidDelete(id: Int?)
  /// The selected part is moved to another position in export order.
  case partDidMove(by: Int)
  /// The parts are sorted in export order; parts that are in that order already are reversed.
  case partsDidSort(by: PartOrder)
  /// A part is renamed; an empty name leaves it without one.
  case partDidRename(id: Int, name: String)
  /// Another part is selected.
  case partDidSelect(id: Int)
  /// What lies between In and Out is removed, and the rest is kept and joined.
  case rangeDidRemove
  /// The parts become one file, or one file each.
  case joinDidChange(Bool)
  /// Parts that were kept from earlier work, or come from a list, take the place of the current ones.
  case partsDidReturn(PartList)

  // The markers.
  /// A marker is put where the playhead is.
  case markerDidAdd
  /// A marker is renamed; an empty name leaves it without one.
  case markerDidRename(id: Int, name: String)
  /// A marker is deleted; `nil` for the one at the playhead.
  case markerDidDelete(id: Int?)
  /// The playhead goes to the next marker, or for a negative number to the previous one.
  case markerDidStep(by: Int)

  // What was found.
  /// What was looked for has been found; it takes the place of what was found before.
  case findingsDidArrive([TrimmingFinding])
  /// Parts become what was found in them; `nil` for all findings.
  case findingsDidKeep(ids: [Int]?)
  /// What was found is removed from all parts, but for a margin in seconds at both of its ends; `nil` for
  /// all findings.
  case findingsDidRemove(ids: [Int]?, margin: MediaDuration)
  /// Parts are split where scenes begin, and in the middle of other findings; `nil` for all of them.
  case findingsDidSplit(ids: [Int]?)
  /// The playhead goes to the beginning of the next finding of a kind, or for a negative number of the previous
  /// one; `nil` for all kinds.
  case findingDidStep(by: Int, kind: TrimmingFinding.Kind?)

  /// The length limit changed.
  case limitDidChange(LengthLimit)

  // Playback.
  /// The player reports where it is.
  case playbackTimeDidChange(currentTime: MediaTime)
  /// A loop reports how many passes have ended since its last report: more than one after a late
  /// tick.
  case playbackPassesDidEnd(count: Int)
  /// The user moved the playhead.
  case playheadDidMove(to: MediaTime)
  /// The user pointed at a place of the timeline: the playhead goes there, and snaps as handles do.
  case playheadDidDrag(to: MediaTime)
  /// The user starts playback.
  case playDidTap
  /// The user stops playback.
  case pauseDidTap

  // Pictures.
  /// The still for a request has arrived; `position` is the exact time of its frame.
  case pictureDidArrive(id: Int, position: MediaTime)

  // Export.
  /// The user starts the export.
  case exportDidTap
  /// The export reports its progress, from 0 to 1.
  case exportDidProgress(id: Int, fraction: Rational)
  /// The export has written its files, listed in the order of the parts.
  case exportDidFinish(id: Int, locations: [String])
  /// The export failed; the message is shown in an alert.
  case exportDidFail(id: Int, message: String)
  /// The export has wound down after a cancel.
  case exportDidCancel(id: Int)
  /// The user cancels the export.
  case exportCancelDidTap
  /// The user closed the alert.
  case alertDidClose
}

extension SessionInput {
  /// The end of an export that wrote one file.
  public static func exportDidFinish(id: Int, location: String) -> SessionInput {
    .exportDidFinish(id: id, locations: [location])
  }

  /// Whether the input came from the user rather than the player, a port or the clock.
  var isStepOfUser: Bool {
    switch self {
    case .playbackTimeDidChange, .playbackPassesDidEnd, .pictureDidArrive, .exportDidProgress,
      .exportDidFinish, .exportDidFail, .exportDidCancel, .videoDidLoad, .videoDidFail,
      .viewDidAppear, .firstVisitDidResolve, .findingsDidArrive:
      false
    default: true
    }
  }
}

/// The result of claiming the "has visited the trimming screen" flag.
public enum FirstVisit: Hashable, Sendable {
  /// Claimed now: this is the first visit.
  case first
  /// The flag was claimed before, in this run or another.
  case visitedBefore
  /// The flag can be neither read nor stored; the reason is for a log line, never for an alert.
  case unavailable(reason: String)
}
