import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// A source with its tracks in the order of another one, the leading source of a join, and with
/// pictures that are described as the leading source's: they are re-encoded to that, whatever they
/// are coded as, and black where it has none.
final class RefittedSource: DerivedSource {
  let inner: any CutSource
  private let outer: (any CutSource)?
  /// What the pictures become where no source leads with its own.
  private let made: (track: Int, pictures: MadePictures)?
  /// The source that describes what the pictures become.
  var leader: any CutSource { outer ?? (made == nil ? inner : self) }
  let arrangement: Arrangement

  /// How its tracks are matched with the leading source's.
  struct Arrangement: Hashable {
    /// For each track its number in the inner source; `nil` for one that it lacks.
    var order: [Int?]
    /// The video tracks that are re-encoded.
    var refits: [Int: PictureRefit] = [:]
    /// The source and the track that describe tracks which only others have, of the leading source.
    var lent: [Int: Lender] = [:]
  }

  struct Lender: Hashable {
    var source: Int
    var track: Int
  }

  private let lenders: [Int: SourceTrack]

  /// - Parameters:
  ///   - leader: `nil` for the leading source itself.
  ///   - sources: all that are joined.
  ///   - made: for the leading source, the track whose pictures get another format, and that.
  init(
    _ inner: any CutSource, like leader: (any CutSource)?, _ arrangement: Arrangement,
    among sources: [any CutSource], made: (track: Int, pictures: MadePictures)? = nil
  ) {
    self.inner = inner
    outer = leader
    self.made = made
    self.arrangement = arrangement
    lenders = arrangement.lent.mapValues { lender in
      var track = sources[lender.source].tracks[lender.track]
      track.stream = inner.tracks.first?.stream ?? 0
      track.coded.packets = []
      track.sampleCounts = []
      track.isLent = true
      return track
    }
  }

  /// The same source for an output: with what that requires of the inner and of the leading one.
  init(_ whole: RefittedSource, over inner: any CutSource, like leader: (any CutSource)?) {
    self.inner = inner
    outer = leader
    (made, arrangement, lenders) = (whole.made, whole.arrangement, whole.lenders)
  }

  var base: any CutSource { inner }
  var refitted: RefittedSource? { self }
  private(set) lazy var tracks: [SourceTrack] = arranged(
    inner.tracks, like: (outer ?? inner).tracks)

  /// The inner track that a track shows; `nil` where there is none.
  func place(ofTrack index: Int) -> Int? {
    arrangement.order.indices.contains(index) ? arrangement.order[index] : nil
  }

  /// The source that tells whether a container holds a track.
  func describing(_ index: Int) -> (source: any CutSource, track: Int) {
    if arrangement.refits[index] != nil { return (leader, index) }
    return (inner, place(ofTrack: index) ?? 0)
  }

  func arranged(_ own: [SourceTrack], like theirs: [SourceTrack]) -> [SourceTrack] {
    arrangement.order.enumerated().map { index, place in
      if let track = lenders[index] { return track }
      var track = place.map { own[$0] } ?? absent(index, like: theirs[index])
      guard arrangement.refits[index] != nil else { return track }
      if let made, made.track == index {
        return made.pictures.described(track)
      }
      var described = theirs[index]
      described.facts.durations = track.facts.durations
      described.facts.video?.nominalFrameRate = track.facts.video?.nominalFrameRate
      described.facts.video?.averageFrameRate = track.facts.video?.averageFrameRate
      described.facts.video?.isConstantFrameRate = track.facts.video?.isConstantFrameRate
      track.coded.codec = described.coded.codec
      described.coded = track.coded
      described.coded.index = index
      described.roundedBy = track.roundedBy
      described.obstacle = track.obstacle
      described.describedAt = nil
      described.hasAlpha = false
      (described.corrupt, described.strays, described.overlaps) = ([], [:], [])
      return described
    }
  }

  /// A track that the inner source lacks: black pictures, or nothing.
  private func absent(_ index: Int, like other: SourceTrack) -> SourceTrack {
    var track = other
    track.obstacle = nil
    guard arrangement.refits[index] != nil else {
      // Nothing is read of it.
      track.facts.kind = .data
      track.facts.dispositions = []
      track.coded.packets = []
      track.sampleCounts = []
      return track
    }
    track.coded = black(other)
    track.facts.durations = Durations()
    return track
  }

