import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts

extension TimelineDrawing {
  /// Draws the GOPs by class, and the size of every frame.
  mutating func drawPictures(_ track: TimelineTrack, _ facts: TrackFacts) {
    let count = facts.frameCount ?? track.packets.count
    let gops = facts.gops?.count ?? facts.keyframes.count
    rowLabel(
      "\(facts.codec) #\(track.id)",
      below: "\(count) frame\(count == 1 ? "" : "s"), \(gops) GOP\(gops == 1 ? "" : "s")")
    let keyframes = Keyframe.all(of: facts, origin: media.origin)
    drawGOPs(keyframes, track, height: 18)
    drawHidden(track, height: 18)
    y += 22
    drawSizes(track, height: 56)
    for range in track.hidden {
      let x = scale.x(range.start)
      page.rectangle("outside", x: x, y: y, width: scale.x(range.end) - x, height: 56)
    }
    y += 62
    drawEdits(facts)
    y += 8
  }

  /// A keyframe on the drawn timeline.
  private struct Keyframe {
    var start: MediaTime
    var style: String
    var title: String

    static func all(of facts: TrackFacts, origin: MediaTime) -> [Keyframe] {
      facts.keyframes.compactMap { key in
        guard let start = try? key.time.distance(from: origin) else { return nil }
        let style =
          switch (key.access, key.leadingFrames) {
          case (.flaggedOnly, _): "doubtful"
          case (.unknown, _): "unknown"
          case (_, 0): "clean"
          default: "open"
          }
        let leading = key.leadingFrames > 0 ? ", \(key.leadingFrames) leading frames" : ""
        return Keyframe(
          start: MediaTime(seconds: start.seconds), style: style,
          title: "\(key.access.rawValue)\(leading)")
      }
    }
  }

  private mutating func drawGOPs(
    _ keyframes: [Keyframe], _ track: TimelineTrack, height: Double
  ) {
    guard let last = track.extent?.end else { return }
    var joins = ""
    // GOPs narrower than a column are merged if they have the same class.
    var run: (style: String, from: Double, to: Double, count: Int, title: String)?
    func flush(_ page: inout SVGText) {
      guard let run else { return }
      page.rectangle(
        run.style, x: run.from, y: y, width: max(0.5, run.to - run.from), height: height,
        title: run.count == 1 ? run.title : "\(run.count) GOPs, the first \(run.title)")
    }
    for (number, key) in keyframes.enumerated() {
      let end = number + 1 < keyframes.count ? keyframes[number + 1].start : last
      let (from, to) = (scale.x(key.start), scale.x(max(key.start, end)))
      let when = DecimalText.shortest(key.start.seconds)
      if let open = run, open.style == key.style, to - open.from < 2 {
        run = (open.style, open.from, to, open.count + 1, open.title)
      } else {
        flush(&page)
        run = (key.style, from, to, 1, "\(key.title), at \(when) s")
      }
      if to - from >= 3 {
        joins += "M\(SVGText.number(from)) \(SVGText.number(y))v\(Int(height))"
      }
    }
    flush(&page)
    page.path("join", joins)
  }

  /// Draws the largest frame in every column, keyframes separately.
  private mutating func drawSizes(_ track: TimelineTrack, height: Double) {
    let most = max(1, track.packets.map(\.byteCount).max() ?? 1)
    let columns = Int(scale.width)
    var sizes = [Int](repeating: 0, count: columns)
    var keys = [Int](repeating: 0, count: columns)
    for packet in track.packets {
      let from = scale.column(packet.start)
      // A bar leaves a gap before the next where there is room.
      let to = max(from, scale.column(packet.end) - 1)
      for column in from...min(to, from + 40) {
        if packet.isKey {
          keys[column] = max(keys[column], packet.byteCount)
        } else {
          sizes[column] = max(sizes[column], packet.byteCount)
        }
      }
    }
    for (style, values) in [("key", keys), ("frame", sizes)] {
      page.path(style, bars(values, most: most, height: height))
    }
    page.label(
      "largest \(ByteCount.text(Int64(most)))", x: Self.margin, y: y + 28, style: "small")
  }

  private func bars(_ values: [Int], most: Int, height: Double) -> String {
    var steps = ""
    var column = 0
    while column < values.count {
      let value = values[column]
      var end = column + 1
      while end < values.count, values[end] == value { end += 1 }
      if value > 0 {
        let tall = max(0.5, Double(value) / Double(most) * height)
        let (left, top) = (scale.left + Double(column), y + height - tall)
        steps += "M\(SVGText.number(left)) \(SVGText.number(top))h\(end - column)"
        steps += "v\(SVGText.number(tall))h\(column - end)z"
      }
      column = end
    }
    return steps
  }
}
