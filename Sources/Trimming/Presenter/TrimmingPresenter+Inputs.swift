public import ExactTime

extension TrimmingPresenter {
  // MARK: The video

  /// Probes the video through the port; ends in ``videoDidLoad(_:)`` or ``videoDidFail(_:)``.
  public func loadVideo() { probe() }

  /// The video has loaded, for screens whose player loads it itself.
  public func videoDidLoad(_ timings: VideoTimings = VideoTimings()) {
    handle(.videoDidLoad(timings))
  }

  /// The player or the probe could not open the video; the screen becomes ``Phase/failed(_:)``.
  public func videoDidFail(_ failure: VideoFailure) { handle(.videoDidFail(failure)) }

  /// Probes a failed video again.
  public func retryDidTap() { handle(.retryDidTap) }

  // MARK: The screen

  /// Shows the tutorial on the first appearance ever, and remembers it.
  public func viewDidAppear() { handle(.viewDidAppear) }
  /// Shows the tutorial because the user asked for it.
  public func tutorialDidTap() { handle(.tutorialDidTap) }
  /// Hides the tutorial; does nothing if it is already hidden.
  public func tutorialDidClose() { handle(.tutorialDidClose) }

  // MARK: The range

  /// Sets the range, clamped to the video; refused if none of it is inside.
  ///
  /// A playhead outside the new range moves to its start.
  public func timeRangeDidChange(range: MediaTimeRange) {
    handle(.timeRangeDidChange(from: range.start, to: range.end))
  }

  /// Sets the range from two endpoints, which are swapped if they are in the wrong order.
  public func timeRangeDidChange(from start: MediaTime, to end: MediaTime) {
    handle(.timeRangeDidChange(from: start, to: end))
  }

  /// A handle was grabbed: all changes up to ``dragDidEnd()`` are one step for undo and for the log.
  public func dragDidBegin() { handle(.dragDidBegin) }
  /// The handle was released: what changed since ``dragDidBegin()`` becomes one step for undo.
  public func dragDidEnd() { handle(.dragDidEnd) }

  /// Sets the in point at the playhead; at or after Out, it moves Out to the video's end.
  public func inPointDidSet() { handle(.inPointDidSet) }
  /// Sets the out point at the playhead, whose frame is the first one not shown; refused if it is not after
  /// In.
  public func outPointDidSet() { handle(.outPointDidSet) }
  /// Moves a handle or the playhead by frames, keyframes or seconds, within the video; if it cannot
  /// move, ``notice`` states why.
  public func nudge(_ handle: Handle, by step: NudgeStep) { self.handle(.nudge(handle, by: step)) }
  /// Sets what the endpoints snap to from now on; the current range does not change.
  public func snapDidChange(to snap: Snap) { handle(.snapDidChange(snap)) }
  /// Undoes the last change of the range or the parts; ``notice`` reports if there is none.
  public func undoDidTap() { handle(.undoDidTap) }
  /// A time was typed for a handle or the playhead, which goes exactly there, whatever ``snap`` is.
  ///
  /// A handle stays within the video and does not pass the other handle; ``notice`` states why it
  /// did not move.
  public func timeDidType(_ handle: Handle, _ time: MediaTime) {
    self.handle(.timeDidType(handle, time))
  }
  /// Redoes the last undone change; ``notice`` reports if there is none.
  public func redoDidTap() { handle(.redoDidTap) }

  // MARK: The parts

  /// Lets parts be of another file, which gets the next index among ``TrimmingSession/sources``.
  public func sourceDidAdd(_ source: TrimmingSource) { handle(.sourceDidAdd(source)) }
  /// Puts a part of a file after all others, and selects it; without a range it is the whole file.
  public func partDidAppend(source: Int, range: MediaTimeRange? = nil) {
    handle(.partDidAppend(source: source, range: range))
  }
  /// Adds a part; without a range it begins at the playhead, or after the selected part.
  public func partDidAdd(range: MediaTimeRange? = nil) { handle(.partDidAdd(range: range)) }
  /// Splits the selected part at the playhead.
  public func partDidSplit() { handle(.partDidSplit) }
  /// Deletes a part, but never the last one.
  ///
  /// - Parameter id: `nil` for the selected part.
  public func partDidDelete(id: Int? = nil) { handle(.partDidDelete(id: id)) }
  /// Moves the selected part in export order; a negative number moves it toward the front.
  public func partDidMove(by places: Int) { handle(.partDidMove(by: places)) }
  /// Sorts the parts in export order; parts that are in that order already are reversed.
  public func partsDidSort(by order: PartOrder) { handle(.partsDidSort(by: order)) }
  /// Renames a part, with up to 100 characters; an empty name removes the name.
  public func partDidRename(id: Int, name: String) { handle(.partDidRename(id: id, name: name)) }
  /// Selects a part: its range becomes ``timeRange``, which is played and which the handles move.
  public func partDidSelect(id: Int) { handle(.partDidSelect(id: id)) }
  /// Keeps everything except what lies between In and Out.
  public func rangeDidRemove() { handle(.rangeDidRemove) }
  /// Sets whether the parts become one file, whose total length is then checked against the limit.
  public func joinDidChange(to joins: Bool) { handle(.joinDidChange(joins)) }
  /// Sets another limit and checks the parts against it immediately.
  public func limitDidChange(to limit: LengthLimit) { handle(.limitDidChange(limit)) }