  private func black(_ other: SourceTrack) -> CodedTrack {
    let rate = Self.rate(of: other.facts)
    let grid =
      (try? Rational.one.divided(by: rate)).flatMap { try? TickGrid(secondsPerTick: $0) }
      ?? TickGrid(ticksPerSecond: 25)
    let length = inner.facts.durations.presented?.length ?? .zero
    let count = (try? grid.ticks(of: length, rounding: .up)) ?? 0
    var packets: ContiguousArray<CodedPacket> = []
    for tick in 0..<max(0, min(count, Self.mostBlack)) {
      packets.append(
        CodedPacket(pts: tick, dts: tick, duration: 1, byteCount: 0, isKey: true))
    }
    return CodedTrack(
      index: other.coded.index, kind: .video, codec: other.coded.codec, grid: grid,
      origin: .zero, visible: 0..<max(0, count), packets: packets)
  }

  /// A week at 60 frames per second.
  private static let mostBlack: Int64 = 36_288_000

  /// How many black pictures are shown a second: as many as are of the leading source, since players
  /// show one that stands for minutes late, or wait for the next.
  static func rate(of facts: TrackFacts) -> Rational {
    let rate = facts.video?.nominalFrameRate ?? facts.video?.averageFrameRate
    return rate.flatMap { $0.isPositive && $0 <= Rational(240) ? $0 : nil } ?? Rational(25)
  }

  private static let notCopied = MediaError(
    .internalError, "re-encoded pictures have no packets in the source")

  func prepare(_ needed: [Int: [Range<Int>]]) throws(MediaError) {
    try inner.prepare(own(needed))
  }

  /// Ranges of packets by track of the inner source.
  func own(_ needed: [Int: [Range<Int>]]) -> [Int: [Range<Int>]] {
    var own: [Int: [Range<Int>]] = [:]
    for (track, ranges) in needed {
      if let place = place(ofTrack: track) { own[place, default: []] += ranges }
    }
    return own
  }

  /// For re-encoded pictures, the leading source's first packet, which holds the headers that describe
  /// them.
  func bytes(ofTrack track: Int, _ place: Int) throws(MediaError) -> [UInt8] {
    if isRefitted(track) {
      guard place == 0, outer != nil || made == nil else { throw Self.notCopied }
      return try leader.bytes(ofTrack: track, 0)
    }
    guard let own = self.place(ofTrack: track) else { throw Self.notCopied }
    return try inner.bytes(ofTrack: own, place)
  }

  func byteCount(ofTrack track: Int, _ place: Int) throws(MediaError) -> Int {
    guard let own = self.place(ofTrack: track) else { return 0 }
    return try inner.byteCount(ofTrack: own, place)
  }

  func alpha(ofTrack track: Int, _ place: Int) throws(MediaError) -> [UInt8]? {
    guard let own = self.place(ofTrack: track), !isRefitted(track) else { return nil }
    return try inner.alpha(ofTrack: own, place)
  }

  func packetLengths(ofTrack track: Int) throws(MediaError) -> [Int32] {
    guard let own = place(ofTrack: track) else { return [] }
    return try inner.packetLengths(ofTrack: own)
  }

  /// That of the inner source, in which decoding begins.
  func access(ofTrack track: Int, _ place: Int) -> RandomAccessKind {
    guard let own = self.place(ofTrack: track) else { return .idr }
    return inner.access(ofTrack: own, place)
  }
}

extension CutSource {
  /// The source before it was matched with the leading one of a join.
  var unmatched: any CutSource { refitted?.inner ?? self }

  /// Whether it has no such track, although the leading source of a join has.
  func lacks(_ track: Int) -> Bool {
    guard let refitted else { return !tracks.indices.contains(track) }
    return refitted.place(ofTrack: track) == nil && !isRefitted(track)
  }

  /// Whether its pictures are re-encoded to the format of the leading source of a join.
  func isRefitted(_ track: Int) -> Bool {
    refitted?.arrangement.refits[track] != nil
  }
}
