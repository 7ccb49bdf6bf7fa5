import ExactTime
import MediaFacts
import MediaFiles
import Trimming

/// Whether the tracks of several sources can follow each other as they are coded.
struct SourceFit {
  private let sources: JoinedSource
  private let container: OutputContainer
  /// The tracks that only some of the sources have, or have in different formats.
  private let missing: Set<Int>
  /// The audio tracks that cannot be copied, since not all sources have them, or have them alike.
  private let unlike: Set<Int>

  /// - Throws: ``MediaError`` naming the source whose video or audio differs, and how.
  init(_ sources: JoinedSource, _ container: OutputContainer) throws(MediaError) {
    self.sources = sources
    self.container = container
    guard Self.joins(container) else {
      throw MediaError(
        .codecDoesNotFit, "several sources cannot be joined into \(container.rules.ending)",
        hint: "Write .mp4, .mkv or .ts.")
    }
    var (missing, unlike): (Set<Int>, Set<Int>) = ([], [])
    let most = sources.pieces.map(\.tracks.count).max() ?? 0
    for track in 0..<most {
      let all = sources.pieces.map { $0.lacks(track) ? nil : $0.tracks[track] }
      let described = sources.leader.tracks
      let isLent = described.indices.contains(track) && described[track].isLent
      let leader = isLent ? described[track] : all[sources.leading]
      if isLent { unlike.insert(track) }
      for number in all.indices where number != sources.leading {
        guard let difference = Self.difference(all[number], leader) else { continue }
        switch difference {
        case .sound: unlike.insert(track)
        // Whatever is not shown or heard is dropped, and so is a track that the leading source lacks.
        case .refused where leader?.facts.isPresented != true: missing.insert(track)
        case .refused(let why): throw Self.refusal(number, "its " + why, sources)
        }
      }
    }
    self.missing = missing
    self.unlike = unlike
  }

  /// Whether several sources are joined into a container at all.
  static func joins(_ container: OutputContainer) -> Bool {
    container.rules.isISO || container.rules.isMatroska || container == .mpegts
  }

  /// How a track differs from the leading source's.
  private enum Difference {
    /// It cannot follow it.
    case refused(String)
    /// Its sound can, if it is re-encoded: another codec or configuration, or none.
    case sound
  }

  private static func refusal(
    _ number: Int, _ why: String, _ sources: JoinedSource
  ) -> MediaError {
    var error = MediaError(
      .notCuttable, "it cannot be joined with \(sources.names[sources.leading]): \(why)",
      hint: "Convert it to the same format first.")
    error.source = number
    return error
  }

  private static func difference(_ own: SourceTrack?, _ first: SourceTrack?) -> Difference? {
    guard let first else { return own == nil ? nil : .refused("tracks are others") }
    let kind = first.facts.kind.rawValue
    guard let own else {
      return first.facts.kind == .audio && first.facts.isPresented
        ? .sound
        : .refused("tracks are others: there is no \(kind) in number \(first.facts.index + 1)")
    }
    guard own.facts.kind == first.facts.kind, own.facts.isCoverArt == first.facts.isCoverArt else {
      return .refused(
        "tracks are others: number \(first.facts.index + 1) is \(own.facts.kind.rawValue), not \(kind)"
      )
    }
    if let mine = own.facts.audio, let other = first.facts.audio, own.facts.isPresented {
      return own.facts.codec == first.facts.codec && own.configuration == first.configuration
        && mine.sampleRate == other.sampleRate && mine.channels == other.channels ? nil : .sound
    }
    if own.facts.isPresented, let difference = PictureDifference(own, from: first) {
      return difference.text.map { .refused($0) }
    }
    guard own.facts.codec == first.facts.codec else {
      return .refused("\(kind) is \(own.facts.codec), not \(first.facts.codec)")
    }
    let isAlike =
      own.isTimedMetadata == first.isTimedMetadata
      && (own.timecode == nil) == (first.timecode == nil)
      && own.isChapterTrack == first.isChapterTrack
    return isAlike ? nil : .refused("\(kind) is of another kind")
  }

