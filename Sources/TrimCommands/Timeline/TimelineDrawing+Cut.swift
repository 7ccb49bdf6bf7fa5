import CommandLineKit
import ExactTime
import Isolation
import MediaEngine
import MediaFacts
import Trimming

/// What a cut of the chosen part would do.
enum PlannedCut {
  case plan(CutPlan)
  /// Why there would be none.
  case refused(String)

  init(of media: DrawnMedia, with desk: EngineDesk) {
    let output = TrimmedName.of(media.path, holding: media.facts)
    let container = OutputContainer(fileName: output) ?? .mp4
    do throws(MediaError) {
      let source = try desk.engine.open(.file(path: media.path), desk.isCancelled)
      self = .plan(try source.plan(CutRequest(range: media.part), for: container))
    } catch {
      self = .refused(error.message)
    }
  }
}

extension TimelineDrawing {
  /// Draws the plan in a separate row beneath a track.
  mutating func drawCut(_ track: TimelineTrack) {
    guard case .plan(let plan) = cut,
      let part = plan.tracks.first(where: { $0.id == track.id && $0.kind == track.kind })
    else { return }
    guard part.source != nil, part.dropped == nil else {
      page.label(
        "cut: left out, \(part.dropped ?? "nothing of it is in the part")", x: scale.left,
        y: y + 10, style: "small")
      y += 18
      return
    }
    for segment in part.segments where segment.treatment != .hidden {
      let x = scale.x(segment.source.start)
      let what = CountText.of(segment.packets, track.kind == .video ? "frame" : "packet")
      page.rectangle(
        segment.treatment.rawValue, x: x, y: y, width: max(1, scale.x(segment.source.end) - x),
        height: 10, title: "\(what) \(segment.treatment == .encoded ? "re-encoded" : "copied")")
    }
    page.label(words(part, track), x: Self.margin, y: y + 9, style: "small")
    y += 24
  }

  private func words(_ part: TrackPlan, _ track: TimelineTrack) -> String {
    let copied = part.packets - part.encoded
    return part.encoded == 0
      ? "cut: \(copied) copied" : "cut: \(copied) copied, \(part.encoded) new"
  }
}
