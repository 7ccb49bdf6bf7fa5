extension TimelineContext {
  /// The start of the frame with a label.
  ///
  /// After the end, labels continue at their rate, as seconds do, and name instants after the end.
  func time(of label: TimecodeLabel) throws(TimeResolutionError) -> MediaTime {
    if let timecodeClock { return try time(of: label, timecodeClock) }
    let frames = try knownFrames
    let number = try frame(at: label)
    guard let count = frames.count, number > count else { return try frames.start(ofFrame: number) }
    let (end, rate) = (try frames.start(ofFrame: count), try known(frameRate, .frameRate))
    return try exactly { () throws(ExactTimeError) in
      try end.advanced(
        by: MediaDuration(seconds: try Rational(number - count).divided(by: rate)))
    }
  }

  /// The end of a range whose length is a label counted from 00:00:00:00, at the timecode's rate.
  func end(
    of label: TimecodeLabel, _ clock: TimecodeClock, from start: MediaTime
  ) throws(TimeResolutionError) -> MediaTime {
    let count = try timecode(label, rate: clock.first.rate).frameNumber
    return try onFrame(
      try exactly { () throws(ExactTimeError) in
        try start.advanced(by: try clock.length(ofFrames: count))
      })
  }

  private func time(
    of label: TimecodeLabel, _ clock: TimecodeClock
  ) throws(TimeResolutionError) -> MediaTime {
    let named = try timecode(label, rate: clock.first.rate)
    guard let stretch = try exactly({ () throws(ExactTimeError) in try clock.stretch(of: named) })
    else { throw .timecodeLeftOut(label) }
    let time = try exactly { () throws(ExactTimeError) in try stretch.instant(of: named) }
    try check(
      label, number: named.frames(since: stretch.first), in: clock.first.rate,
      start: clock.first.label,
      isInside: presented.map { time <= $0.end } ?? false)
    return try onFrame(time)
  }

  /// Snaps to a frame that begins within a millisecond: its time base is often too coarse for its rate.
  private func onFrame(_ time: MediaTime) throws(TimeResolutionError) -> MediaTime {
    try frames?.start(displayedAs: time, digits: 3) ?? time
  }

  /// Throws for labels before the start: counting wraps at midnight, so one more than half a day after the
  /// first label is taken to precede it.
  private func check(
    _ label: TimecodeLabel, number: Int64, in rate: TimecodeRate, start: TimecodeLabel,
    isInside: Bool
  ) throws(TimeResolutionError) {
    guard isInside || number < rate.framesPerDay / 2 else {
      throw .timecodeOutside(label, start: start)
    }
  }

  func timecode(_ label: TimecodeLabel) throws(TimeResolutionError) -> Timecode {
    let framesPerSecond = try known(frameRate, .frameRate)
    let rate: TimecodeRate
    do {
      rate = try TimecodeRate(framesPerSecond: framesPerSecond, isDropFrame: label.isDropFrame)
    } catch {
      throw .timecode(error)
    }
    return try timecode(label, rate: rate)
  }

  private func timecode(
    _ label: TimecodeLabel, rate: TimecodeRate
  ) throws(TimeResolutionError) -> Timecode {
    do {
      return try Timecode(label, rate: rate)
    } catch {
      throw .timecode(error)
    }
  }

  /// The number of the frame with a label; the first frame has the start timecode.
  private func frame(at label: TimecodeLabel) throws(TimeResolutionError) -> Int64 {
    let named = try timecode(label)
    guard let startTimecode else { return named.frameNumber }
    guard startTimecode.isDropFrame == label.isDropFrame else {
      throw .timecode(.mixedCounting(label, isFileDropFrame: startTimecode.isDropFrame))
    }
    let number = named.frames(since: try timecode(startTimecode))
    try check(
      label, number: number, in: named.rate, start: startTimecode,
      isInside: frames?.count.map { number <= $0 } ?? false)
    return number
  }
}
