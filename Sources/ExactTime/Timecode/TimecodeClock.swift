/// A timecode that runs along a timeline, at a rate of its own: whatever the frames of the pictures beside
/// it do, a label is a time (QuickTime File Format, "Timecode Media").
public struct TimecodeClock: Hashable, Sendable {
  /// The label at ``start``.
  public let first: Timecode
  /// When that label begins.
  public let start: MediaTime

  /// Creates the clock that begins to count with a label at an instant.
  public init(first: Timecode, start: MediaTime) {
    self.first = first
    self.start = start
  }

  /// The same on a timeline that begins later by so much.
  ///
  /// - Throws: ``ExactTimeError`` for an instant outside 64 bits.
  public func moved(back length: MediaDuration) throws(ExactTimeError) -> TimecodeClock {
    TimecodeClock(first: first, start: try start.moved(back: length))
  }

  /// When a label begins, counted on from the first, over midnight where need be.
  ///
  /// - Throws: ``ExactTimeError`` for an instant outside 64 bits.
  public func instant(of timecode: Timecode) throws(ExactTimeError) -> MediaTime {
    try start.advanced(by: length(ofFrames: timecode.frames(since: first)))
  }

  /// How long that many frames of the timecode last.
  ///
  /// - Throws: ``ExactTimeError`` for a length outside 64 bits.
  public func length(ofFrames count: Int64) throws(ExactTimeError) -> MediaDuration {
    MediaDuration(seconds: try Rational(count).divided(by: first.rate.framesPerSecond))
  }

  /// How many labels begin from the first on up to an instant; negative before it.
  ///
  /// One that begins less than a millisecond behind it is counted: ticks of the pictures are often
  /// coarser than their rate.
  ///
  /// - Throws: ``ExactTimeError`` for a number outside 64 bits.
  public func frames(upTo instant: MediaTime) throws(ExactTimeError) -> Int64 {
    try instant.advanced(by: MediaDuration(1, 1000)).distance(from: start).seconds
      .multiplied(by: first.rate.framesPerSecond).rounded(.down)
  }

  /// The label at an instant; `nil` for one that cannot be counted.
  public func timecode(at instant: MediaTime) -> Timecode? {
    (try? frames(upTo: instant)).map(first.advanced(byFrames:))
  }
}
