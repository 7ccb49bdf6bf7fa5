public import ExactTime

/// Finds black pictures, to the frame.
///
/// A picture is black if hardly any of its areas is lighter than a level; what is dark in every picture,
/// such as the bars of a letterbox, is not counted.
public struct BlackDetector: Sendable {
  /// An area is light above this, of 255: a tenth of the range, as for most detectors.
  public static let level: UInt8 = 25
  /// How many areas of a black picture may be light, in percent.
  public static let mostLight = 2

  private let shortest: MediaDuration
  /// Frames that may be black, with their number of light areas.
  private var candidates: [(frame: MediaTimeRange, light: Int)] = []
  private var shape: (columns: Int, count: Int)?
  /// The rows and columns in which any area was ever light.
  private var litRows: Range<Int>?
  private var litColumns: Range<Int>?

  /// - Parameter shortest: shorter ranges are not reported.
  public init(shortest: MediaDuration) { self.shortest = shortest }

  /// Adds the next picture, and when it is shown.
  public mutating func add(_ grid: PictureGrid, _ frame: MediaTimeRange) {
    if shape == nil { shape = (grid.columns, grid.cells.count) }
    var light = 0
    for row in 0..<grid.rows {
      let start = row * grid.columns
      for column in 0..<grid.columns where grid.cells[start + column] > Self.level {
        light += 1
        litRows = Self.union(litRows, row)
        litColumns = Self.union(litColumns, column)
      }
    }
    // Bars are dark, so a picture with more light areas is not black without them either.
    if light * 100 <= grid.cells.count * Self.mostLight { candidates.append((frame, light)) }
  }

  private static func union(_ range: Range<Int>?, _ place: Int) -> Range<Int> {
    guard let range else { return place..<place + 1 }
    return min(range.lowerBound, place)..<max(range.upperBound, place + 1)
  }

  /// The black ranges of everything that was added.
  public func findings() -> [Finding] {
    let area =
      litRows.flatMap { rows in litColumns.map { rows.count * $0.count } } ?? shape?.count ?? 1
    var found: [Finding] = []
    var run: (frames: FrameRun, light: Int)?
    func close() {
      guard let run else { return }
      let share = Double(run.light) / Double(area)
      run.frames.finding(.black, shortest: shortest, score: share).map { found.append($0) }
    }
    for (frame, light) in candidates where light * 100 <= area * Self.mostLight {
      if let last = run, last.frames.end == frame.start {
        run?.frames.end = frame.end
        run?.light = max(last.light, light)
      } else {
        close()
        run = (FrameRun(frame), light)
      }
    }
    close()
    return found
  }
}
