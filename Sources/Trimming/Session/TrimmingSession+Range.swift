import ExactTime

extension TrimmingSession {
  var isDragged: Bool { dragOrigin.map { $0 != timeRange } ?? false }

  /// The part of a range inside the video; `nil` when nothing of it is, or when its length needs
  /// more than 64 bits.
  static func clamped(_ range: MediaTimeRange, into bounds: MediaTimeRange) -> MediaTimeRange? {
    guard let inside = range.intersection(bounds), !inside.isEmpty,
      (try? inside.checkedLength()) != nil
    else { return nil }
    return inside
  }

  /// Ends given in the wrong order are exchanged; a range without anything in the video is refused.
  mutating func timeRangeDidChange(
    from: MediaTime, to: MediaTime, _ effects: inout [SessionEffect]
  ) {
    guard let asked = MediaTimeRange(from: min(from, to), to: max(from, to)) else { return }
    guard setRange(asked, cause: dragOrigin == nil ? .change : .drag, &effects) else { return }
    returnPlayheadToRange(&effects)
  }

  mutating func dragDidBegin(_ effects: inout [SessionEffect]) {
    dragDidEnd(&effects)
    if !isFailed { dragOrigin = timeRange }
  }

  mutating func dragDidEnd(_ effects: inout [SessionEffect]) {
    guard let origin = dragOrigin else { return }
    dragOrigin = nil
    guard origin != timeRange else { return }
    history.record(origin)
    logRange(.drag, &effects)
  }

  /// The range starts at the playhead; an out-point that is not after it goes to the video's end.
  mutating func inPointDidSet(_ effects: inout [SessionEffect]) {
    let end = playbackTime < timeRange.end ? timeRange.end : bounds.end
    guard let asked = MediaTimeRange(from: playbackTime, to: end) else { return }
    setPoint(asked, cause: .inPoint, &effects)
  }

  /// The range ends at the playhead; an in-point that is not before it goes to the video's start.
  mutating func outPointDidSet(_ effects: inout [SessionEffect]) {
    let start = timeRange.start < playbackTime ? timeRange.start : bounds.start
    guard let asked = MediaTimeRange(from: start, to: playbackTime) else { return }
    setPoint(asked, cause: .outPoint, &effects)
  }

  mutating func nudge(
    _ handle: Handle, by step: NudgeStep, _ effects: inout [SessionEffect]
  ) {
    switch handle {
    case .playhead:
      if let target = target(of: step, from: playbackTime, end: nil) {
        playheadDidMove(to: target, &effects)
      }
    case .inPoint:
      guard let target = target(of: step, from: timeRange.start, end: nil),
        let asked = MediaTimeRange(from: max(target, bounds.start), to: timeRange.end)
      else { return }
      setPoint(asked, cause: .nudge, &effects)
    case .outPoint:
      guard let target = target(of: step, from: timeRange.end, end: bounds.end),
        let asked = MediaTimeRange(from: timeRange.start, to: min(target, bounds.end))
      else { return }
      setPoint(asked, cause: .nudge, &effects)
    }
  }

  mutating func snapDidChange(to snap: Snap, _ effects: inout [SessionEffect]) {
    guard snap != self.snap else { return }
    self.snap = snap
    effects.log(.snapChanged, .init("snap", .text(snap.rawValue)))
  }

  mutating func undo(_ effects: inout [SessionEffect]) {
    dragDidEnd(&effects)
    guard !isFailed, let range = history.undo(from: timeRange) else { return }
    setPoint(range, cause: .undo, &effects)
  }

  mutating func redo(_ effects: inout [SessionEffect]) {
    dragDidEnd(&effects)
    guard !isFailed, let range = history.redo(from: timeRange) else { return }
    setPoint(range, cause: .redo, &effects)
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

  /// Returns whether the range is another one now.
  @discardableResult
  mutating func setRange(
    _ asked: MediaTimeRange, cause: RangeCause, _ effects: inout [SessionEffect]
  ) -> Bool {
    guard !isFailed, let range = fitted(asked, cause), range != timeRange else { return false }
    let previous = timeRange
    let wasVerdict = verdict
    timeRange = range
    isVideoLengthValid = Self.isValid(range, limit)
    switch cause {
    case .drag, .undo, .redo, .load: break
    case .change, .inPoint, .outPoint, .nudge: record(previous)
    }
    effects.deliver(.timeRangeDidChange(range))
    if verdict != wasVerdict { effects.append(.deliver(.validityDidChange(verdict))) }
    if cause != .drag { logRange(cause, &effects) }
    requestPicture(previous: previous, &effects)
    return true
  }

  /// A step inside a drag belongs to the drag.
  private mutating func record(_ previous: MediaTimeRange) {
    if dragOrigin == nil { history.record(previous) }
  }

  private func fitted(_ asked: MediaTimeRange, _ cause: RangeCause) -> MediaTimeRange? {
    guard let inside = Self.clamped(asked, into: bounds) else { return nil }
    switch cause {
    case .undo, .redo, .load, .nudge: return inside
    case .drag, .change, .inPoint, .outPoint:
      return snapped(inside).flatMap { Self.clamped($0, into: bounds) }
    }
  }

  /// Pulls the ends that moved to their places, and keeps at least one place between them.
  private func snapped(_ range: MediaTimeRange) -> MediaTimeRange? {
    let times: FrameInstants
    switch snap {
    case .off: return range
    case .frame: times = timings.frames
    case .keyframe: times = timings.keyframes
    }
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
