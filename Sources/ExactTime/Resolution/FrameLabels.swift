/// The timecode of a file's frames: the file's own timecode where it has one, otherwise counted from
/// 00:00:00:00.
package struct FrameLabels: Hashable, Sendable {
  /// Whether the file has its own timecode.
  package let areOwn: Bool
  private let first: Timecode
  private let clock: TimecodeClock?

  /// - Parameter isDropFrame: how labels are counted where the file has no timecode.
  /// - Returns: `nil` where no frame rate is known for counting.
  package init?(_ context: TimelineContext, isDropFrame: Bool = false) {
    if let clock = context.timecodeClock {
      (areOwn, first, self.clock) = (true, clock.first, clock)
      return
    }
    let start = context.startTimecode
    guard let framesPerSecond = context.frameRate,
      let rate = try? TimecodeRate(
        framesPerSecond: framesPerSecond, isDropFrame: start?.isDropFrame ?? isDropFrame),
      let first = start.map({ try? Timecode($0, rate: rate) }) ?? Timecode(frame: 0, rate: rate)
    else { return nil }
    (areOwn, self.first, clock) = (start != nil, first, nil)
  }

  /// The label at an instant, when the frame of this number is on screen; `nil` where no label can be
  /// computed.
  package func timecode(at time: MediaTime, frame: Int64?) -> Timecode? {
    if let clock { return clock.timecode(at: time) }
    return frame.map(first.advanced(byFrames:))
  }

  /// The labels at the ends of a range: those of the frame on screen at its start and of the first frame that
  /// begins at or after its end.
  package func ends(
    of range: MediaTimeRange, _ frames: FrameStarts?
  ) -> (from: Timecode, to: Timecode)? {
    let from = frames.flatMap { try? $0.frame(onScreenAt: range.start) }
    let to = frames.flatMap { try? $0.frame(atOrAfter: range.end) }
    guard let from = timecode(at: range.start, frame: from),
      let to = timecode(at: range.end, frame: to)
    else { return nil }
    return (from, to)
  }
}
