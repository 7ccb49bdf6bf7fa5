/// A timecode that runs along a timeline at its own rate: each label stands for a time, whatever the video
/// frames do (QuickTime File Format, "Timecode Media").
public struct TimecodeClock: Hashable, Sendable {
  /// The label at ``start``.
  public let first: Timecode
  /// When that label begins.
  public let start: MediaTime
  /// Where it is reset after that, in order; empty where it runs to the end without reset.
  public let later: [Stretch]

  /// A stretch of consecutive labels.
  public struct Stretch: Hashable, Sendable {
    /// The label at ``start``.
    public let first: Timecode
    /// When that label begins, which is where the previous stretch ends.
    public let start: MediaTime

    /// Creates the stretch that begins to count with a label at an instant.
    public init(first: Timecode, start: MediaTime) {
      self.first = first
      self.start = start
    }
  }

  /// Creates the clock that starts with a label at an instant, and is reset at later instants, if any.
  public init(first: Timecode, start: MediaTime, later: [Stretch] = []) {
    self.first = first
    self.start = start
    self.later = later
  }

  /// How late a label may begin and still match: the video's time base is often too coarse for its frame
  /// rate.
  package static let tolerance = MediaDuration(1, 1000)

  private var stretches: [Stretch] { [Stretch(first: first, start: start)] + later }

  private func stretch(at instant: MediaTime) -> Stretch {
    later.last { $0.start <= instant } ?? Stretch(first: first, start: start)
  }

  /// The same clock on a timeline whose zero is later by a length.
  ///
  /// - Throws: ``ExactTimeError`` for an instant that needs more than 64 bits.
  public func moved(back length: MediaDuration) throws(ExactTimeError) -> TimecodeClock {
    TimecodeClock(
      first: first, start: try start.moved(back: length),
      later: try later.map { stretch throws(ExactTimeError) in
        Stretch(first: stretch.first, start: try stretch.start.moved(back: length))
      })
  }

  /// The first stretch that contains a label; `nil` where the clock is reset before it reaches the label.
  ///
  /// The last stretch continues for as long as there are labels.
  ///
  /// - Throws: ``ExactTimeError`` for an instant that needs more than 64 bits.
  public func stretch(of timecode: Timecode) throws(ExactTimeError) -> Stretch? {
    let stretches = stretches
    for (place, stretch) in stretches.enumerated().dropLast()
    where try stretch.instant(of: timecode) < stretches[place + 1].start {
      return stretch
    }
    let nearest = stretches.indices.min {
      timecode.frames(since: stretches[$0].first) < timecode.frames(since: stretches[$1].first)
    }
    return nearest == stretches.count - 1 ? stretches.last : nil
  }

  /// When a label begins, counted from the first label of the stretch that contains it, across midnight if
  /// necessary; from the first stretch where none does.
  ///
  /// - Throws: ``ExactTimeError`` for an instant that needs more than 64 bits.
  public func instant(of timecode: Timecode) throws(ExactTimeError) -> MediaTime {
    try (stretch(of: timecode) ?? stretches[0]).instant(of: timecode)
  }

  /// The duration of a number of timecode frames.
  ///
  /// - Throws: ``ExactTimeError`` for a length that needs more than 64 bits.
  public func length(ofFrames count: Int64) throws(ExactTimeError) -> MediaDuration {
    MediaDuration(seconds: try Rational(count).divided(by: first.rate.framesPerSecond))
  }

  /// The label at an instant; `nil` for one that cannot be counted.
  ///
  /// A label that begins less than a millisecond later matches: the video's time base is often too coarse for
  /// its frame rate.
  public func timecode(at instant: MediaTime) -> Timecode? {
    guard let reached = try? instant.advanced(by: Self.tolerance) else { return nil }
    let stretch = stretch(at: reached)
    let count = try? reached.distance(from: stretch.start).seconds
      .multiplied(by: first.rate.framesPerSecond).rounded(.down)
    return count.map(stretch.first.advanced(byFrames:))
  }

  /// The same clock from an instant on, starting with the first label that begins there or later; unchanged
  /// if the clock itself starts there or later.
  ///
  /// - Throws: ``ExactTimeError`` for an instant that needs more than 64 bits.
  public func clipped(from instant: MediaTime) throws(ExactTimeError) -> TimecodeClock {
    guard instant > start, let label = timecode(at: instant) else { return self }
    let reached = try instant.advanced(by: Self.tolerance)
    let stretch = stretch(at: reached)
    let length = try length(ofFrames: label.frames(since: stretch.first))
    return TimecodeClock(
      first: label, start: try stretch.start.advanced(by: length),
      later: later.filter { $0.start > reached })
  }
}

extension TimecodeClock.Stretch {
  /// When a label begins, counted from the first of this stretch.
  func instant(of timecode: Timecode) throws(ExactTimeError) -> MediaTime {
    let count = Rational(timecode.frames(since: first))
    return try start.advanced(
      by: MediaDuration(seconds: count.divided(by: first.rate.framesPerSecond)))
  }
}
