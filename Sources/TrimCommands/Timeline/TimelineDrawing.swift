import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts

/// A drawing of a file's timeline, as SVG.
struct TimelineDrawing {
  let media: DrawnMedia
  let timeline: MediaTimeline
  let scale: TimeScale
  /// What a cut of the part would do; `nil` if the whole file is drawn.
  let cut: PlannedCut?
  var page = SVGText()
  /// Content drawn on top of everything, never dimmed.
  var above = SVGText()
  /// Where the next row begins.
  var y: Double

  static let labelWidth = 170.0
  static let margin = 16.0

  init(_ media: DrawnMedia, _ timeline: MediaTimeline, cut: PlannedCut?, width: Int) {
    self.media = media
    self.timeline = timeline
    self.cut = cut
    let extent = timeline.extent.map { $0.union(media.bounds) } ?? media.bounds
    scale = TimeScale(
      range: extent, left: Self.margin + Self.labelWidth,
      width: Double(width) - 2 * Self.margin - Self.labelWidth)
    y = Self.margin
  }

  /// The whole drawing.
  mutating func draw() -> String {
    drawHead()
    drawAxis()
    drawChapters()
    for track in timeline.tracks {
      guard let facts = media.facts.tracks.first(where: { $0.id == track.id }) else { continue }
      if track.kind == .video { drawPictures(track, facts) } else { drawSound(track, facts) }
      drawCut(track)
    }
    let bottom = y
    drawPart(from: Self.axisTop, to: bottom)
    drawLegend()
    let width = SVGText.number(scale.left + scale.width + Self.margin)
    let height = SVGText.number(y + Self.margin / 2)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)" role="img" aria-labelledby="title">
      <title id="title">\(SVGText.escaped("Timeline of \(media.location)"))</title>
      <style>\(Self.style)</style>
      <defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" \
      patternTransform="rotate(45)"><rect class="page" width="6" height="6"/>\
      <rect class="hatch" width="2" height="6"/></pattern></defs>
      <rect class="page" width="\(width)" height="\(height)"/>
      \(page.text)\(above.text)</svg>

