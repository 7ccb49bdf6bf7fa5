public import ExactTime
import MediaFacts

/// What a cut will do, before anything is written: all that is needed to execute, evaluate, draw
/// and verify it.
///
/// It is a plain value: it can be stored, sent to another machine and executed there.
public struct CutPlan: Sendable, Hashable, Codable {
  /// The sources that the plan is for, in the order of the request.
  public var sources: [SourceIdentity]
  /// The container of the output, from its name or the request.
  public var container: OutputContainer
  /// The request, and how the written file is to be verified.
  public var request: CutRequest
  /// The parts, in the order in which they are shown.
  public var parts: [PartPlan]
  /// Where the written file begins and ends on its own timeline: how long it is presented.
  public var written: MediaTimeRange
  /// What happens to each track of the sources, across all parts.
  public var tracks: [TrackPlan]
  /// What the source's header holds that the output will not, as far as known without writing it; `nil`
  /// where the source was not examined.
  public var leftOut: [LeftOut]?
  /// When the source and the output were recorded; `nil` where the source does not state it.
  public var creation: CreationTime?

  /// Creates a plan from parts that are already planned; nothing is checked here.
  public init(
    sources: [SourceIdentity], container: OutputContainer, request: CutRequest, parts: [PartPlan],
    written: MediaTimeRange, tracks: [TrackPlan]
  ) {
    self.sources = sources
    self.container = container
    self.request = request
    self.parts = parts
    self.written = written
    self.tracks = tracks
  }

  /// The requested range, from the earliest to the latest instant of all parts.
  public var requested: MediaTimeRange {
    let ranges = shownParts.map(\.requested)
    return ranges.dropFirst().reduce(ranges.first ?? written) { $0.union($1) }
  }

  /// The parts, with their times along the ordered edition that the source plays, where there is one.
  public var shownParts: [PartPlan] {
    zip(parts, request.parts).map { part, asked in
      guard let lead = asked.lead, var shown = try? part.moved(back: lead) else { return part }
      if let beyond = asked.beyond, let end = try? shown.requested.end.advanced(by: beyond) {
        shown.requested = MediaTimeRange(from: shown.requested.start, to: end) ?? shown.requested
      }
      return shown
    }
  }

  /// How long the written file is presented.
  public var length: MediaDuration { written.length }
  /// Frames of all video tracks that are re-encoded.
  public var encodedFrames: Int { pictures.reduce(0) { $0 + $1.encoded } }
  /// Frames of all video tracks in the output, copied and re-encoded.
  public var frames: Int { pictures.reduce(0) { $0 + $1.packets } }
  private var pictures: [TrackPlan] { tracks.filter { $0.kind == .video && !$0.isCover } }
  /// Covers that are kept: their indices among the tracks of a probe.
  public var covers: [Int] { tracks.filter { $0.isCover && $0.dropped == nil }.map(\.index) }
  /// Bytes that are copied as they are.
  public var copiedBytes: Int64 { tracks.reduce(0) { $0 + $1.copiedBytes } }
  /// The approximate file size: copied bytes plus what encoders usually produce for the rest.
  public var estimatedBytes: Int64 {
    tracks.reduce(0) { $0 + $1.copiedBytes + $1.estimatedBytes }
  }
}

extension CutPlan {
  /// True where every packet and cover named by the plan exists in the source, the output can hold those
  /// covers, and no number is out of bounds.
  ///
  /// A plan may come from an untrusted file.
  ///
  /// - Parameters:
  ///   - counts: the number of packets in each track.
  ///   - known: the indices of the tracks that are cover art.
  public func isWithin(_ counts: [Int], covers known: Set<Int>) -> Bool {
    isWithin([counts], covers: known)
  }

  /// The same for several sources, in order; the covers are those of the first.
  public func isWithin(_ counts: [[Int]], covers known: Set<Int>) -> Bool {
    let place = container.rules.labels.covers
    let most = place == nil ? 0 : place == .comment ? 1 : known.count
    return covers.count <= most && Set(covers).isSubset(of: known)
      && Set(covers).count == covers.count && !parts.isEmpty && parts.count == request.parts.count
      && parts.allSatisfy { part in
        sources.indices.contains(part.source) && counts.indices.contains(part.source)
          && Set(part.tracks.map(\.source)).count == part.tracks.count
          && part.tracks.allSatisfy { track in
            let counts = counts[part.source]
            return counts.indices.contains(track.source) && track.isWithin(counts[track.source])
          }
      }
  }
}

