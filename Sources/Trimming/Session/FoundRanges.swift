public import ExactTime

/// What findings mean for parts: the same for a session and for a cut.
public enum FoundRanges {
  /// How much stays at both ends of what is removed, unless stated: no word is clipped.
  public static let usualMargin = MediaDuration(1, 10)

  /// In order of time; those that overlap are one.
  ///
  /// - Parameter areTouchingOne: whether those that touch are one as well.
  public static func united(
    _ ranges: some Sequence<MediaTimeRange>, areTouchingOne: Bool = true
  ) -> [MediaTimeRange] {
    ranges.sorted { $0.start < $1.start }.reduce(into: []) { united, one in
      if let last = united.last,
        one.start < last.end || areTouchingOne && one.start == last.end
      {
        united[united.count - 1] = last.union(one)
      } else {
        united.append(one)
      }
    }
  }

  /// What is removed of a part.
  ///
  /// Findings that overlap or touch are one. Its ends move inwards by the margin, except where the part begins
  /// or ends there: nothing is kept beyond.
  ///
  /// - Parameters:
  ///   - found: in any order.
  ///   - leastKept: what is left between two removals goes as well if it is shorter.
  /// - Throws: ``ExactTimeError`` where an end cannot be moved by the margin.
  public static func removals(
    _ found: some Sequence<MediaTimeRange>, of part: MediaTimeRange, margin: MediaDuration,
    leastKept: MediaDuration = .zero
  ) throws(ExactTimeError) -> [MediaTimeRange] {
    var removals: [MediaTimeRange] = []
    for range in united(found) {
      guard let common = range.intersection(part), !common.isEmpty else { continue }
      let start =
        common.start == part.start ? common.start : try common.start.advanced(by: margin)
      let end = common.end == part.end ? common.end : try common.end.moved(back: margin)
      // A negative margin would remove what was not found.
      guard let left = MediaTimeRange(from: start, to: end)?.intersection(common), !left.isEmpty
      else { continue }
      if let last = removals.last, try left.start.distance(from: last.end) < leastKept {
        removals[removals.count - 1] = last.union(left)
      } else {
        removals.append(left)
      }
    }
    return removals
  }

  /// Where a finding that is no scene separates parts: its middle, or the first frame after that, if it begins
  /// within it.
  ///
  /// - Parameter frame: when the first frame at or after an instant begins; `nil` for none.
  /// - Throws: ``ExactTimeError``.
  public static func seam(
    in range: MediaTimeRange, frame: (MediaTime) -> MediaTime?
  ) throws(ExactTimeError) -> MediaTime {
    let half = try range.checkedLength().seconds.divided(by: Rational(2))
    let middle = try range.start.advanced(by: MediaDuration(seconds: half))
    return frame(middle).flatMap { $0 < range.end ? $0 : nil } ?? middle
  }

  /// A part, separated at those seams that are in it.
  ///
  /// - Parameters:
  ///   - seams: in order of time.
  ///   - isPiece: a seam where this is false for a side is left out.
  public static func pieces(
    of part: MediaTimeRange, at seams: [MediaTime],
    isPiece: (MediaTimeRange) -> Bool = { _ in true }
  ) -> [MediaTimeRange] {
    var pieces = [part]
    for seam in seams {
      guard let rest = pieces.last, rest.start < seam, seam < rest.end,
        let before = MediaTimeRange(from: rest.start, to: seam),
        let after = MediaTimeRange(from: seam, to: rest.end), isPiece(before), isPiece(after)
      else { continue }
      pieces.removeLast()
      pieces += [before, after]
    }
    return pieces
  }
}
