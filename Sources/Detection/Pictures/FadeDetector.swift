public import ExactTime

/// Finds fades to and from black or white, to within a few frames.
///
/// With the measure of Lienhart ("Comparison of automatic shot boundary detection algorithms", Proceedings of
/// SPIE 3656, 1999): a fade scales a picture's contrast, so that after a monochrome picture the standard
/// deviation of its areas rises linearly, and before one it falls.
///
/// A fade out, what is monochrome and a fade in are one finding; where the picture fades on one side only, that
/// side is. A dissolve has no monochrome picture, so it is not a fade.
public struct FadeDetector: Sendable {
  /// The largest standard deviation of the areas of a monochrome picture, of 255.
  public static let mostDeviation = 2
  /// A fade has at least this many frames in which the deviation changes.
  public static let leastFrames = 5
  /// The least change of the deviation in all.
  public static let leastRise = 8
  /// The least square of the correlation of time and deviation, in percent.
  public static let leastLinear = 90

  private struct Picture: Sendable {
    var frame: MediaTimeRange
    /// In hundredths of a level.
    var deviation: Int
    var mean: Int

    /// Black or white, and nothing else.
    var isMonochrome: Bool {
      deviation <= FadeDetector.mostDeviation * 100
        && (mean <= Int(BlackDetector.level) || mean >= 255 - Int(BlackDetector.level))
    }
  }

  private var pictures: [Picture] = []

  /// Creates a detector.
  public init() {}

  /// Adds the next picture, and when it is shown.
  public mutating func add(_ grid: PictureGrid, _ frame: MediaTimeRange) {
    let (mean, deviation) = grid.meanAndDeviation
    pictures.append(Picture(frame: frame, deviation: deviation, mean: mean))
  }

  /// The fades of everything that was added.
  public func findings() -> [Finding] {
    var found: [Finding] = []
    var place = 0
    while place < pictures.count {
      guard pictures[place].isMonochrome else {
        place += 1
        continue
      }
      let start = place
      while place < pictures.count, pictures[place].isMonochrome { place += 1 }
      let before = fade(from: start, step: -1)
      let after = fade(from: place - 1, step: 1)
      guard let linear = [before?.linear, after?.linear].compactMap(\.self).min() else { continue }
      let first = before.map { start - $0.count } ?? place
      let last = after.map { place - 1 + $0.count } ?? start - 1
      if let range = MediaTimeRange(
        from: pictures[first].frame.start, to: pictures[last].frame.end)
      {
        found.append(Finding(.fade, range, score: Double(linear) / 100))
      }
    }
    return found
  }

  /// The frames that fade from a monochrome one on, and the percentage by which that is linear.
  private func fade(from place: Int, step: Int) -> (count: Int, linear: Int)? {
    var rise = [pictures[place].deviation]
    var next = place + step
    // Frames after the end of the fade, which show where that is.
    var rest: Int?
    while pictures.indices.contains(next), isAdjacent(next - step, next),
      !pictures[next].isMonochrome, rise.count < Self.mostFrames, rest != 0
    {
      rise.append(pictures[next].deviation)
      rest = rest.map { $0 - 1 } ?? (Self.hasEnded(rise) ? Self.beyond : nil)
      next += step
    }
    let count = Self.knee(of: rise)
    let fade = rise[...count]
    let total = rise[count] - rise[0]
    let largest = zip(fade, fade.dropFirst()).map { $1 - $0 }.max() ?? 0
    let linear = Self.linear(fade)
    guard count >= Self.leastFrames, total >= Self.leastRise * 100, largest * 2 <= total,
      linear >= Self.leastLinear
    else { return nil }
    return (count, linear)
  }
  /// Longer fades are not looked for.
  private static let mostFrames = 600
  private static let beyond = 8

  /// Whether the last four frames rise by less than a quarter of the slope.
  private static func hasEnded(_ rise: [Int]) -> Bool {
    let (count, back) = (rise.count - 1, 4)
    guard count > back else { return false }
    let last = rise[count]
    return (last - rise[count - back]) * count * 4 < (last - rise[0]) * back
  }

  /// After how many frames it stops rising: where a line that rises from the first value, and is level from there
  /// on, has the least squared error.
  private static func knee(of rise: [Int]) -> Int {
    var best = (count: 0, explained: Int128(-1))
    for count in rise.indices.dropFirst() {
      var (together, own) = (Int128(0), Int128(0))
      for (place, value) in rise.enumerated() {
        let height = Int128(min(place, count))
        together += height * Int128(value - rise[0])
        own += height * height
      }
      let explained = together > 0 ? together * together / max(1, own) : 0
      if explained > best.explained { best = (count, explained) }
    }
    return best.count
  }

  private func isAdjacent(_ one: Int, _ other: Int) -> Bool {
    pictures[min(one, other)].frame.end == pictures[max(one, other)].frame.start
  }

  /// The square of the correlation with time, in percent.
  private static func linear(_ values: ArraySlice<Int>) -> Int {
    let count = values.count
    // Twice the distance from the middle, so that it is whole.
    let times = (0..<count).map { 2 * $0 - (count - 1) }
    let mean = values.reduce(0, +)
    let (together, time, own) = zip(times, values).reduce((0, 0, 0)) { sums, one in
      // Count times the distance from the mean.
      let away = one.1 * count - mean
      return (sums.0 + one.0 * away, sums.1 + one.0 * one.0, sums.2 + away * away)
    }
    let below = Int128(time) * Int128(own)
    guard below > 0 else { return 0 }
    return Int(Int128(together) * Int128(together) * 100 / below)
  }
}

extension PictureGrid {
  /// The mean of the areas, and their standard deviation in hundredths.
  var meanAndDeviation: (mean: Int, deviation: Int) {
    var (sum, squares) = (0, 0)
    for cell in cells {
      sum &+= Int(cell)
      squares &+= Int(cell) &* Int(cell)
    }
    let count = cells.count
    // At most 2304 areas: this fits.
    let variance = (squares * count - sum * sum) * 10_000 / (count * count)
    return (sum / count, Self.root(variance))
  }

  /// The whole part of a square root.
  private static func root(_ value: Int) -> Int {
    guard value > 1 else { return max(0, value) }
    // Newton's method, from above.
    var (root, next) = (value, (value + 1) / 2)
    while next < root { (root, next) = (next, (next + value / next) / 2) }
    return root
  }
}