  // MARK: The markers

  /// Puts a marker where the playhead is; ``notice`` reports if there is one.
  public func markerDidAdd() { handle(.markerDidAdd) }
  /// Renames a marker, with up to 100 characters; an empty name removes the name.
  public func markerDidRename(id: Int, name: String) {
    handle(.markerDidRename(id: id, name: name))
  }
  /// Deletes a marker.
  ///
  /// - Parameter id: `nil` for the one at the playhead.
  public func markerDidDelete(id: Int? = nil) { handle(.markerDidDelete(id: id)) }
  /// The playhead goes to the next marker, or for a negative number to the previous one.
  public func markerDidStep(by count: Int) { handle(.markerDidStep(by: count)) }

  // MARK: What was found

  /// Reports what was found in the video; it takes the place of what was found before.
  public func findingsDidArrive(_ found: [TrimmingFinding]) { handle(.findingsDidArrive(found)) }
  /// Makes a part of each finding, as far as it is in a part.
  ///
  /// - Parameter ids: `nil` for all findings.
  public func findingsDidKeep(ids: [Int]? = nil) { handle(.findingsDidKeep(ids: ids)) }
  /// Removes findings from all parts.
  ///
  /// - Parameters:
  ///   - ids: `nil` for all findings.
  ///   - margin: how much of a finding stays at both of its ends.
  public func findingsDidRemove(
    ids: [Int]? = nil, margin: MediaDuration = FoundRanges.usualMargin
  ) {
    handle(.findingsDidRemove(ids: ids, margin: margin))
  }
  /// Splits parts where scenes begin, and in the middle of other findings.
  ///
  /// - Parameter ids: `nil` for all findings.
  public func findingsDidSplit(ids: [Int]? = nil) { handle(.findingsDidSplit(ids: ids)) }
  /// The playhead goes to the beginning of the next finding, or for a negative number of the previous one.
  ///
  /// - Parameter kind: `nil` for findings of all kinds.
  public func findingDidStep(by count: Int, kind: TrimmingFinding.Kind? = nil) {
    handle(.findingDidStep(by: count, kind: kind))
  }

  // MARK: Playback

  /// Reports the player's position, as often as the player likes.
  ///
  /// At or past the end of the range, ``playbackTime`` returns to the start and
  /// ``onRestartedVideo`` is sent, once per report; the player must then seek there.
  public func playbackTimeDidChange(currentTime: MediaTime) {
    handle(.playbackTimeDidChange(currentTime: currentTime))
  }

  /// Reports a loop's step: passes that ended since the last one, then the current position.
  public func playbackDidAdvance(_ step: LoopStep) {
    if step.passesEnded > 0 { handle(.playbackPassesDidEnd(count: step.passesEnded)) }
    handle(.playbackTimeDidChange(currentTime: step.position))
  }

  /// The user moved the playhead: it stays within the video, and within the range while playing.
  public func playheadDidMove(to time: MediaTime) { handle(.playheadDidMove(to: time)) }
  /// The user pointed at a place of the timeline: the playhead goes there, and snaps as handles do.
  public func playheadDidDrag(to time: MediaTime) { handle(.playheadDidDrag(to: time)) }
  /// Starts playback; a playhead outside the range moves to its start.
  public func playDidTap() { handle(.playDidTap) }
  /// Stops playback; the playhead stays where it is.
  public func pauseDidTap() { handle(.pauseDidTap) }

  // MARK: Export

  /// Parts that were kept from earlier work, or come from a list, take the place of the current ones, as one
  /// step for undo.
  public func partsDidReturn(_ kept: PartList) { handle(.partsDidReturn(kept)) }

  /// Starts an export if the video is ready, the length is valid and no other export is running.
  public func exportDidTap() { handle(.exportDidTap) }
  /// Cancels the running export; its state is ``ExportState/cancelling(id:)`` until the port has
  /// finished.
  public func exportCancelDidTap() { handle(.exportCancelDidTap) }
  /// Dismisses the alert; does nothing if there is none.
  public func alertDidClose() { handle(.alertDidClose) }
}