  /// The facts with what cannot be joined marked, and with the covers of the leading source only.
  ///
  /// - Parameter copies: whether audio is to be copied where its format allows it.
  private func aligned(
    _ facts: [SourceFacts], _ request: CutRequest, copies: Bool
  ) -> [SourceFacts] {
    let mayConvert = sources.areFiles && request.joinMode != .copy && request.mode != .copy
    return facts.enumerated().map { number, facts in
      var facts = facts
      func mark(_ tracks: inout [SourceFacts.Track]) {
        for track in tracks.indices {
          tracks[track].isMissingElsewhere = missing.contains(track)
          tracks[track].fitsAtSeams = copies && !unlike.contains(track)
          tracks[track].differsElsewhere = unlike.contains(track)
          tracks[track].convertsAtSeams = mayConvert
        }
      }
      mark(&facts.tracks)
      if var counted = facts.counted {
        mark(&counted)
        facts.counted = counted
      }
      if number != sources.leading { facts.covers = [] }
      return facts
    }
  }

  /// The most that sound may be off at a seam.
  private static let mostShift = MediaDuration(1, 1000)

  /// The most by which one file of a continuous recording may overlap the next: some packets of
  /// sound.
  private static let mostOverlap = MediaDuration(1)

  /// Plans with copied sound, or if its packets do not fit together, with sound that is re-encoded
  /// as one stream.
  func joined(
    _ request: CutRequest,
    _ plan: (CutRequest, ([SourceFacts]) -> [SourceFacts]) throws(MediaError) -> CutPlan
  ) throws(MediaError) -> CutPlan {
    if request.audio == .copy, unlike.isEmpty {
      let copied = try plan(request) { aligned($0, request, copies: true) }
      if let fitting = fitted(copied) { return fitting }
    }
    return reported(try plan(request) { aligned($0, request, copies: false) })
  }

  /// The plan with why sound is one stream, and with the packets of silence where a source has none.
  private func reported(_ plan: CutPlan) -> CutPlan {
    var plan = plan
    for place in plan.tracks.indices {
      let track = plan.tracks[place]
      guard track.kind == .audio, track.dropped == nil, !track.isCover else { continue }
      unite(&plan, place)
      let silent = plan.parts.filter { !$0.tracks.contains { $0.source == track.index } }
      let isDifferent = sources.pieces.contains { piece in
        !piece.lacks(track.index)
          && Self.difference(
            piece.tracks[track.index], sources.leader.tracks[track.index]) != nil
      }
      if isDifferent { plan.tracks[place].reasons.append(.soundDiffers) }
      guard !silent.isEmpty else { continue }
      plan.tracks[place].reasons.append(.silenceInserted)
      guard let piece = sources.pieces.first(where: { !$0.lacks(track.index) }) else { continue }
      let coded = piece.tracks[track.index].coded
      guard let ticks = coded.packets.lazy.map(\.duration).first(where: { $0 > 0 }),
        let length = try? coded.grid.duration(ofTicks: ticks)
      else { continue }
      for part in silent {
        let count = try? part.length.seconds.divided(by: length.seconds).rounded(.up)
        plan.tracks[place].packets += Int(clamping: count ?? 0)
        plan.tracks[place].encoded += Int(clamping: count ?? 0)
      }
    }
    return plan
  }

  /// Gives a track that is encoded as one stream one codec: what that of the leading source becomes.
  private func unite(_ plan: inout CutPlan, _ place: Int) {
    let index = plan.tracks[place].index
    guard sources.leader.tracks.indices.contains(index) else { return }
    let leading = sources.leader.tracks[index].facts.codec
    func encoded(_ part: PartPlan) -> Int? {
      part.tracks.firstIndex { $0.source == index && $0.encodesSound }
    }
    let first = plan.parts.first { part in
      encoded(part) != nil && sources.pieces[part.source].tracks[index].facts.codec == leading
    }
    guard let first, let own = encoded(first) else { return }
    let codec = first.tracks[own].soundCodec
    for number in plan.parts.indices {
      if let track = encoded(plan.parts[number]) {
        plan.parts[number].tracks[track].soundCodec = codec
      }
    }
    plan.tracks[place].encodedAs = codec
  }

