import ExactTime

/// Consecutive frames that have something in common.
struct FrameRun: Sendable {
  var start: MediaTime
  var end: MediaTime

  init(_ frame: MediaTimeRange) { (start, end) = (frame.start, frame.end) }

  /// As a finding; `nil` if it is too short.
  func finding(_ kind: Finding.Kind, shortest: MediaDuration, score: Double?) -> Finding? {
    guard let range = MediaTimeRange(from: start, to: end), let length = try? range.checkedLength(),
      length.isPositive, length >= shortest
    else { return nil }
    return Finding(kind, range, score: score)
  }
}
