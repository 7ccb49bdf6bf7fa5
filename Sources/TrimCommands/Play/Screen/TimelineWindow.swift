import ExactTime

/// The range of a file that a timeline shows, and the mapping of instants to columns.
///
/// Columns are for drawing only; no decision depends on them.
struct TimelineWindow: Hashable, Sendable {
  let bounds: MediaTimeRange
  private(set) var shown: MediaTimeRange

  private static let shortest = MediaDuration(1, 10)

  init(bounds: MediaTimeRange) {
    self.bounds = bounds
    shown = bounds
  }

  var isWhole: Bool { shown == bounds }

  mutating func zoomIn(around time: MediaTime) { resize(by: Rational(1, 2), around: time) }
  mutating func zoomOut(around time: MediaTime) { resize(by: Rational(2), around: time) }
  mutating func showAll() { shown = bounds }

  /// Fits a part of the file, with a tenth of its length on each side.
  mutating func fit(_ range: MediaTimeRange) {
    guard let length = try? range.checkedLength(),
      let margin = try? length.scaled(by: Rational(1, 10)),
      let start = try? range.start.moved(back: margin),
      let end = try? range.end.advanced(by: margin)
    else { return }
    show(from: start, to: end)
  }

  /// The column of an instant; `nil` if it is not shown.
  func column(of time: MediaTime, columns: Int) -> Int? {
    guard shown.start <= time, time <= shown.end,
      let place = try? time.distance(from: shown.start), let length = try? shown.checkedLength(),
      let share = try? place.seconds.divided(by: length.seconds),
      let column = try? share.multiplied(by: Rational(Int64(columns))).rounded(.down)
    else { return nil }
    return min(Int(column), columns - 1)
  }

  /// The instant in the middle of a column.
  func time(atColumn column: Int, columns: Int) -> MediaTime? {
    guard columns > 0, let length = try? shown.checkedLength(),
      let share = try? length.scaled(by: Rational(Int64(2 * column + 1), Int64(2 * columns)))
    else { return nil }
    return try? shown.start.advanced(by: share)
  }

  /// Where the next column begins; `nil` for the last column, or if it cannot be determined.
  func time(ofBorderBehind column: Int, columns: Int) -> MediaTime? {
    guard 0..<columns - 1 ~= column, let length = try? shown.checkedLength(),
      let share = try? length.scaled(by: Rational(Int64(column + 1), Int64(columns)))
    else { return nil }
    return try? shown.start.advanced(by: share)
  }

  private mutating func resize(by factor: Rational, around time: MediaTime) {
    guard let old = try? shown.checkedLength(), let whole = try? bounds.checkedLength(),
      let wanted = try? old.scaled(by: factor)
    else { return }
    let length = min(max(wanted, min(Self.shortest, whole)), whole)
    guard let half = try? length.scaled(by: Rational(1, 2)),
      let start = try? time.moved(back: half),
      let latest = try? bounds.end.moved(back: length)
    else { return }
    let from = min(max(start, bounds.start), latest)
    guard let to = try? from.advanced(by: length) else { return }
    show(from: from, to: to)
  }

  private mutating func show(from start: MediaTime, to end: MediaTime) {
    let range = MediaTimeRange(from: max(start, bounds.start), to: min(end, bounds.end))
    if let range, !range.isEmpty { shown = range }
  }
}
