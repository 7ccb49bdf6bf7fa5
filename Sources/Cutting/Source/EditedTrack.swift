import ExactTime
import MediaFacts
import MediaFiles
import Probing
import Trimming

/// A track whose edit list shows several ranges of its media one after another (ISO/IEC 14496-12,
/// 8.6.6).
struct EditedTrack {
  let facts: TrackFacts
  /// All packets; which of them are shown depends on the segment.
  let coded: CodedTrack
  /// At normal speed.
  let edits: EditedTimeline
  /// Why no range of it can be cut; `nil` if one can.
  let obstacle: String?

  /// Where one segment ends, and where the next begins, on the file's timeline.
  func switches() throws(ExactTimeError) -> [MediaTime] {
    var times: [MediaTime] = []
    for (segment, next) in zip(edits.segments, edits.segments.dropFirst()) {
      if let length = segment.length { times.append(try segment.start.advanced(by: length)) }
      times.append(next.start)
    }
    return times
  }

  /// Where tick 0 of the media would be shown in a piece, and which ticks are shown there.
  ///
  /// - Parameter shown: counted from `zero`, without a switch inside.
  func placement(
    in shown: MediaTimeRange, _ zero: MediaTime
  ) throws(MediaError) -> (origin: MediaTime, visible: Range<Int64>, obstacle: String?) {
    do throws(ExactTimeError) {
      let lead = try zero.distance(from: .zero)
      let (from, to) = (try shown.start.advanced(by: lead), try shown.end.advanced(by: lead))
      // Segments follow each other: only the last that begins before the end can be shown.
      let next = (0..<edits.segments.count).partitionPoint { edits.segments[$0].start >= to }
      for segment in edits.segments[..<next].suffix(1) {
        if let length = segment.length, try segment.start.advanced(by: length) <= from { break }
        let origin = try segment.origin(coded.grid, zero)
        let first = try coded.grid.ticks(of: shown.start.distance(from: origin), rounding: .down)
        let last = try coded.grid.ticks(of: shown.end.distance(from: origin), rounding: .up)
        let end = try segment.mediaEnd?.rounded(.up) ?? last
        let start = max(segment.mediaStart, first)
        return (origin, start..<max(start, min(end, last)), nil)
      }
    } catch {
      throw MediaError.beyondNumbers
    }
    return (.zero, 0..<0, "its edit list shows nothing in this range")
  }
}

extension EditedTimeline.Segment {
  /// Where tick 0 of the media would be shown, counted from `zero`.
  func origin(_ grid: TickGrid, _ zero: MediaTime) throws(ExactTimeError) -> MediaTime {
    try start.moved(back: grid.duration(ofTicks: mediaStart)).moved(
      back: zero.distance(from: .zero))
  }
}
