import ExactTime
import ISOMedia
import Libav
import MediaFacts
import MediaFiles
import Trimming

extension OpenedFile {
  /// A plan with what the output will not hold, and when it was recorded.
  func examined(_ plan: CutPlan) -> CutPlan {
    var plan = plan
    let capture = CaptureTime(source, plan)
    let tracks = plan.tracks.filter { $0.dropped == nil && !$0.isCover }.map(\.index)
    var whole = source.native.map {
      WholeFileBoxes(
        source: $0, plan: plan, lateness: capture.isMoved ? capture.lateness : nil)
    }
    let written: SourceParts
    let parts = sourceParts()
    switch parts {
    case .boxes where plan.container.isISO: written = foreseen(plan, tracks, &whole)
    case .chunks(let chunks): written = .chunks(foreseen(plan, chunks, tracks))
    case .elements(let elements) where plan.container.rules.isMatroska:
      written = .elements(foreseen(plan, elements, tracks))
    case .boxes, .elements, .none: written = .none
    }
    plan.leftOut = LeftOutParts(
      source: source, parts: parts, tracks: tracks, container: plan.container,
      removed: whole?.leftOut ?? []
    ).found(written)
    plan.leftOut = (plan.leftOut ?? []) + source.leftOut
    plan.creation = capture.statement ?? whole?.creation
    return plan
  }

  private func foreseen(
    _ plan: CutPlan, _ tracks: [Int], _ whole: inout WholeFileBoxes?
  ) -> SourceParts {
    guard let native = source.native, var boxes = try? native.readBoxes() else {
      return .none
    }
    whole?.revise(&boxes.movie)
    boxes.tracks = tracks.filter(boxes.tracks.indices.contains).map { boxes.tracks[$0] }
    boxes.become(plan.container.brands)
    for (place, track) in tracks.enumerated() where boxes.tracks.indices.contains(place) {
      let planned = plan.tracks.first { $0.index == track }
      guard let planned, planned.kind == .video, planned.encoded == planned.packets else {
        continue
      }
      var output = ISOOutputTrack(boxes.tracks[place])
      output.leaveSecondLayer()
      boxes.tracks[place] = output.boxes
    }
    return .boxes(ISOPartWalk(carrying: boxes))
  }

  private func foreseen(
    _ plan: CutPlan, _ chunks: SourceChunks, _ tracks: [Int]
  ) -> SourceChunks {
    guard chunks.kind?.container == plan.container else { return chunks.keeping { _ in false } }
    let moved = (try? AddedChunk.moved(chunks, of: source, to: plan)) ?? []
    let added = Set(moved.map { $0.type == "LIST" ? "LIST adtl" : $0.type })
    let shape = source.tracks.map { $0.shape?.sampleAspectRatio != nil }
    var kept = chunks.keeping { chunk in
      if chunk.place == "LIST INFO" { return SourceChunks.written.contains(chunk.type) }
      // A file may list more streams than there are.
      if chunk.type == "vprp" {
        return chunk.stream.map { shape.indices.contains($0) && shape[$0] } ?? false
      }
      return added.contains(chunk.type) || SourceChunks.tags.contains(chunk.type)
    }
    kept.renumber { tracks.firstIndex(of: $0) }
    return kept
  }

  private func foreseen(
    _ plan: CutPlan, _ elements: MatroskaParts, _ tracks: [Int]
  ) -> MatroskaParts {
    let attached = plan.tracks.count {
      $0.dropped == nil && ($0.isCover || $0.kind == .attachment)
    }
    let lead = (try? source.zero.distance(from: .zero)) ?? .zero
    let chapters = (try? source.chapters(for: plan.request)) ?? []
    let hasChapters = chapters.contains { chapter in
      plan.parts.contains { part in
        let end = chapter.end.flatMap { try? $0.moved(back: lead) }
        guard let start = try? chapter.start.moved(back: lead), start < part.range.end else {
          return false
        }
        return end.map { $0 > part.range.start } ?? true
      }
    }
    return elements.written(attached: attached, hasChapters: hasChapters) {
      tracks.firstIndex(of: $0)
    }
  }
}

extension SourceChunks.Kind {
  fileprivate var container: OutputContainer {
    switch self {
    case .wave: .wav
    case .avi: .avi
    case .aiff: .aiff
    case .caf: .caf
    case .flac: .flac
    case .ogg: .ogg
    }
  }
}
