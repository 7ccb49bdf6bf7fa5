import ExactTime
import MediaFacts
import Trimming

/// Whether the tracks of several sources can follow each other as they are coded.
struct SourceFit {
  private let sources: JoinedSource
  private let container: OutputContainer
  /// The tracks that only some of the sources have, or have in different formats.
  private let missing: Set<Int>

  /// - Throws: ``CutError`` naming the source whose video or audio differs, and how.
  init(_ sources: JoinedSource, _ container: OutputContainer) throws(CutError) {
    self.sources = sources
    self.container = container
    guard container.rules.isISO || container.rules.isMatroska || container == .mpegts else {
      throw CutError(
        .codecDoesNotFit, "several files cannot be joined into \(container.rules.ending)",
        hint: "Write .mp4, .mkv or .ts.")
    }
    var missing: Set<Int> = []
    let most = sources.pieces.map(\.stated.count).max() ?? 0
    for track in 0..<most {
      let all = sources.pieces.map {
        $0.stated.indices.contains(track) ? $0.stated[track] : nil
      }
      for number in all.indices.dropFirst() {
        guard let why = Self.difference(all[number], all[0]) else { continue }
        // Whatever is not shown or heard is dropped, and so is a track that the first source lacks.
        guard all[0]?.facts.isPresented == true else {
          missing.insert(track)
          continue
        }
        throw Self.refusal(number, "its " + why, sources)
      }
    }
    self.missing = missing
  }

  private static func refusal(
    _ number: Int, _ why: String, _ sources: JoinedSource
  ) -> CutError {
    var error = CutError(
      .notCuttable, "it cannot follow \(sources.names[0]): \(why)",
      hint: "Convert it to the same format first.")
    error.source = number
    return error
  }

  /// How a track differs from the first source's; `nil` where it can follow it.
  private static func difference(_ own: SourceTrack?, _ first: SourceTrack?) -> String? {
    guard let first else { return own == nil ? nil : "tracks are others" }
    let kind = first.facts.kind.rawValue
    guard let own, own.facts.kind == first.facts.kind, own.facts.isCoverArt == first.facts.isCoverArt
    else { return "tracks are others: there is no \(kind) in track \(first.facts.id)" }
    guard own.facts.codec == first.facts.codec else {
      return "\(kind) is \(own.facts.codec), not \(first.facts.codec)"
    }
    if let mine = own.facts.video, let other = first.facts.video, own.facts.isPresented {
      return difference(mine, other)
    }
    if let mine = own.facts.audio, let other = first.facts.audio {
      return difference(mine, other)
        ?? (own.configuration == first.configuration ? nil : "audio has another configuration")
    }
    let isAlike = own.isTimedMetadata == first.isTimedMetadata
      && (own.timecode == nil) == (first.timecode == nil)
      && own.isChapterTrack == first.isChapterTrack
    return isAlike ? nil : "\(kind) is of another kind"
  }

  private static func difference(_ own: VideoFacts, _ first: VideoFacts) -> String? {
    if (own.width, own.height) != (first.width, first.height) {
      return "pictures are \(own.width)x\(own.height), not \(first.width)x\(first.height)"
    }
    let shapes = [own, first].map { $0.sampleAspectRatio ?? .one }
    if shapes[0] != shapes[1] { return "pixels are \(shapes[0]), not \(shapes[1]) wide" }
    if own.rotation != first.rotation || own.isMirrored != first.isMirrored {
      return "pictures are rotated by \(own.rotation)°, not \(first.rotation)°"
    }
    let pairs: [(String, String?, String?)] = [
      ("pixel format", own.pixelFormat, first.pixelFormat),
      ("color transfer", own.colorTransfer, first.colorTransfer),
      ("color primaries", own.colorPrimaries, first.colorPrimaries),
      ("color matrix", own.colorMatrix, first.colorMatrix),
      ("color range", own.colorRange, first.colorRange),
    ]
    for (name, mine, other) in pairs {
      guard let mine, let other, mine != other else { continue }
      return "\(name) is \(mine), not \(other)"
    }
    return nil
  }

  private static func difference(_ own: AudioFacts, _ first: AudioFacts) -> String? {
    if let mine = own.sampleRate, let other = first.sampleRate, mine != other {
      return "audio has \(mine) Hz, not \(other) Hz"
    }
    if let mine = own.channels, let other = first.channels, mine != other {
      return "audio has \(mine) channels, not \(other)"
    }
    return nil
  }

  /// The facts with what cannot be joined marked, and with the covers of the first source only.
  func aligned(_ facts: [SourceFacts]) -> [SourceFacts] {
    facts.enumerated().map { number, facts in
      var facts = facts
      for track in missing {
        if facts.tracks.indices.contains(track) { facts.tracks[track].isMissingElsewhere = true }
        if facts.counted?.indices.contains(track) == true {
          facts.counted?[track].isMissingElsewhere = true
        }
      }
      if number > 0 { facts.covers = [] }
      return facts
    }
  }

  /// The most that sound may be off at a seam.
  private static let mostShift = MediaDuration(1, 1000)

  /// Plans with copied sound, or if its packets do not fit together, with sound that is re-encoded
  /// as one stream.
  func joined(
    _ request: CutRequest, _ plan: (CutRequest) throws(CutError) -> CutPlan
  ) throws(CutError) -> CutPlan {
    let copied = try plan(request)
    guard !container.isISO, request.audio == .copy, !fits(copied) else { return copied }
    var request = request
    request.audio = .reencode
    var encoded = try plan(request)
    for place in encoded.tracks.indices
    where encoded.tracks[place].kind == .audio && encoded.tracks[place].dropped == nil {
      encoded.tracks[place].reasons.append("exact_at_the_seams")
    }
    return encoded
  }

  /// Whether at each seam a packet of sound ends where the first of the next part begins.
  private func fits(_ plan: CutPlan) -> Bool {
    for (one, next) in zip(plan.parts, plan.parts.dropFirst()) {
      for track in next.tracks {
        guard let cut = track.audio, !track.encodesSound, !cut.copied.isEmpty,
          let before = one.tracks.first(where: { $0.source == track.source })?.audio
        else { continue }
        guard let end = shown(before.copied.upperBound - 1, track.source, one)?.end,
          let start = shown(cut.copied.lowerBound, track.source, next)?.start,
          let gap = try? start.advanced(by: one.length).distance(from: end).checkedMagnitude(),
          gap <= Self.mostShift
        else { return false }
      }
    }
    return true
  }

  /// When a packet plays, counted from where its part begins.
  private func shown(_ place: Int, _ track: Int, _ part: PartPlan) -> MediaTimeRange? {
    let coded = sources.pieces[part.source].stated[track].coded
    guard coded.packets.indices.contains(place),
      let lead = try? part.start.distance(from: .zero),
      let start = try? coded.time(atTick: coded.packets[place].pts).moved(back: lead),
      let length = try? coded.grid.duration(ofTicks: max(0, coded.packets[place].duration))
    else { return nil }
    return try? MediaTimeRange(from: start, length: length)
  }
}

extension MissingFact {
  /// The number of the source that it is about.
  var source: Int {
    switch self {
    case .access(let source, _, _), .encoder(let source, _), .decoder(let source, _),
      .soundEncoder(let source, _), .holders(let source, _), .packetLengths(let source, _),
      .soundEntry(let source, _, _):
      source
    }
  }
}
