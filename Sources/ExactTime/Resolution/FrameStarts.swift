/// When the frames of a video start, in presentation order.
public struct FrameStarts: Sendable {
  /// How many frames there are; `nil` when unknown.
  public let count: Int64?
  private let source: Source

  private enum Source: Sendable {
    case constant(first: MediaTime, rate: Rational)
    case lookup(count: Int64, end: MediaTime, start: @Sendable (Int64) -> MediaTime)
  }

  /// Frames of equal length.
  ///
  /// - Throws: ``ExactTimeError/notPositive`` for a rate that is not positive, or a negative count.
  public init(
    first: MediaTime, framesPerSecond rate: Rational, count: Int64?
  ) throws(ExactTimeError) {
    guard rate.isPositive, count ?? 0 >= 0 else { throw .notPositive }
    self.count = count
    source = .constant(first: first, rate: rate)
  }

  /// Frames whose starts are listed in ascending order; `end` is where the last one ends.
  public init(starts: [MediaTime], end: MediaTime) {
    self.init(count: Int64(starts.count), end: end) { starts[Int($0)] }
  }

  /// Frames whose starts, in ascending order, are looked up: `start` is called with 0 to count − 1.
  public init(
    count: Int64, end: MediaTime, start: @escaping @Sendable (Int64) -> MediaTime
  ) {
    self.count = max(0, count)
    source = .lookup(count: max(0, count), end: end, start: start)
  }

  /// The start of a frame; at ``count``, the end of the last one.
  ///
  /// - Throws: ``TimeResolutionError`` for a frame that does not exist.
  public func start(ofFrame number: Int64) throws(TimeResolutionError) -> MediaTime {
    guard number >= 0, number <= count ?? .max else {
      throw .frameOutOfRange(number, count: count)
    }
    switch source {
    case .constant(let first, let rate):
      return try exactly { () throws(ExactTimeError) in
        try first.advanced(by: MediaDuration(seconds: try Rational(number).divided(by: rate)))
      }
    case .lookup(let count, let end, let start):
      return number == count ? end : start(number)
    }
  }

  /// The start of a frame, or the end of the last one, that is displayed as `time`: the nearest within one
  /// unit of the last digit and within a millisecond; `nil` if there is none.
  ///
  /// - Throws: ``TimeResolutionError/arithmetic(_:)`` where exact sums need more than 64 bits.
  public func start(
    displayedAs time: MediaTime, digits: Int
  ) throws(TimeResolutionError) -> MediaTime? {
    var unit = MediaDuration(1, 1000)
    for _ in 3..<max(3, min(digits, 18)) { unit = unit.tenth }
    let behind = try frame(atOrAfter: time)
    var best: (start: MediaTime, distance: MediaDuration)?
    for number in [behind - 1, behind] where number >= 0 && number <= count ?? .max {
      let start = try start(ofFrame: number)
      let distance = try exactly { () throws(ExactTimeError) in
        try start.distance(from: time).checkedMagnitude()
      }
      if distance <= unit, best.map({ distance < $0.distance }) ?? true {
        best = (start, distance)
      }
    }
    return best?.start
  }

  /// The first frame that does not start before `time`; ``count`` when none follows.
  ///
  /// - Throws: ``TimeResolutionError/arithmetic(_:)`` where exact sums need more than 64 bits.
  public func frame(atOrAfter time: MediaTime) throws(TimeResolutionError) -> Int64 {
    switch source {
    case .constant(let first, let rate):
      let number = try exactly { () throws(ExactTimeError) in
        try time.distance(from: first).seconds.multiplied(by: rate).rounded(.up)
      }
      return min(max(number, 0), count ?? .max)
    case .lookup(let count, _, let start):
      return (0..<count).partitionPoint { start($0) >= time }
    }
  }
}

extension FrameStarts {
  /// The last frame that starts at or before `time`; −1 when none does.
  ///
  /// - Throws: ``TimeResolutionError/arithmetic(_:)`` where exact sums need more than 64 bits.
  package func frame(onScreenAt time: MediaTime) throws(TimeResolutionError) -> Int64 {
    let next = try frame(atOrAfter: time)
    guard next < count ?? .max else { return next - 1 }
    return try start(ofFrame: next) == time ? next : next - 1
  }
}

extension MediaDuration {
  fileprivate var tenth: MediaDuration {
    (try? seconds.multiplied(by: Rational(1, 10))).map { MediaDuration(seconds: $0) } ?? self
  }
}
