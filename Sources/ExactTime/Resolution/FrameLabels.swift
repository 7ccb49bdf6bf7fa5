/// The timecode that a file's frames bear: its own where it has one, else counted from 00:00:00:00.
package struct FrameLabels: Hashable, Sendable {
  /// Whether the file states them.
  package let areOwn: Bool
  private let first: Timecode
  private let clock: TimecodeClock?

  /// - Returns: `nil` where no rate is known in which frames could be counted.
  package init?(_ context: TimelineContext) {
    if let clock = context.timecodeClock {
      (areOwn, first, self.clock) = (true, clock.first, clock)
      return
    }
    let start = context.startTimecode
    guard let framesPerSecond = context.frameRate,
      let rate = try? TimecodeRate(
        framesPerSecond: framesPerSecond, isDropFrame: start?.isDropFrame ?? false),
      let first = start.map({ try? Timecode($0, rate: rate) }) ?? Timecode(frame: 0, rate: rate)
    else { return nil }
    (areOwn, self.first, clock) = (start != nil, first, nil)
  }

  /// The label at an instant, when the frame of this number is on screen; `nil` where neither can be
  /// counted.
  package func timecode(at time: MediaTime, frame: Int64?) -> Timecode? {
    if let clock { return clock.timecode(at: time) }
    return frame.map(first.advanced(byFrames:))
  }
}

extension TimelineContext {
  /// The label of the frame on screen at an instant, counted from ``frames``.
  package func timecode(atStart time: MediaTime) -> Timecode? {
    timecode(at: time) { (frames, next) throws(TimeResolutionError) in
      guard next < frames.count ?? .max else { return next - 1 }
      return try frames.start(ofFrame: next) == time ? next : next - 1
    }
  }

  /// The label behind the last frame that begins before an instant, counted from ``frames``.
  package func timecode(atEnd time: MediaTime) -> Timecode? {
    timecode(at: time) { (_, next) in next }
  }

  private func timecode(
    at time: MediaTime,
    frame: (FrameStarts, Int64) throws(TimeResolutionError) -> Int64
  ) -> Timecode? {
    var number: Int64?
    if let frames, let next = try? frames.frame(atOrAfter: time) {
      number = try? frame(frames, next)
    }
    return FrameLabels(self)?.timecode(at: time, frame: number)
  }
}