  /// The plan with parts that follow each other as their packets do; `nil` where copied sound would
  /// be off at a seam.
  ///
  /// Recorders that split a recording do not end video and audio of a file at the same time. What is
  /// missing of one of them at the end is then at the beginning of the next file.
  private func fitted(_ plan: CutPlan) -> CutPlan? {
    var plan = plan
    guard plan.parts.contains(where: { $0.tracks.contains { $0.audio != nil && !$0.encodesSound } })
    else { return plan }
    for place in plan.parts.indices.dropLast() {
      let (one, next) = (plan.parts[place], plan.parts[place + 1])
      var distances: [MediaDuration] = []
      for track in next.tracks where !track.encodesSound {
        guard let before = one.tracks.first(where: { $0.source == track.source }) else {
          if track.audio != nil { return nil }
          continue
        }
        if track.video != nil {
          guard let distance = try? before.outputRange.end.distance(from: track.outputRange.start)
          else {
            return nil
          }
          // Pictures decide.
          distances.insert(distance, at: 0)
        } else if let cut = track.audio, let sound = before.audio {
          guard let end = shown(sound.copied.upperBound - 1, track.source, one)?.end,
            let start = shown(cut.copied.lowerBound, track.source, next)?.start,
            let distance = try? end.distance(from: start)
          else { return nil }
          distances.append(distance)
        }
      }
      let asked = distances.allSatisfy { isNear($0, one.length, Self.mostShift) }
      guard let distance = asked ? one.length : distances.first, distance.isPositive,
        distances.allSatisfy({ isNear($0, distance, Self.mostShift) }),
        isNear(distance, one.length, asked ? Self.mostShift : Self.mostOverlap),
        asked || endsWhole(one) && beginsWhole(next),
        let change = try? distance.subtracting(one.length),
        let end = try? plan.written.end.advanced(by: change),
        let written = MediaTimeRange(from: plan.written.start, to: end)
      else { return nil }
      plan.parts[place].length = distance
      plan.written = written
    }
    return plan
  }

  private func isNear(_ one: MediaDuration, _ other: MediaDuration, _ most: MediaDuration) -> Bool {
    guard let difference = try? one.subtracting(other).checkedMagnitude() else { return false }
    return difference <= most
  }

  private func beginsWhole(_ part: PartPlan) -> Bool { part.requested.start <= .zero }

  private func endsWhole(_ part: PartPlan) -> Bool {
    guard let length = sources.pieces[part.source].facts.durations.presented?.length else {
      return false
    }
    return part.requested.end >= MediaTime(seconds: length.seconds)
  }

  /// How long a packet plays: MP4 may state less of the last one, where an edit ends in it, but decoders output
  /// all of it.
  private func heard(_ place: Int, _ coded: CodedTrack) -> Int64 {
    let stated = coded.packets[place].duration
    guard AudioCodec.hasEqualPackets(coded.codec) else { return stated }
    return max(stated, coded.usualDuration(of: max(0, place - 16)..<place + 1) ?? 0)
  }

  /// When a packet plays, counted from where its part begins.
  private func shown(_ place: Int, _ track: Int, _ part: PartPlan) -> MediaTimeRange? {
    let coded = sources.pieces[part.source].tracks[track].coded
    guard coded.packets.indices.contains(place),
      let lead = try? part.start.distance(from: .zero),
      let start = try? coded.time(atTick: coded.packets[place].pts).moved(back: lead),
      let length = try? coded.grid.duration(ofTicks: max(0, heard(place, coded)))
    else { return nil }
    return try? MediaTimeRange(from: start, length: length)
  }
}

extension MissingFact {
  /// The number of the source that it is about.
  var source: Int {
    switch self {
    case .access(let source, _, _), .encoder(let source, _), .decoder(let source, _),
      .soundEncoder(let source, _), .codecs(let source), .holders(let source, _),
      .packetLengths(let source, _), .soundEntry(let source, _, _), .alpha(let source, _):
      source
    }
  }
}
