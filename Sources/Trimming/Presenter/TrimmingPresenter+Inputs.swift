public import ExactTime

extension TrimmingPresenter {
  // MARK: The video

  /// Probes the video through the port; ends in ``videoDidLoad(_:)`` or ``videoDidFail(_:)``.
  public func loadVideo() { probe() }

  /// The video is there, for screens whose player loads it itself.
  public func videoDidLoad(_ timings: VideoTimings = VideoTimings()) {
    handle(.videoDidLoad(timings))
  }

  /// The player or the probe could not open the video; the screen becomes ``Phase/failed(_:)``.
  public func videoDidFail(_ failure: VideoFailure) { handle(.videoDidFail(failure)) }

  /// Probes a video that failed once more.
  public func retryDidTap() { handle(.retryDidTap) }

  // MARK: The screen

  /// Shows the tutorial on the first appearance ever, and remembers it.
  public func viewDidAppear() { handle(.viewDidAppear) }
  /// Shows the tutorial because the user asked for it.
  public func tutorialDidTap() { handle(.tutorialDidTap) }
  /// Hides the tutorial; nothing happens where it is hidden.
  public func tutorialDidClose() { handle(.tutorialDidClose) }

  // MARK: The range

  /// Sets the range, clamped into the video; refused where nothing of it is inside.
  ///
  /// A playhead that is outside the new range goes to its start.
  public func timeRangeDidChange(range: MediaTimeRange) {
    handle(.timeRangeDidChange(from: range.start, to: range.end))
  }

  /// Sets the range from two ends, which are exchanged where they are in the wrong order.
  public func timeRangeDidChange(from start: MediaTime, to end: MediaTime) {
    handle(.timeRangeDidChange(from: start, to: end))
  }

  /// A handle was grabbed: all changes up to ``dragDidEnd()`` are one step for undo and for the log.
  public func dragDidBegin() { handle(.dragDidBegin) }
  /// The handle was released: what changed since ``dragDidBegin()`` becomes one step for undo.
  public func dragDidEnd() { handle(.dragDidEnd) }

  /// Sets the in point at the playhead; one that is not before Out moves Out to the video's end.
  public func inPointDidSet() { handle(.inPointDidSet) }
  /// Sets the out point at the playhead, whose frame is the first one not shown; refused where it is
  /// not after In.
  public func outPointDidSet() { handle(.outPointDidSet) }
  /// Moves a handle or the playhead by frames, keyframes or seconds, as far as the video goes;
  /// where it cannot move, ``notice`` says why.
  public func nudge(_ handle: Handle, by step: NudgeStep) { self.handle(.nudge(handle, by: step)) }
  /// Sets what the ends are pulled to from now on; the range itself stays.
  public func snapDidChange(to snap: Snap) { handle(.snapDidChange(snap)) }
  /// Takes back the last change of the range or of the parts; ``notice`` says so where there is
  /// none.
  public func undoDidTap() { handle(.undoDidTap) }
  /// A time was typed for a handle or the playhead, which goes exactly there, whatever ``snap`` is.
  ///
  /// A handle goes no further than the other one and the video; ``notice`` says why it stays.
  public func timeDidType(_ handle: Handle, _ time: MediaTime) {
    self.handle(.timeDidType(handle, time))
  }
  /// Repeats what was taken back last; ``notice`` says so where there is nothing.
  public func redoDidTap() { handle(.redoDidTap) }

  // MARK: The parts

  /// Adds a part; without a range it begins at the playhead, or after the selected part.
  public func partDidAdd(range: MediaTimeRange? = nil) { handle(.partDidAdd(range: range)) }
  /// Splits the selected part at the playhead.
  public func partDidSplit() { handle(.partDidSplit) }
  /// Deletes a part, but never the last one.
  ///
  /// - Parameter id: `nil` for the selected part.
  public func partDidDelete(id: Int? = nil) { handle(.partDidDelete(id: id)) }
  /// Moves the selected part in the order of the export, by a negative number to the front.
  public func partDidMove(by places: Int) { handle(.partDidMove(by: places)) }
  /// Names a part, in up to 100 characters; an empty name takes the name away.
  public func partDidRename(id: Int, name: String) { handle(.partDidRename(id: id, name: name)) }
  /// Selects a part: its range becomes ``timeRange``, which plays and which handles move.
  public func partDidSelect(id: Int) { handle(.partDidSelect(id: id)) }
  /// Keeps everything except what lies between In and Out.
  public func rangeDidRemove() { handle(.rangeDidRemove) }
  /// Sets whether the parts become one file, which the limit then judges by the sum.
  public func joinDidChange(to joins: Bool) { handle(.joinDidChange(joins)) }
  /// Sets another limit, by which the parts are judged at once.
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

  /// The user moved the playhead: it goes no further than the video, and while playing stays in the
  /// range.
  public func playheadDidMove(to time: MediaTime) { handle(.playheadDidMove(to: time)) }
  /// Starts playback; a playhead outside the range goes to its start.
  public func playDidTap() { handle(.playDidTap) }
  /// Stops playback; the playhead stays where it is.
  public func pauseDidTap() { handle(.pauseDidTap) }

  // MARK: Export

  /// Starts an export when the video is ready, the length valid and no other export under way.
  public func exportDidTap() { handle(.exportDidTap) }
  /// Cancels the running export; its state is ``ExportState/cancelling(id:)`` until the port has
  /// ended.
  public func exportCancelDidTap() { handle(.exportCancelDidTap) }
  /// Takes away the alert; nothing happens where there is none.
  public func alertDidClose() { handle(.alertDidClose) }
}
