import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// A source with its tracks in the order of another one, the leading source of a join, and with
/// pictures that are described as the leading source's: they are re-encoded to that, whatever they
/// are coded as, and black where it has none.
final class RefittedSource: CutSource {
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
      var track = sources[lender.source].stated[lender.track]
      track.stream = inner.stated.first?.stream ?? 0
      track.coded.packets = []
      track.isLent = true
      return track
    }
  }

  var file: InputFile { inner.file }
  var facts: MediaFacts { inner.facts }
  var zero: MediaTime { inner.zero }
  var isISO: Bool { inner.isISO }
  var refitted: RefittedSource? { self }
  var tracks: [SourceTrack] { arranged(inner.tracks, like: (outer ?? inner).tracks) }
  private(set) lazy var stated: [SourceTrack] = arranged(
    inner.stated, like: (outer ?? inner).stated)

  /// The inner track that a track shows; `nil` where there is none.
  func place(ofTrack index: Int) -> Int? {
    arrangement.order.indices.contains(index) ? arrangement.order[index] : nil
  }

  /// The source that tells whether a container holds a track.
  func describing(_ index: Int) -> (source: any CutSource, track: Int) {
    if arrangement.refits[index] != nil { return (leader, index) }
    return (inner, place(ofTrack: index) ?? 0)
  }

  private func arranged(_ own: [SourceTrack], like theirs: [SourceTrack]) -> [SourceTrack] {
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

  private static let notCopied = CutError(
    .internalError, "re-encoded pictures have no packets in the source")

  func counted() throws(CutError) -> [SourceTrack]? {
    try inner.counted().map { arranged($0, like: leader.stated) }
  }

  func adapt(to container: OutputContainer) throws(CutError) { try inner.adapt(to: container) }

  func settleSets(
    copying copied: [Int: [Range<Int>]], changing: Set<Int>
  ) throws(CutError) -> Set<Int> {
    var own: [Int: [Range<Int>]] = [:]
    for (track, ranges) in copied where !isRefitted(track) {
      if let place = place(ofTrack: track) { own[place] = ranges }
    }
    let kept = try inner.settleSets(
      copying: own,
      changing: Set(changing.filter { !isRefitted($0) }.compactMap(place(ofTrack:))))
    return Set(
      arrangement.order.indices.filter { index in
        !isRefitted(index) && place(ofTrack: index).map(kept.contains) == true
      })
  }

  func describe(_ track: Int, as format: CodedFormat, at place: Int) throws(CutError) {
    guard let own = self.place(ofTrack: track), !isRefitted(track) else { return }
    try inner.describe(own, as: format, at: place)
  }

  func describe(_ track: Int, as run: SoundDescriptions.Run) {
    if let place = place(ofTrack: track) { inner.describe(place, as: run) }
  }

  func prepare(_ needed: [Int: [Range<Int>]]) throws(CutError) {
    var own: [Int: [Range<Int>]] = [:]
    for (track, ranges) in needed {
      if let place = place(ofTrack: track) { own[place, default: []] += ranges }
    }
    if !own.isEmpty { try inner.prepare(own) }
  }

  /// For re-encoded pictures, the leading source's first packet, which holds the headers that describe
  /// them.
  func bytes(ofTrack track: Int, _ place: Int) throws(CutError) -> [UInt8] {
    if isRefitted(track) {
      guard place == 0, outer != nil || made == nil else { throw Self.notCopied }
      try leader.prepare([track: [0..<1]])
      return try leader.bytes(ofTrack: track, 0)
    }
    guard let own = self.place(ofTrack: track) else { throw Self.notCopied }
    return try inner.bytes(ofTrack: own, place)
  }

  func alpha(ofTrack track: Int, _ place: Int) throws(CutError) -> [UInt8]? {
    guard let own = self.place(ofTrack: track), !isRefitted(track) else { return nil }
    return try inner.alpha(ofTrack: own, place)
  }

  func cover(ofTrack index: Int) throws(CutError) -> [UInt8] { try inner.cover(ofTrack: index) }

  func sampleCounts(ofTrack track: Int) -> [Int32] {
    place(ofTrack: track).map { inner.sampleCounts(ofTrack: $0) } ?? []
  }

  func packetLengths(ofTrack track: Int) throws(CutError) -> [Int32] {
    guard let own = place(ofTrack: track) else { return [] }
    return try inner.packetLengths(ofTrack: own)
  }

  /// That of the inner source, in which decoding begins.
  func access(ofTrack track: Int, _ place: Int) -> RandomAccessKind {
    guard let own = self.place(ofTrack: track) else { return .idr }
    return inner.access(ofTrack: own, place)
  }

  func withDemuxer<Result>(
    _ body: (borrowing Demuxer) throws(CutError) -> Result
  ) throws(CutError) -> Result {
    try inner.withDemuxer(body)
  }
}

extension CutSource {
  /// Whether it has no such track, although the leading source of a join has.
  func lacks(_ track: Int) -> Bool {
    guard let refitted else { return !stated.indices.contains(track) }
    return refitted.place(ofTrack: track) == nil && !isRefitted(track)
  }

  /// Whether its pictures are re-encoded to the format of the leading source of a join.
  func isRefitted(_ track: Int) -> Bool {
    refitted?.arrangement.refits[track] != nil
  }
}
