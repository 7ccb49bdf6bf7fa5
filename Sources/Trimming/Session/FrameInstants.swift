public import ExactTime

/// When each frame, or each keyframe, of a video is shown: ascending instants on its timeline.
///
/// Either listed individually, which also covers variable frame rates, or evenly spaced, which
/// needs no storage. Empty when nothing is known.
public struct FrameInstants: Hashable, Sendable {
  private enum Storage: Hashable, Sendable {
    case listed([MediaTime])
    case constant(first: MediaTime, length: MediaDuration)
  }

  private let storage: Storage
  /// The number of instants; 0 when nothing is known.
  public let count: Int

  /// No known frames: nothing snaps, and a nudge by frames does nothing.
  public static let unknown = FrameInstants([])

  /// Creates instants from times in any order; they are sorted, and duplicates are removed.
  public init(_ times: [MediaTime]) {
    var ascending = times
    if !zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) {
      ascending = []
      for time in times.sorted() where ascending.last != time { ascending.append(time) }
    }
    storage = .listed(ascending)
    count = ascending.count
  }

  /// Creates evenly spaced frames; `nil` when the length is not positive, the count is negative, or
  /// the last frame does not fit in 64 bits.
  public init?(first: MediaTime, frameLength: MediaDuration, count: Int) {
    guard frameLength.isPositive, count >= 0,
      (try? Self.time(at: count, first, frameLength)) != nil
    else { return nil }
    storage = .constant(first: first, length: frameLength)
    self.count = count
  }

  /// True when no instant is known.
  public var isEmpty: Bool { count == 0 }

  /// The first instant and the spacing, where all instants are evenly spaced.
  var constant: (first: MediaTime, length: MediaDuration)? {
    if case .constant(let first, let length) = storage { (first, length) } else { nil }
  }

  /// The presentation time of frame `index`, counted from 0; `nil` outside the video.
  public func time(at index: Int) -> MediaTime? {
    guard index >= 0, index < count else { return nil }
    return switch storage {
    case .listed(let times): times[index]
    case .constant(let first, let length): try? Self.time(at: index, first, length)
    }
  }

  /// The frame on screen at an instant: the last one not after it; `nil` before the first.
  public func index(at time: MediaTime) -> Int? {
    let later = firstIndex { $0 > time }
    return later == 0 ? nil : later - 1
  }

  /// Whether a frame begins in a range; true where no instant is known.
  package func areUnknownOrBegin(in range: MediaTimeRange) -> Bool {
    guard !isEmpty else { return true }
    return time(at: firstIndex { $0 >= range.start }).map(range.contains) ?? false
  }

  /// The first index whose instant satisfies a condition that, once true, stays true.
  func firstIndex(where isReached: (MediaTime) -> Bool) -> Int {
    (0..<count).partitionPoint { time(at: $0).map(isReached) ?? true }
  }

  private static func time(
    at index: Int, _ first: MediaTime, _ length: MediaDuration
  ) throws(ExactTimeError) -> MediaTime {
    try first.advanced(by: try length.scaled(by: Rational(Int64(index))))
  }
}
