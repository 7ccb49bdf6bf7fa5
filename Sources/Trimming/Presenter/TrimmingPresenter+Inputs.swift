public import ExactTime

extension TrimmingPresenter {
  // MARK: The video

  /// Probes the video through the port; ends in ``videoDidLoad(_:)`` or ``videoDidFail(_:)``.
  public func loadVideo() { probe() }

  /// For screens whose player loads the video itself.
  public func videoDidLoad(_ timings: VideoTimings = VideoTimings()) {
    handle(.videoDidLoad(timings))
  }

  public func videoDidFail(_ failure: VideoFailure) { handle(.videoDidFail(failure)) }

  /// Probes a video that failed once more.
  public func retryDidTap() { handle(.retryDidTap) }

  // MARK: The screen

  /// Shows the tutorial on the first appearance ever, and remembers it.
  public func viewDidAppear() { handle(.viewDidAppear) }
  public func tutorialDidTap() { handle(.tutorialDidTap) }
  public func tutorialDidClose() { handle(.tutorialDidClose) }

  // MARK: The range

  /// Clamped into the video; refused where nothing of it is inside.
  ///
  /// A playhead that is outside the new range goes to its start.
  public func timeRangeDidChange(range: MediaTimeRange) {
    handle(.timeRangeDidChange(from: range.start, to: range.end))
  }

  /// Ends in the wrong order are exchanged.
  public func timeRangeDidChange(from start: MediaTime, to end: MediaTime) {
    handle(.timeRangeDidChange(from: start, to: end))
  }

  /// All changes up to ``dragDidEnd()`` are one step for undo and for the log.
  public func dragDidBegin() { handle(.dragDidBegin) }
  public func dragDidEnd() { handle(.dragDidEnd) }

  /// The range starts at the playhead.
  public func inPointDidSet() { handle(.inPointDidSet) }
  /// The range ends at the playhead, whose frame is the first one not shown.
  public func outPointDidSet() { handle(.outPointDidSet) }
  public func nudge(_ handle: Handle, by step: NudgeStep) { self.handle(.nudge(handle, by: step)) }
  public func snapDidChange(to snap: Snap) { handle(.snapDidChange(snap)) }
  public func undoDidTap() { handle(.undoDidTap) }
  public func redoDidTap() { handle(.redoDidTap) }

  // MARK: The parts

  /// Without a range it begins at the playhead, or behind the selected part.
  public func partDidAdd(range: MediaTimeRange? = nil) { handle(.partDidAdd(range: range)) }
  /// At the playhead.
  public func partDidSplit() { handle(.partDidSplit) }
  /// - Parameter id: `nil` for the selected part.
  public func partDidDelete(id: Int? = nil) { handle(.partDidDelete(id: id)) }
  /// Moves the selected part in the order of the export.
  public func partDidMove(by places: Int) { handle(.partDidMove(by: places)) }
  public func partDidRename(id: Int, name: String) { handle(.partDidRename(id: id, name: name)) }
  public func partDidSelect(id: Int) { handle(.partDidSelect(id: id)) }
  /// Keeps everything but what lies between In and Out.
  public func rangeDidRemove() { handle(.rangeDidRemove) }
  public func joinDidChange(to joins: Bool) { handle(.joinDidChange(joins)) }
  public func limitDidChange(to limit: LengthLimit) { handle(.limitDidChange(limit)) }

  // MARK: Playback

  /// The player's report of where it is, as often as it likes.
  ///
  /// At or past the end of the range ``playbackTime`` goes to the start and ``onRestartedVideo``
  /// tells of it, once a report; the player has to be taken there.
  public func playbackTimeDidChange(currentTime: MediaTime) {
    handle(.playbackTimeDidChange(currentTime: currentTime))
  }

  /// A loop's report: passes that ended since the last one, then where it is now.
  public func playbackDidAdvance(_ step: LoopStep) {
    if step.passesEnded > 0 { handle(.playbackPassesDidEnd(count: step.passesEnded)) }
    handle(.playbackTimeDidChange(currentTime: step.position))
  }

  public func playheadDidMove(to time: MediaTime) { handle(.playheadDidMove(to: time)) }
  public func playDidTap() { handle(.playDidTap) }
  public func pauseDidTap() { handle(.pauseDidTap) }

  // MARK: Export

  /// Starts an export when the video is ready, the length valid and no other export under way.
  public func exportDidTap() { handle(.exportDidTap) }
  public func exportCancelDidTap() { handle(.exportCancelDidTap) }
  public func alertDidClose() { handle(.alertDidClose) }
}
