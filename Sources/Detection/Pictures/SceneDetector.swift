public import ExactTime

/// Finds hard cuts, to the frame.
///
/// With the sliding window of Yeo and Liu ("Rapid scene analysis on compressed video", IEEE Transactions on
/// Circuits and Systems for Video Technology 5 (6), 1995, III-B).
///
/// A cut is where the change from one picture to the next is the largest of its window, and several times
/// the second largest. A flash is two large changes, and a dissolve many, so they are none. Two changes are
/// looked at, of which one is enough: that of the picture where a moving camera does not explain it, and that of
/// its histogram.
public struct SceneDetector: Sendable {
  /// A window has this many changes before and after its middle: a scene is at least that long.
  public static let reach = 6
  /// How many times the second largest change a cut must be.
  public static let ratio = 2.5
  /// The least mean difference of all areas, of 255.
  public static let least = 4

  private var times: [MediaTime] = []
  /// In hundredths of a level.
  private var moved: [Int] = []
  private var histograms: [Int] = []
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
    // Pictures of another size are another scene.
    let isAlike = grid.hasShape(of: last)
    moved.append(isAlike ? grid.movedDifference(from: last) : Self.most)
    histograms.append(isAlike ? grid.histogramDifference(from: last) : Self.most)
  }

  /// All areas change from black to white.
  private static let most = 25_500
  /// Coding noise is no change.
  private static let noise = 100

  /// By how many times a change exceeds those nearby; `nil` if it is no cut.
  private func peak(_ changes: [Int], at place: Int) -> Double? {
    let change = changes[place]
    guard change >= Self.least * 100 else { return nil }
    let nearby = max(0, place - Self.reach)..<min(changes.count, place + Self.reach + 1)
    let second = nearby.filter { $0 != place }.map { changes[$0] }.max() ?? 0
    let ratio = Double(change) / Double(max(second, Self.noise))
    return ratio >= Self.ratio ? ratio : nil
  }

  /// The scenes of everything that was added: never empty where there were pictures.
  public func findings() -> [Finding] {
    guard let shown else { return [] }
    var starts: [(time: MediaTime, score: Double?)] = [(shown.start, nil)]
    for place in times.indices {
      let ratios = [peak(moved, at: place), peak(histograms, at: place)].compactMap { $0 }
      if let ratio = ratios.max() { starts.append((times[place], ratio)) }
    }
    let ends = starts.dropFirst().map(\.time) + [shown.end]
    return zip(starts, ends).compactMap { start, end in
      MediaTimeRange(from: start.time, to: end).map { Finding(.scene, $0, score: start.score) }
    }
  }
}