extension PartPlan.Track {
  fileprivate func isWithin(_ count: Int) -> Bool {
    let packets = 0..<count
    func holds(_ places: [Int]) -> Bool { places.allSatisfy(packets.contains) }
    func holds(_ range: Range<Int>) -> Bool { range.isEmpty || packets.contains(range) }
    if let cut = video {
      let left = Set(cut.left)
      // Leading pictures of the run's first keyframe lie within it, but are not copied.
      func isCopied(_ place: Int) -> Bool { cut.copied.contains(place) && !left.contains(place) }
      guard holds(cut.head), holds(cut.tail), holds(cut.copied), holds(cut.headSource),
        holds(cut.tailSource), left.union(cut.hidden).allSatisfy(cut.copied.contains),
        Set(cut.replaced).isSubset(of: cut.left),
        cut.head.allSatisfy({ cut.headSource.contains($0) && !isCopied($0) }),
        cut.replaced.allSatisfy(cut.headSource.contains),
        cut.tail.allSatisfy({ cut.tailSource.contains($0) && !isCopied($0) }),
        cut.frameCount > 0,
        cut.lead.map({ cut.head.contains($0) || cut.tail.contains($0) || isCopied($0) }) ?? true
      else { return false }
    }
    if let cut = audio {
      // No plan hides more than an hour, whatever the sample rate.
      let hidden = Int64(0)...1 << 32
      guard holds(cut.copied), !cut.copied.isEmpty, hidden.contains(cut.hiddenStart),
        hidden.contains(cut.hiddenEnd), !cut.length.isNegative
      else { return false }
    }
    return holds(clipped) && (video == nil || audio == nil)
  }
}

extension CutPlan {
  /// The packets that the parts take from an audio track, in order.
  ///
  /// - Parameter source: the source of the track, by its number in the plan.
  public func pieces(ofTrack index: Int, source: Int = 0) -> [AudioDescriptions.Piece] {
    parts.filter { $0.source == source }.flatMap(\.tracks).filter { $0.source == index }
      .compactMap { track in
        track.audio.map { .init($0.copied, isEncoded: track.encodesSound) }
      }
  }

  /// Why the audio of the parts cannot share one description; `nil` where it can.
  ///
  /// - Parameter sources: the facts of the plan's sources, in order.
  public func descriptionRefusal(_ sources: [SourceFacts]) -> PlanRefusal? {
    for (number, source) in sources.enumerated() {
      for (index, track) in source.tracks.enumerated() {
        let obstacle = track.descriptions.obstacle(
          to: pieces(ofTrack: index, source: number),
          keepsHeaders: container.rules.audio.keepsADTSHeaders)
        if let obstacle { return refusal(obstacle, track) }
      }
    }
    return nil
  }

  private func refusal(
    _ obstacle: AudioDescriptions.Obstacle, _ track: SourceFacts.Track
  ) -> PlanRefusal {
    switch obstacle {
    case .changesWithin(let place):
      return .cannotBeCut(
        track,
        "its channels or sample rate change\(track.when(place)), in the range or right before it")
    case .differs:
      return PlanRefusal(
        .notCuttable, "the audio of the parts differs in channels or sample rate",
        hint: "Write each part to its own file.")
    case .unlikeBeginning:
      return .cannotBeCut(
        track, "its sample rate or channel layout here differs from that at its beginning",
        hint: container.rules.audio.keepsADTSHeaders ? "Copy its packets instead." : "Write .ts.")
    }
  }
}

extension SourceFacts.Track {
  /// The packet's time for a message; begins with a space, empty where it does not fit in 64 bits.
  fileprivate func when(_ place: Int) -> String {
    guard let time = try? coded.time(atTick: coded.packets[place].pts) else { return "" }
    return " at \(time.seconds.decimalText(places: 6, rounding: .nearest)) s"
  }
}

extension PlanRefusal {
  /// A refusal for a track with something that no output can hold.
  static func cannotBeCut(
    _ track: SourceFacts.Track, _ obstacle: String, hint: String? = nil
  ) -> PlanRefusal {
    PlanRefusal(
      .notCuttable, "track \(track.id) (\(track.codec)) cannot be cut: " + obstacle, hint: hint)
  }
}
