import EditLists
import ExactTime

/// A range in whole milliseconds; the end is not before the start.
func range(_ start: Int64, _ end: Int64) -> MediaTimeRange {
  guard let range = MediaTimeRange(from: MediaTime(start, 1000), to: MediaTime(end, 1000)) else {
    preconditionFailure("\(start) is after \(end)")
  }
  return range
}

func ranges(_ pairs: (Int64, Int64)...) -> RangeSet { RangeSet(pairs.map { range($0, $1) }) }