      """
  }

  private static let axisTop = margin + 44

  private mutating func drawHead() {
    let length = DecimalText.shortest(media.bounds.length.seconds)
    page.label(media.location, x: Self.margin, y: y + 14, style: "title")
    page.label(
      "\(media.facts.container.longName), presented \(length) s", x: Self.margin, y: y + 32)
    y = Self.axisTop
  }

  private mutating func drawAxis() {
    for tick in scale.ticks {
      let x = scale.x(tick)
      page.path("tick", "M\(SVGText.number(x)) \(SVGText.number(y + 16))v6")
      page.label(TimeScale.label(tick), x: x, y: y + 12, style: "small", anchor: "middle")
    }
    page.path(
      "tick", "M\(SVGText.number(scale.left)) \(SVGText.number(y + 22))h\(Int(scale.width))")
    y += 30
  }

  private mutating func drawChapters() {
    guard !media.facts.chapters.isEmpty else { return }
    rowLabel("chapters")
    for (number, chapter) in media.facts.chapters.prefix(200).enumerated() {
      guard let start = try? chapter.start.distance(from: media.origin) else { continue }
      let end = chapter.end.flatMap { try? $0.distance(from: media.origin) }
      let from = scale.x(MediaTime(seconds: start.seconds))
      let to = end.map { scale.x(MediaTime(seconds: $0.seconds)) } ?? scale.x(media.bounds.end)
      let name = chapter.title ?? "#\(chapter.number)"
      page.rectangle(
        number % 2 == 0 ? "chapter" : "chapter other", x: from, y: y,
        width: max(1, to - from), height: 18, title: name)
      // About seven units per letter; what does not fit is in the tooltip.
      let room = Int((to - from - 8) / 7)
      if room >= 2 {
        page.label(
          name.count > room ? name.prefix(room - 1) + "…" : name, x: from + 4, y: y + 13,
          style: "small")
      }
    }
    y += 28
  }

  mutating func rowLabel(_ words: String, below: String? = nil, height: Double = 18) {
    page.label(words, x: Self.margin, y: y + 13)
    if let below { page.label(below, x: Self.margin, y: y + 29, style: "small") }
  }

  func seconds(_ length: MediaDuration) -> String {
    "\(DecimalText.fixed(length.seconds, places: 3)) s"
  }
}

extension TimelineDrawing {
  /// The chosen part: everything outside it is dimmed.
  private mutating func drawPart(from top: Double, to bottom: Double) {
    guard media.part != media.bounds else { return }
    let (left, right) = (scale.x(media.part.start), scale.x(media.part.end))
    page.rectangle(
      "outside", x: scale.left, y: top + 24, width: left - scale.left, height: bottom - top - 24)
    page.rectangle(
      "outside", x: right, y: top + 24, width: scale.left + scale.width - right,
      height: bottom - top - 24)
    for (x, anchor, time) in [
      (left, "start", media.part.start), (right, "end", media.part.end),
    ] {
      page.path(
        "edge", "M\(SVGText.number(x)) \(SVGText.number(top + 18))V\(SVGText.number(bottom))")
      page.label(
        DecimalText.shortest(time.seconds), x: anchor == "start" ? x + 4 : x - 4, y: bottom + 10,
        style: "small strong", anchor: anchor)
    }
    y += 14
    if case .refused(let reason) = cut {
      page.label("A cut of this part is refused: \(reason).", x: Self.margin, y: y + 12)
      y += 18
    }
  }

  private mutating func drawLegend() {
    y += 12
    var x = Self.margin
    let legend = cut == nil ? Self.legend : Self.legend + Self.cutLegend
    for (style, words) in legend {
      page.rectangle(style, x: x, y: y, width: 12, height: 12)
      page.label(words, x: x + 17, y: y + 10, style: "small")
      x += 17 + Double(words.count) * 6.4 + 16
      if x > scale.left + scale.width - 120 {
        x = Self.margin
        y += 18
      }
    }
    y += 20
  }

  private static let legend = [
    ("clean", "closed GOP"), ("open", "open GOP"), ("doubtful", "flagged only"),
    ("unknown", "not examined"), ("key", "keyframe"), ("frame", "frame"), ("sound", "audio"),
    ("hidden", "hidden: edit list, priming, padding"), ("gap", "gap"), ("overlap", "overlap"),
  ]

  private static let cutLegend = [("copied", "copied by a cut"), ("encoded", "re-encoded")]

  private static let style = """

    text { font: 12px system-ui, sans-serif; fill: #1f2933 }
    .title { font-size: 15px; font-weight: 600 } .small { font-size: 10.5px; fill: #52606d }
    .strong { font-weight: 600; fill: #1f2933 } .page { fill: #ffffff }
    .tick { stroke: #9aa5b1; fill: none } .chapter { fill: #e4e7eb } .other { fill: #cbd2d9 }
    .clean { fill: #8fc9a3 } .open { fill: #f2c572 } .doubtful { fill: #e08a7d }
    .unknown { fill: #c3cad2 } .join { stroke: #ffffff; stroke-width: 1; fill: none }
    .key { fill: #1d6f42 } .frame { fill: #7aa7d8 } .sound { fill: #a99bd6 }
    .hidden { fill: url(#hatch) } .hatch { fill: #9aa5b1 } .gap { fill: #d64545 }
    .overlap { fill: #f0932b } .outside { fill: #ffffff; fill-opacity: .65 }
    .copied { fill: #2f9e8f } .encoded { fill: #d6336c }
    .edge { stroke: #1f2933; stroke-width: 1.5; fill: none }
    @media (prefers-color-scheme: dark) {
    text { fill: #e4e7eb } .small { fill: #9aa5b1 } .strong { fill: #e4e7eb } .page { fill: #16191d }
    .chapter { fill: #323f4b } .other { fill: #3e4c59 } .outside { fill: #16191d }
    .join { stroke: #16191d } .key { fill: #7fe0a3 } .edge { stroke: #e4e7eb }
    }

    """
}
