/// A timecode that runs along a timeline, at a rate of its own: whatever the frames of the pictures beside
/// it do, a label is a time (QuickTime File Format, "Timecode Media").
public struct TimecodeClock: Hashable, Sendable {
  /// The label at ``start``.
  public let first: Timecode
  /// When that label begins.
  public let start: MediaTime
  /// Where it is reset after that, in order; empty where it runs on to the end.
  public let later: [Stretch]

  /// A stretch in which labels follow one another.
  public struct Stretch: Hashable, Sendable {
    /// The label at ``start``.
    public let first: Timecode
    /// When that label begins, and the labels of the stretch before end.
    public let start: MediaTime

    /// Creates the stretch that begins to count with a label at an instant.
    public init(first: Timecode, start: MediaTime) {
      self.first = first
      self.start = start
    }
  }

  /// Creates the clock that starts with a label at an instant, and is reset at later ones, if at any.
  public init(first: Timecode, start: MediaTime, later: [Stretch] = []) {
    self.first = first
    self.start = start
    self.later = later
  }

  /// By how much a label may begin late and still be meant: ticks of the pictures are often coarser than
  /// their rate.
  package static let tolerance = MediaDuration(1, 1000)

  private var stretches: [Stretch] { [Stretch(first: first, start: start)] + later }

  private func stretch(at instant: MediaTime) -> Stretch {
    later.last { $0.start <= instant } ?? Stretch(first: first, start: start)
  }

  /// The same on a timeline that begins later by so much.
  ///
  /// - Throws: ``ExactTimeError`` for an instant outside 64 bits.
  public func moved(back length: MediaDuration) throws(ExactTimeError) -> TimecodeClock {
    TimecodeClock(
      first: first, start: try start.moved(back: length),
      later: try later.map { stretch throws(ExactTimeError) in
        Stretch(first: stretch.first, start: try stretch.start.moved(back: length))
      })
  }

  /// The first stretch that bears a label; `nil` where the clock is reset before it reaches the label.
  ///
  /// The last one goes on for as long as there are labels.
  ///
  /// - Throws: ``ExactTimeError`` for an instant outside 64 bits.
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

  /// When a label begins, counted on from the first label of the stretch that bears it, over midnight where
  /// need be; from the very first where none does.
  ///
  /// - Throws: ``ExactTimeError`` for an instant outside 64 bits.
  public func instant(of timecode: Timecode) throws(ExactTimeError) -> MediaTime {
    try (stretch(of: timecode) ?? stretches[0]).instant(of: timecode)
  }

  /// How long that many frames of the timecode last.
  ///
  /// - Throws: ``ExactTimeError`` for a length outside 64 bits.
  public func length(ofFrames count: Int64) throws(ExactTimeError) -> MediaDuration {
    MediaDuration(seconds: try Rational(count).divided(by: first.rate.framesPerSecond))
  }

  /// The label at an instant; `nil` for one that cannot be counted.
  ///
  /// One that begins less than a millisecond behind it is meant: ticks of the pictures are often coarser
  /// than their rate.
  public func timecode(at instant: MediaTime) -> Timecode? {
    guard let reached = try? instant.advanced(by: Self.tolerance) else { return nil }
    let stretch = stretch(at: reached)
    let count = try? reached.distance(from: stretch.start).seconds
      .multiplied(by: first.rate.framesPerSecond).rounded(.down)
    return count.map(stretch.first.advanced(byFrames:))
  }

  /// The same from an instant on, with the first label that begins there or later; itself where it begins
  /// there or later.
  ///
  /// - Throws: ``ExactTimeError`` for an instant outside 64 bits.
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
  /// When a label begins, counted on from the first.
  func instant(of timecode: Timecode) throws(ExactTimeError) -> MediaTime {
    let count = Rational(timecode.frames(since: first))
    return try start.advanced(
      by: MediaDuration(seconds: count.divided(by: first.rate.framesPerSecond)))
  }
}
