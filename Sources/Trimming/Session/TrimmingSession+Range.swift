import ExactTime

extension TrimmingSession {
  var isDragged: Bool { dragOrigin.map { $0 != list } ?? false }

  /// The part of a range inside the video; `nil` when none of it is, or when its length needs more
  /// than 64 bits.
  static func clamped(_ range: MediaTimeRange, into bounds: MediaTimeRange) -> MediaTimeRange? {
    guard let inside = range.intersection(bounds), !inside.isEmpty,
      (try? inside.checkedLength()) != nil
    else { return nil }
    return inside
  }

  /// Endpoints in the wrong order are swapped; a range entirely outside the video is refused.
  mutating func timeRangeDidChange(
    from: MediaTime, to: MediaTime, _ effects: inout [SessionEffect]
  ) {
    guard !isFailed, let asked = MediaTimeRange(from: min(from, to), to: max(from, to)) else {
      return
    }
    if setRange(asked, cause: dragOrigin == nil ? .change : .drag, &effects) {
      returnPlayheadToRange(&effects)
    } else if asked != timeRange {
      sayWhyNot(asked)
    }
  }

  /// Reports why the range is not the requested one.
  private mutating func sayWhyNot(_ asked: MediaTimeRange) {
    if asked.isEmpty {
      say(asked.end == timeRange.end ? .inAtOut : .outAtIn)
    } else if Self.clamped(asked, into: bounds) == nil {
      say(.outsideVideo)
    } else if asked.start < timeRange.start {
      say(.inAtStart)
    } else if asked.end > timeRange.end {
      say(.outAtEnd)
    }
  }

  mutating func dragDidBegin(_ effects: inout [SessionEffect]) {
    dragDidEnd(&effects)
    if !isFailed { dragOrigin = list }
  }

  mutating func dragDidEnd(_ effects: inout [SessionEffect]) {
    guard let origin = dragOrigin else { return }
    dragOrigin = nil
    guard origin != list else { return }
    history.record(origin)
    logRange(.drag, &effects)
  }

  /// The range starts at the playhead.
  ///
  /// A playhead at or after Out begins a new selection: Out moves to the end of the video, with a
  /// notice.
  mutating func inPointDidSet(_ effects: inout [SessionEffect]) {
    guard !isFailed else { return }
    let isBehindOut = playbackTime >= timeRange.end
    guard playbackTime < bounds.end else { return say(.inAtOut) }
    let end = isBehindOut ? bounds.end : timeRange.end
    guard let asked = MediaTimeRange(from: playbackTime, to: end) else { return }
    setPoint(asked, cause: .inPoint, &effects)
    if isBehindOut { say(.outMovedToEnd) }
  }

  /// The range ends at the playhead.
  ///
  /// A playhead at or before In is refused: the in point that the user has chosen is kept.
  mutating func outPointDidSet(_ effects: inout [SessionEffect]) {
    guard !isFailed else { return }
    guard timeRange.start < playbackTime else { return say(.outAtIn) }
    guard let asked = MediaTimeRange(from: timeRange.start, to: playbackTime) else { return }
    setPoint(asked, cause: .outPoint, &effects)
  }

  mutating func nudge(
    _ handle: Handle, by step: NudgeStep, _ effects: inout [SessionEffect]
  ) {
    guard !isFailed else { return }
    switch handle {
    case .playhead:
      guard let target = target(of: step, from: playbackTime, end: nil) else {
        return sayWhyNot(handle, step)
      }
      playheadDidMove(to: target, &effects)
    case .inPoint:
      guard let target = target(of: step, from: timeRange.start, end: nil) else {
        return sayWhyNot(handle, step)
      }
      let start = max(target, bounds.start)
      guard start < timeRange.end, let asked = MediaTimeRange(from: start, to: timeRange.end)
      else { return say(.inAtOut) }
      guard start != timeRange.start else { return say(.inAtStart) }
      setPoint(asked, cause: .nudge, &effects)
    case .outPoint:
      guard let target = target(of: step, from: timeRange.end, end: bounds.end) else {
        return sayWhyNot(handle, step)
      }
      let end = min(target, bounds.end)
      guard timeRange.start < end, let asked = MediaTimeRange(from: timeRange.start, to: end)
      else { return say(.outAtIn) }
      guard end != timeRange.end else { return say(.outAtEnd) }
      setPoint(asked, cause: .nudge, &effects)
    }
  }

  /// A typed time is taken literally and does not snap.
  mutating func timeDidType(
    _ handle: Handle, _ time: MediaTime, _ effects: inout [SessionEffect]
  ) {
    guard !isFailed else { return }
    let asked: MediaTimeRange?
    switch handle {
    case .playhead: return playheadDidMove(to: time, &effects)
    case .inPoint:
      guard time < timeRange.end else { return say(.inAtOut) }
      asked = MediaTimeRange(from: max(time, bounds.start), to: timeRange.end)
    case .outPoint:
      guard timeRange.start < time else { return say(.outAtIn) }
      asked = MediaTimeRange(from: timeRange.start, to: min(time, bounds.end))
    }
    guard let asked else { return }
    if setRange(asked, cause: .typed, &effects) { returnPlayheadToRange(&effects) }
  }

