/// How light the areas of a picture are: the input of the picture detectors.
public struct PictureGrid: Sendable, Hashable {
  /// Areas in a row, and in a column, of pictures that are large enough.
  public static let mostColumns = 64
  /// See ``mostColumns``.
  public static let mostRows = 36

  /// How many areas are in a row.
  public let columns: Int
  /// The mean of each area, row by row from the top: 0 is black, and 255 is white.
  public let cells: [UInt8]

  /// How many areas are in a column.
  public var rows: Int { cells.count / columns }

  /// - Precondition: there is at least one area, and all rows are complete.
  public init(columns: Int, cells: [UInt8]) {
    precondition(columns > 0 && !cells.isEmpty && cells.count % columns == 0)
    self.columns = columns
    self.cells = cells
  }

  /// The largest difference of an area; `nil` for another shape.
  func largestDifference(from other: PictureGrid) -> Int? {
    guard hasShape(of: other) else { return nil }
    var largest = 0
    for place in cells.indices {
      largest = max(largest, abs(Int(cells[place]) - Int(other.cells[place])))
    }
    return largest
  }

  func hasShape(of other: PictureGrid) -> Bool {
    columns == other.columns && cells.count == other.cells.count
  }

  /// How far a camera may move between two pictures, in areas.
  private static let reach = (columns: 3, rows: 2)

  /// The mean difference of the areas, in hundredths, after the picture is moved so that it is least: what
  /// a moving camera does not explain.
  ///
  /// - Precondition: both have the same shape.
  func movedDifference(from other: PictureGrid) -> Int {
    let (across, down) = (min(Self.reach.columns, columns - 1), min(Self.reach.rows, rows - 1))
    var least = Int.max
    cells.withUnsafeBufferPointer { mine in
      other.cells.withUnsafeBufferPointer { its in
        for y in -down...down {
          for x in -across...across {
            let sum = Self.sum(mine, its, x, y, columns: columns, rows: rows)
            least = min(least, sum * 100 / ((columns - abs(x)) * (rows - abs(y))))
          }
        }
      }
    }
    return least
  }

  private static func sum(
    _ mine: UnsafeBufferPointer<UInt8>, _ its: UnsafeBufferPointer<UInt8>, _ x: Int, _ y: Int,
    columns: Int, rows: Int
  ) -> Int {
    var sum = 0
    for row in max(0, -y)..<rows - max(0, y) {
      let (from, to) = (row * columns, (row + y) * columns + x)
      for column in max(0, -x)..<columns - max(0, x) {
        sum &+= abs(Int(mine[from &+ column]) &- Int(its[to &+ column]))
      }
    }
    return sum
  }

  /// The mean difference of the areas, in hundredths, after they are rearranged so that it is least: that of
  /// their histograms, which no movement changes.
  ///
  /// - Precondition: both have the same shape.
  func histogramDifference(from other: PictureGrid) -> Int {
    var counts = Array(repeating: 0, count: 256)
    for place in cells.indices {
      counts[Int(cells[place])] += 1
      counts[Int(other.cells[place])] -= 1
    }
    var (sum, more) = (0, 0)
    for count in counts {
      more += count
      sum += abs(more)
    }
    return sum * 100 / cells.count
  }
}
