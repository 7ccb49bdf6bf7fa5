import ExactTime

extension TrimmingSession {
  /// At or past the end of the range, returns to its start and reports one restart.
  ///
  /// Otherwise the playhead follows; a position before the range is moved to its start. A report
  /// that arrives late, after a pause, restarts nothing.
  mutating func playbackTimeDidChange(_ time: MediaTime, _ effects: inout [SessionEffect]) {
    guard isPlaying else {
      if !isFailed { playbackTime = min(max(time, bounds.start), bounds.end) }
      return
    }
    if time >= timeRange.end {
      playbackPassesDidEnd(1, &effects)
    } else if !isFailed {
      let isBefore = time < timeRange.start
      playbackTime = isBefore ? timeRange.start : time
      if isBefore { effects.deliver(.seek(to: timeRange.start)) }
    }
  }

  mutating func playbackPassesDidEnd(_ count: Int, _ effects: inout [SessionEffect]) {
    guard count > 0, isPlaying, !isFailed, !timeRange.isEmpty else { return }
    playbackTime = timeRange.start
    let (sum, isTooMany) = passCount.addingReportingOverflow(count)
    passCount = isTooMany ? .max : sum
    effects.deliver(.restartedVideo(Restart(position: timeRange.start, passes: count)))
    effects.log(
      .playbackRestarted, .init("position", .time(timeRange.start)), .init("passes", .count(count)))
  }

  mutating func playheadDidMove(to time: MediaTime, _ effects: inout [SessionEffect]) {
    guard !isFailed else { return }
    var target = min(max(time, bounds.start), bounds.end)
    if isPlaying, !timeRange.contains(target) {
      target = timeRange.start
      say(.playheadStaysInPart)
    }
    guard target != playbackTime else {
      if time < bounds.start { say(.playheadAtStart) }
      if time > bounds.end { say(.playheadAtEnd) }
      return
    }
    playbackTime = target
    effects.deliver(.seek(to: target))
    effects.log(.playheadMoved, .init("position", .time(target)))
  }

  mutating func play(_ effects: inout [SessionEffect]) {
    guard !isPlaying, !isFailed else { return }
    isPlaying = true
    effects.deliver(.playingDidChange(isPlaying: true))
    returnPlayheadToRange(&effects)
    effects.log(.playbackStarted, .init("position", .time(playbackTime)))
  }

  mutating func pause(_ effects: inout [SessionEffect]) {
    guard isPlaying, !isFailed else { return }
    isPlaying = false
    effects.deliver(.playingDidChange(isPlaying: false))
    effects.log(.playbackPaused, .init("position", .time(playbackTime)))
  }

  mutating func returnPlayheadToRange(_ effects: inout [SessionEffect]) {
    guard !timeRange.contains(playbackTime), playbackTime != timeRange.start else { return }
    playbackTime = timeRange.start
    effects.deliver(.seek(to: timeRange.start))
  }
}