  /// Reports why a step leads nowhere.
  private mutating func sayWhyNot(_ handle: Handle, _ step: NudgeStep) {
    let isForward: Bool
    switch step {
    case .frames(let count):
      guard !timings.frames.isEmpty else { return say(.noFrames) }
      isForward = count > 0
    case .keyframes(let count):
      guard !timings.keyframes.isEmpty else { return say(.noKeyframes) }
      return say(count > 0 ? .noKeyframeAfter : .noKeyframeBefore)
    case .seconds(let seconds): isForward = seconds.isPositive
    }
    switch handle {
    case .playhead: say(isForward ? .playheadAtEnd : .playheadAtStart)
    case .inPoint: say(isForward ? .inAtOut : .inAtStart)
    case .outPoint: say(isForward ? .outAtEnd : .outAtIn)
    }
  }

  mutating func snapDidChange(to snap: Snap, _ effects: inout [SessionEffect]) {
    guard snap != self.snap else { return }
    self.snap = snap
    effects.log(.snapChanged, .init("snap", .text(snap.rawValue)))
  }

  mutating func undo(_ effects: inout [SessionEffect]) {
    dragDidEnd(&effects)
    guard !isFailed else { return }
    guard let list = history.undo(from: list) else { return say(.nothingToUndo) }
    restore(list, cause: .undo, &effects)
  }

  mutating func redo(_ effects: inout [SessionEffect]) {
    dragDidEnd(&effects)
    guard !isFailed else { return }
    guard let list = history.redo(from: list) else { return say(.nothingToRedo) }
    restore(list, cause: .redo, &effects)
  }

  /// Restores a list, clamped because the video may have become shorter since.
  private mutating func restore(
    _ list: PartList, cause: RangeCause, _ effects: inout [SessionEffect]
  ) {
    guard let list = list.clamped(into: sources) else { return }
    var withRange = self.list
    withRange.parts[withRange.selectedIndex].range = list.selected.range
    if withRange == list {
      setPoint(list.selected.range, cause: cause, &effects)
    } else {
      replace(with: list, cause: cause.rawValue, &effects)
    }
  }

  /// A paused playhead stays where the user put it; a playing one stays in the range.
  private mutating func setPoint(
    _ range: MediaTimeRange, cause: RangeCause, _ effects: inout [SessionEffect]
  ) {
    if setRange(range, cause: cause, &effects), isPlaying { returnPlayheadToRange(&effects) }
  }

  private func target(of step: NudgeStep, from time: MediaTime, end: MediaTime?) -> MediaTime? {
    switch step {
    case .frames(let count): SnapPlaces(timings.frames, end: end).stepping(count, from: time)
    case .keyframes(let count): SnapPlaces(timings.keyframes, end: end).stepping(count, from: time)
    case .seconds(let seconds): try? time.advanced(by: MediaDuration(seconds: seconds))
    }
  }

  /// Returns whether the range changed.
  @discardableResult
  mutating func setRange(
    _ asked: MediaTimeRange, cause: RangeCause, _ effects: inout [SessionEffect]
  ) -> Bool {
    guard !isFailed, let range = fitted(asked, cause), range != timeRange else { return false }
    let previous = timeRange
    let wasVerdict = verdict
    switch cause {
    case .drag, .undo, .redo, .load: break
    // A step inside a drag belongs to the drag.
    case .change, .inPoint, .outPoint, .nudge, .typed: if dragOrigin == nil { history.record(list) }
    }
    timeRange = range
    isVideoLengthValid = verdict == .valid
    effects.deliver(.timeRangeDidChange(range))
    if verdict != wasVerdict { effects.append(.deliver(.validityDidChange(verdict))) }
    if cause != .drag { logRange(cause, &effects) }
    requestPicture(previous: previous, &effects)
    return true
  }

  private func fitted(_ asked: MediaTimeRange, _ cause: RangeCause) -> MediaTimeRange? {
    guard let inside = Self.clamped(asked, into: bounds) else { return nil }
    switch cause {
    case .undo, .redo, .load, .nudge, .typed: return inside
    case .drag, .change, .inPoint, .outPoint:
      return snapped(inside).flatMap { Self.clamped($0, into: bounds) }
    }
  }

  /// What endpoints and the playhead snap to; `nil` where they do not.
  private var snapTimes: FrameInstants? {
    switch snap {
    case .off: nil
    case .frame: timings.frames
    case .keyframe: timings.keyframes
    }
  }

  /// Where an instant that the user pointed at snaps to; the end of the video is such a place too.
  func snapped(_ time: MediaTime) -> MediaTime {
    guard let snapTimes, !snapTimes.isEmpty else { return time }
    return SnapPlaces(snapTimes, end: bounds.end).nearest(to: time) ?? time
  }

  /// Snaps the endpoints that moved, and keeps them at least one snap position apart.
  private func snapped(_ range: MediaTimeRange) -> MediaTimeRange? {
    guard let times = snapTimes else { return range }
    let starts = SnapPlaces(times)
    let ends = SnapPlaces(times, end: bounds.end)
    var start = range.start
    var end = range.end
    if start != timeRange.start { start = starts.nearest(to: start) ?? start }
    if end != timeRange.end { end = ends.nearest(to: end) ?? end }
    if start >= end {
      if range.start != timeRange.start, let earlier = starts.stepping(-1, from: end) {
        start = earlier
      } else if let later = ends.stepping(1, from: start) {
        end = later
      }
    }
    return MediaTimeRange(from: start, to: end)
  }

  private func logRange(_ cause: RangeCause, _ effects: inout [SessionEffect]) {
    var parameters: [LogEvent.Parameter] = [
      .init("from", .time(timeRange.start)), .init("to", .time(timeRange.end)),
    ]
    if let length { parameters.append(.init("length", .length(length))) }
    parameters.append(.init("is_valid", .flag(isVideoLengthValid)))
    parameters.append(.init("cause", .text(cause.rawValue)))
    effects.append(.log(LogEvent(.rangeChanged, parameters)))
  }
}
