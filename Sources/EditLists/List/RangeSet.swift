public import ExactTime

/// A set of instants of one timeline, as ranges: in order, none empty, none overlapping or touching.
public struct RangeSet: Hashable, Sendable {
  /// The ranges, in the timeline's order.
  public let ranges: [MediaTimeRange]

  /// The union of the ranges, which may overlap, touch, be empty and come in any order.
  public init(_ ranges: some Sequence<MediaTimeRange>) {
    var united: [MediaTimeRange] = []
    for range in ranges.filter({ !$0.isEmpty }).sorted(by: { $0.start < $1.start }) {
      if let last = united.last, range.start <= last.end {
        united[united.count - 1] = last.union(range)
      } else {
        united.append(range)
      }
    }
    self.ranges = united
  }

  private init(ordered ranges: [MediaTimeRange]) { self.ranges = ranges }

  /// True where the set holds no instant.
  public var isEmpty: Bool { ranges.isEmpty }

  /// What is in either set.
  public func union(_ other: RangeSet) -> RangeSet { RangeSet(ranges + other.ranges) }

  /// What is in both sets.
  public func intersection(_ other: RangeSet) -> RangeSet {
    var shared: [MediaTimeRange] = []
    var (mine, theirs) = (0, 0)
    while mine < ranges.count, theirs < other.ranges.count {
      if let both = ranges[mine].intersection(other.ranges[theirs]), !both.isEmpty {
        shared.append(both)
      }
      if ranges[mine].end < other.ranges[theirs].end { mine += 1 } else { theirs += 1 }
    }
    // Neither set has ranges that touch, so what they share does not touch either.
    return RangeSet(ordered: shared)
  }

  /// What is in `whole`, but not in this set.
  public func complement(within whole: MediaTimeRange) -> RangeSet {
    var rest: [MediaTimeRange] = []
    var start = whole.start
    for range in ranges where range.end > whole.start && range.start < whole.end {
      if let gap = MediaTimeRange(from: start, to: range.start), !gap.isEmpty { rest.append(gap) }
      start = range.end
    }
    if let gap = MediaTimeRange(from: start, to: whole.end), !gap.isEmpty { rest.append(gap) }
    return RangeSet(ordered: rest)
  }

  /// What is in this set, but not in the other.
  public func subtracting(_ other: RangeSet) -> RangeSet {
    guard let first = ranges.first, let last = ranges.last else { return self }
    return intersection(other.complement(within: first.union(last)))
  }

  /// The length of all ranges together.
  ///
  /// - Throws: ``ExactTimeError/overflow`` where it needs more than 64 bits.
  public func checkedLength() throws(ExactTimeError) -> MediaDuration {
    var length = MediaDuration.zero
    for range in ranges { length = try length.adding(range.checkedLength()) }
    return length
  }
}
