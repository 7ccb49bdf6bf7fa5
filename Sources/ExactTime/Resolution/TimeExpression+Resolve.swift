extension TimeExpression {
  /// The instant on the file's own timeline that this expression names.
  ///
  /// Nothing is rounded or clamped, and only displayed times snap to a frame: 100 s into a 60 s file is an
  /// instant after its end. Frames, keyframes and chapters named by number have to exist.
  ///
  /// - Parameters:
  ///   - context: what is known about the file.
  ///   - from: the start of the range that this is the end of, for `+10`.
  /// - Throws: ``TimeResolutionError``: what is unknown or does not exist.
  public func resolve(
    in context: TimelineContext, from: MediaTime? = nil
  ) throws(TimeResolutionError) -> MediaTime {
    switch self {
    case .fromStart(let length):
      return try exactly { () throws(ExactTimeError) in try context.zero.advanced(by: length) }
    case .displayed(let length, let digits):
      let time = try exactly { () throws(ExactTimeError) in
        try context.zero.advanced(by: length)
      }
      return try context.frames?.start(displayedAs: time, digits: digits) ?? time
    case .fromEnd(let length):
      let end = try context.knownRange.end
      return try exactly { () throws(ExactTimeError) in try end.moved(back: length) }
    case .frame(let number): return try context.knownFrames.start(ofFrame: number)
    case .frameFromEnd(let number): return try context.start(ofFrameFromEnd: number)
    case .timecode(let label): return try context.time(of: label)
    case .sourceTimecode(let label):
      _ = try known(context.startTimecode, .sourceTimecode)
      return try context.time(of: label)
    case .percent(let share):
      let start = try context.knownRange.start
      let length = try context.length(ofPercent: share)
      return try exactly { () throws(ExactTimeError) in try start.advanced(by: length) }
    case .keyframe(let number):
      guard let keyframes = context.keyframes else { throw .missing(.keyframes) }
      guard let index = keyframes.index(ofNumber: number) else {
        throw .keyframeOutOfRange(number, count: keyframes.count)
      }
      guard !context.hiddenKeyframes.contains(number) else { throw .keyframeHidden(number) }
      return keyframes[index]
    case .chapter(let number):
      guard let chapters = context.chapters else { throw .missing(.chapters) }
      guard let index = chapters.index(ofNumber: number) else {
        throw .chapterOutOfRange(number, count: chapters.count)
      }
      return chapters[index]
    case .start: return try context.knownRange.start
    case .end: return try context.knownRange.end
    case .inPoint: return try known(context.inPoint, .inPoint)
    case .outPoint: return try known(context.outPoint, .outPoint)
    case .afterFrom(let length):
      return try length.end(from: try known(from, .from), in: context)
    }
  }
}

extension LengthExpression {
  /// The end of a range that starts at `start` and has this length.
  ///
  /// A count of frames ends where the next frame would start after that many frames have started in the
  /// range, so it is exact for variable frame rates.
  ///
  /// - Throws: ``TimeResolutionError``: what is unknown or does not exist.
  public func end(
    from start: MediaTime, in context: TimelineContext
  ) throws(TimeResolutionError) -> MediaTime {
    let length: MediaDuration
    switch self {
    case .frames(let count): return try context.end(ofFrames: count, from: start)
    case .timecode(let label):
      if let clock = context.timecodeClock { return try context.end(of: label, clock, from: start) }
      let count = try context.timecode(label).frameNumber
      return try context.end(ofFrames: count, from: start)
    case .duration(let plain): length = plain
    case .percent(let share): length = try context.length(ofPercent: share)
    }
    return try exactly { () throws(ExactTimeError) in try start.advanced(by: length) }
  }
}

extension TimeRangeExpression {
  /// The range on the file's own timeline that this expression names; open ends are those of the presented
  /// range.
  ///
  /// - Throws: ``TimeResolutionError``: what is unknown or does not exist, or a range whose end is not after
  ///   its start.
  public func resolve(in context: TimelineContext) throws(TimeResolutionError) -> MediaTimeRange {
    let start = try (from ?? .start).resolve(in: context)
    let end = try (to ?? .end).resolve(in: context, from: start)
    guard start < end, let range = MediaTimeRange(from: start, to: end) else {
      throw .notForward(from: start, to: end)
    }
    return range
  }
}

func known<Value>(
  _ value: Value?, _ fact: TimeResolutionError.Fact
) throws(TimeResolutionError) -> Value {
  guard let value else { throw .missing(fact) }
  return value
}

extension [MediaTime] {
  /// The array index of an item counted from 1.
  fileprivate func index(ofNumber number: Int64) -> Int? {
    guard number >= 1, number <= count else { return nil }
    return Int(number) - 1
  }
}

extension TimelineContext {
  var knownRange: MediaTimeRange {
    get throws(TimeResolutionError) { try known(presented, .presentedRange) }
  }

  var knownFrames: FrameStarts {
    get throws(TimeResolutionError) { try known(frames, .frameTimes) }
  }

  fileprivate func start(
    ofFrameFromEnd number: Int64
  ) throws(TimeResolutionError) -> MediaTime {
    let frames = try knownFrames
    let count = try known(frames.count, .frameTimes)
    guard number >= 0, number <= count else { throw .frameOutOfRange(number, count: count) }
    return try frames.start(ofFrame: count - number)
  }

  func end(
    ofFrames count: Int64, from start: MediaTime
  ) throws(TimeResolutionError) -> MediaTime {
    let frames = try knownFrames
    let (last, overflow) = try frames.frame(atOrAfter: start).addingReportingOverflow(count)
    guard !overflow else { throw .arithmetic(.overflow) }
    return try frames.start(ofFrame: last)
  }

  fileprivate func length(
    ofPercent share: Rational
  ) throws(TimeResolutionError) -> MediaDuration {
    let range = try knownRange
    return try exactly { () throws(ExactTimeError) in
      try range.checkedLength().scaled(by: try share.divided(by: Rational(100)))
    }
  }
}
