public import ExactTime

/// Finds where the picture is still, to the frame.
///
/// It is still while no area differs visibly from the previous picture, nor much from the first one
/// of the run: an encoder improves a still picture over time.
public struct StillDetector: Sendable {
  /// The largest difference of an area from the picture before, of 255: more than coding and film grain leave
  /// of a mean.
  public static let most = 7
  /// The largest difference of an area from the first picture.
  public static let mostDrift = 16

  private let shortest: MediaDuration
  private var run: (frames: FrameRun, first: PictureGrid, last: PictureGrid, largest: Int)?
  private var found: [Finding] = []

  /// - Parameter shortest: shorter ranges are not reported.
  public init(shortest: MediaDuration) { self.shortest = shortest }

  /// Adds the next picture, and when it is shown.
  public mutating func add(_ grid: PictureGrid, _ frame: MediaTimeRange) {
    if let run, run.frames.end == frame.start, let step = grid.largestDifference(from: run.last),
      step <= Self.most, let drift = grid.largestDifference(from: run.first),
      drift <= Self.mostDrift
    {
      self.run = (run.frames, run.first, grid, max(run.largest, drift))
      self.run?.frames.end = frame.end
      return
    }
    close()
    run = (FrameRun(frame), grid, grid, 0)
  }

  private mutating func close() {
    guard let run else { return }
    run.frames.finding(.still, shortest: shortest, score: Double(run.largest)).map {
      found.append($0)
    }
  }

  /// The still ranges of everything that was added.
  public func findings() -> [Finding] {
    var ended = self
    ended.close()
    return ended.found
  }
}
