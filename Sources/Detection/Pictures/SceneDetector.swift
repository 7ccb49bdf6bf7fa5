public import ExactTime

/// Finds hard cuts, to the frame.
///
/// With the sliding window of Yeo and Liu ("Rapid scene analysis on compressed video", IEEE Transactions on
/// Circuits and Systems for Video Technology 5 (6), 1995, III-B).
///
/// A cut is where the change from one picture to the next is the largest of its window, and several times
/// the second largest. A flash is two large changes, and a dissolve many, so neither is a cut. Two changes are
/// looked at, of which one is enough: that of the picture where a moving camera does not explain it, and that of
/// its histogram.
public struct SceneDetector: Sendable {
  /// A window has this many changes before and after its middle: a scene is at least that long.
  public static let reach = 6
  /// How many times the second largest change a cut must be.
  public static let ratio = 2.5
  /// The least mean difference of all areas, of 255.
  public static let least = 4

  /// The change from one picture to the next, in hundredths of a level.
  public struct Change: Sendable, Hashable {
    var moved: Int
    var histogram: Int

    /// From one picture to another.
    public init(from last: PictureGrid, to next: PictureGrid) {
      // Pictures of another size are another scene.
      let isAlike = next.hasShape(of: last)
      moved = isAlike ? next.movedDifference(from: last) : SceneDetector.most
      histogram = isAlike ? next.histogramDifference(from: last) : SceneDetector.most
    }

    private init() { (moved, histogram) = (0, 0) }
    /// No change.
    public static let none = Change()

    /// Whether it is at least a share of that of a cut.
    public func isCut(dividedBy divisor: Int = 1) -> Bool {
      max(moved, histogram) * divisor >= SceneDetector.least * 100
    }
  }

  private var times: [MediaTime] = []
  private var changes: [Change] = []
  private var last: PictureGrid?
  private var shown: FrameRun?

  /// Creates a detector.
  public init() {}

  /// Adds the next picture, and when it is shown.
  public mutating func add(_ grid: PictureGrid, _ frame: MediaTimeRange) {
    defer {
      last = grid
      shown?.end = frame.end
    }
    guard let last else {
      shown = FrameRun(frame)
      return
    }
    times.append(frame.start)
    changes.append(Change(from: last, to: grid))
  }

  /// All areas change from black to white.
  private static let most = 25_500
  /// Coding noise is no change.
  private static let noise = 100

  /// By how many times a change exceeds those nearby; `nil` if it is no cut.
  ///
  /// - Parameters:
  ///   - count: how many changes there are.
  ///   - change: all from ``reach`` before to ``reach`` after the place, within the count.
  public static func ratio(
    at place: Int, of count: Int, _ change: (Int) -> Change
  ) -> Double? {
    let middle = change(place)
    guard middle.isCut() else { return nil }
    let nearby = (max(0, place - reach)..<min(count, place + reach + 1)).filter { $0 != place }
      .map(change)
    return [\Change.moved, \Change.histogram].compactMap { kind in
      guard middle[keyPath: kind] >= least * 100 else { return nil }
      let second = nearby.map { $0[keyPath: kind] }.max() ?? 0
      let ratio = Double(middle[keyPath: kind]) / Double(max(second, noise))
      return ratio >= Self.ratio ? ratio : nil
    }.max()
  }

  /// The scenes of everything that was added: never empty where there were pictures.
  public func findings() -> [Finding] {
    guard let shown, let whole = MediaTimeRange(from: shown.start, to: shown.end) else {
      return []
    }
    return Self.scenes(
      in: whole,
      cuts: times.indices.compactMap { place in
        Self.ratio(at: place, of: changes.count) { changes[$0] }.map { (times[place], $0) }
      })
  }

  /// The scenes between cuts, which have their times and scores.
  public static func scenes(
    in shown: MediaTimeRange, cuts: [(time: MediaTime, score: Double)]
  ) -> [Finding] {
    let starts = [(shown.start, nil)] + cuts.map { ($0.time, Optional($0.score)) }
    return zip(starts, cuts.map(\.time) + [shown.end]).compactMap { start, end in
      MediaTimeRange(from: start.0, to: end).map { Finding(.scene, $0, score: start.1) }
    }
  }
}
