import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts

extension TimelineDrawing {
  /// Draws where there is sound, which of it is hidden, and where it has gaps or overlaps.
  mutating func drawSound(_ track: TimelineTrack, _ facts: TrackFacts) {
    let rate = facts.audio?.sampleRate.map { ", \($0) Hz" } ?? ""
    rowLabel(
      "\(facts.codec) #\(track.id)", below: "\(CountText.of(track.packets.count, "packet"))\(rate)")
    let tolerance = MediaDuration(1, 500)
    for range in coverage(track, tolerance) {
      let (from, to) = (scale.x(range.start), scale.x(range.end))
      page.rectangle("sound", x: from, y: y, width: max(0.5, to - from), height: 18)
    }
    drawHidden(track, height: 18)
    let (gaps, overlaps) = track.disorder(tolerance: tolerance)
    for (style, ranges) in [("gap", gaps), ("overlap", overlaps)] {
      for range in ranges.prefix(500) {
        let x = scale.x(range.start)
        page.rectangle(
          style, x: x, y: y - 2, width: max(2, scale.x(range.end) - x), height: 22,
          title: "\(style) of \(seconds(range.length)) at "
            + "\(DecimalText.shortest(range.start.seconds)) s")
      }
    }
    y += 34
    drawEdits(facts)
    y += 8
  }

  /// Ranges without a gap.
  private func coverage(_ track: TimelineTrack, _ tolerance: MediaDuration) -> [MediaTimeRange] {
    var ranges: [MediaTimeRange] = []
    for packet in track.packets {
      guard let range = MediaTimeRange(from: packet.start, to: packet.end) else { continue }
      if let last = ranges.last, let gap = try? range.start.distance(from: last.end),
        gap <= tolerance
      {
        ranges[ranges.count - 1] = last.union(range)
      } else {
        ranges.append(range)
      }
    }
    return ranges
  }

  /// Draws what lies in the file before and after the shown range.
  mutating func drawHidden(_ track: TimelineTrack, height: Double) {
    for range in track.hidden {
      let x = scale.x(range.start)
      page.rectangle(
        "hidden", x: x, y: y, width: max(1, scale.x(range.end) - x), height: height,
        title: "hidden: \(seconds(range.length))")
    }
  }

  /// Draws the edit list as text, one line per edit; nothing if there is none.
  mutating func drawEdits(_ facts: TrackFacts) {
    var words = facts.edits.prefix(4).map { edit -> String in
      let length = edit.length.map { seconds($0) } ?? "the rest"
      guard let start = edit.mediaStart else { return "\(length) empty" }
      let rate = edit.rate == .one ? "" : " at \(DecimalText.shortest(edit.rate))x speed"
      return "\(length) from \(DecimalText.shortest(start.seconds)) s of the media\(rate)"
    }
    if facts.edits.count > 4 { words.append("\(facts.edits.count - 4) more") }
    if let priming = facts.audio?.priming { words.append("\(priming) samples of priming") }
    if let padding = facts.audio?.padding { words.append("\(padding) of padding") }
    guard !words.isEmpty else { return }
    let start = facts.edits.isEmpty ? "" : "edits: "
    above.label(start + words.joined(separator: ", "), x: scale.left, y: y + 4, style: "small")
    y += 10
  }
}
