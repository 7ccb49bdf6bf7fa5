import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// What a cut of the chosen part would do.
enum PlannedCut {
  case plan(CutPlan)
  /// Why there would be none.
  case refused(String)

  init(of film: DrawnFilm, in tool: Tool) {
    let ending = film.path.lastIndex(of: UInt8(ascii: ".")).map {
      String(decoding: film.path[($0 + 1)...], as: UTF8.self)
    }
    let container =
      ending.flatMap { OutputContainer(nameEnding: $0) }
      ?? (film.facts.container.format == "matroska" ? .matroska : .mp4)
    do throws(CutError) {
      let source = try FileCutter(isCancelled: { tool.interruption() != 0 }).open(
        .file(path: film.path))
      self = .plan(try source.plan(CutRequest(range: film.part), for: container))
    } catch {
      self = .refused(error.message)
    }
  }
}

extension TimelineDrawing {
  /// The plan in a row of its own beneath a track.
  mutating func drawCut(_ track: TimelineTrack) {
    guard case .plan(let plan) = cut,
      let part = plan.tracks.first(where: { $0.id == track.id && $0.kind == track.kind })
    else { return }
    guard let source = part.source, part.dropped == nil else {
      page.label(
        "cut: left out, \(part.dropped ?? "nothing of it is in the part")", x: scale.left,
        y: y + 10, style: "small")
      y += 18
      return
    }
    let seams = seams(of: part, source, track)
    for (style, from, to, count) in [
      ("encoded", source.start, seams.head, part.encodedHead),
      ("copied", seams.head, seams.tail, part.packets - part.encodedHead - part.encodedTail),
      ("encoded", seams.tail, source.end, part.encodedTail),
    ] where count > 0 {
      let x = scale.x(from)
      page.rectangle(
        style, x: x, y: y, width: max(1, scale.x(to) - x), height: 10,
        title: "\(count) \(track.kind == .video ? "frames" : "packets") \(style)")
    }
    page.label(words(part, track), x: Self.margin, y: y + 9, style: "small")
    y += 24
  }

  /// Where the copied run begins and ends.
  private func seams(
    of part: TrackPlan, _ source: MediaTimeRange, _ track: TimelineTrack
  ) -> (head: MediaTime, tail: MediaTime) {
    if part.encoded == part.packets { return (source.end, source.end) }
    guard part.encoded > 0 else { return (source.start, source.end) }
    let starts = track.packets.lazy.filter { !$0.isHidden }.map(\.start)
      .filter { $0 >= source.start && $0 < source.end }
    let shown = Array(starts)
    let tail = shown.count - part.encodedTail
    return (
      shown.indices.contains(part.encodedHead) ? shown[part.encodedHead] : source.start,
      part.encodedTail > 0 && shown.indices.contains(tail) ? shown[tail] : source.end
    )
  }

  private func words(_ part: TrackPlan, _ track: TimelineTrack) -> String {
    let copied = part.packets - part.encoded
    return part.encoded == 0
      ? "cut: \(copied) copied" : "cut: \(copied) copied, \(part.encoded) new"
  }
}
