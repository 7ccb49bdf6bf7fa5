import Bitstreams
import ExactTime
import ISOMedia
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// Which of several sources leads, and how the others follow it.
///
/// The leading format is that of the longest total duration, then of the first source, among those that
/// have the most kinds of tracks and whose pictures the container holds, with their rotation; or that of the source that is asked for.
/// If the container does not hold the leading source's codec, it leads with H.264 in its place.
struct JoinArrangement: Hashable {
  var leading: Int
  /// The track of the leading source whose pictures become H.264; `nil` where they stay.
  var made: Int?
  /// For each source; `nil` for one that follows as it is.
  var sources: [RefittedSource.Arrangement?]
}

/// Several sources as one, for the output and its verification: each track holds the packets of
/// all of them, one source after another.
///
/// Plans and edges are made with each source alone; what is shown when is decided there. Times here
/// only tell packets of one source from those of the next.
final class JoinedSource: DerivedSource {
  let pieces: [any CutSource]
  /// What to call each of them in a message.
  let names: [String]
  /// The number of the source whose tracks, tags and covers describe the output.
  let leading: Int
  /// The sources before they were matched with the leading one, and how they are.
  let originals: [any CutSource]
  let arrangement: JoinArrangement?
  var leader: any CutSource { pieces[leading] }
  /// The place of the first packet of each source, by track.
  private let bases: [[Int]]
  /// When each source begins on the common timeline.
  private let starts: [MediaTime]

  /// - Parameter originals: at least one. Without an arrangement, the first with most kinds of tracks
  ///   leads.
  init(
    _ originals: [any CutSource], names: [String], as arrangement: JoinArrangement? = nil
  ) throws(MediaError) {
    let kinds = originals.map { piece in
      Set(piece.tracks.lazy.map(\.facts).filter(\.isPresented).map(\.kind)).count
    }
    let leading = arrangement?.leading ?? kinds.firstIndex(of: kinds.max() ?? 0) ?? 0
    var leader = originals[leading]
    if let own = arrangement?.sources[leading] {
      var made: (track: Int, pictures: MadePictures)?
      if let track = arrangement?.made {
        do throws(MediaError) {
          made = (track, try MadePictures(like: leader.tracks[track], of: leader))
        } catch {
          throw error.about(leading, of: originals.count)
        }
      }
      leader = RefittedSource(leader, like: nil, own, among: originals, made: made)
    }
    let pieces: [any CutSource] = originals.enumerated().map { number, source in
      if number == leading { return leader }
      guard let own = arrangement?.sources[number] else { return source }
      return RefittedSource(source, like: leader, own, among: originals)
    }
    self.originals = originals
    self.arrangement = arrangement
    self.pieces = pieces
    self.names = names
    self.leading = leading
    var bases: [[Int]] = []
    for track in pieces[leading].tracks.indices {
      var next = 0
      bases.append([])
      for piece in pieces {
        bases[track].append(next)
        guard piece.has(track, like: pieces[leading]) else { continue }
        next += piece.tracks[track].coded.packets.count
      }
    }
    self.bases = bases
    var starts = [MediaTime.zero]
    do throws(ExactTimeError) {
      for piece in pieces.dropLast() {
        let length = piece.facts.durations.presented?.length ?? .zero
        let seconds = try length.seconds.rounded(.up)
        starts.append(
          try starts[starts.count - 1].advanced(by: MediaDuration(seconds: Rational(seconds)))
            .advanced(by: MediaDuration(Self.distance)))
      }
    } catch {
      throw MediaError.beyondNumbers
    }
    self.starts = starts
    let spool = PayloadSpool()
    for piece in originals { piece.share(spool) }
  }

  /// The same sources for an output: each over one with what that requires.
  init(_ whole: JoinedSource, over inner: [any CutSource]) {
    (originals, arrangement) = (whole.originals, whole.arrangement)
    (names, leading) = (whole.names, whole.leading)
    (bases, starts) = (whole.bases, whole.starts)
    func piece(_ number: Int, like leader: (any CutSource)?) -> any CutSource {
      guard let refitted = whole.pieces[number].refitted else { return inner[number] }
      return RefittedSource(refitted, over: inner[number], like: leader)
    }
    let leader = piece(leading, like: nil)
    pieces = inner.indices.map { $0 == whole.leading ? leader : piece($0, like: leader) }
  }

  /// Whether the output gets another codec than that of the leading source.
  var converts: Bool { arrangement?.made != nil }

  /// What is not written of the sources that do not lead, besides tracks.
  var leftOut: [LeftOut] {
    // The pieces of one file have its tags and covers.
    guard areFiles else { return [] }
    let kept = Set(leader.facts.lastingTags)
    var left: [LeftOut] = []
    for (number, piece) in originals.enumerated() where number != leading {
      func add(_ type: String, _ count: Int) {
        guard count > 0 else { return }
        left.append(
          LeftOut(
            type: type, place: names[number], count: count,
            reason: "those of \(names[leading]) are kept"))
      }
      add("tags", piece.facts.lastingTags.count { !kept.contains($0) })
      add("cover", piece.facts.tracks.count { $0.isCoverArt })
      add("attachment", piece.facts.tracks.count { $0.kind == .attachment && !$0.isCoverArt })
    }
    return left
  }

  /// Seconds between two sources, so that what an edit hides of one does not overlap the other.
  private static let distance: Int64 = 60

  var base: any CutSource { leader }
  var native: ISOCutSource? { leader.native }
  var joined: JoinedSource? { self }
  private(set) lazy var tracks: [SourceTrack] = leader.tracks.indices.map(joined)

  private func joined(_ index: Int) -> SourceTrack {
    var result = leader.tracks[index]
    result.statedGrid = result.statedGrid ?? result.coded.grid
    let grid = grid(ofTrack: index)
    var packets: ContiguousArray<CodedPacket> = []
    (result.corrupt, result.strays, result.overlaps) = ([], [:], [])
    // Files may count at other rates: their times are used.
    result.sampleCounts = []
    for (number, piece) in pieces.enumerated() where piece.has(index, like: leader) {
      let track = piece.tracks[index]
      let factor = grid.factor(to: track.coded.grid)
      let shift = shift(of: number, track.coded, grid)
      let base = bases[index][number]
      for packet in track.coded.packets {
        var packet = packet
        packet.pts = packet.pts &* factor &+ shift
        packet.dts = packet.dts &* factor &+ shift
        packet.duration = packet.duration &* factor
        packets.append(packet)
      }
      result.corrupt.formUnion(track.corrupt.map { $0 + base })
      result.overlaps.formUnion(track.overlaps.map { $0 + base })
      for (place, time) in track.strays { result.strays[place + base] = time }
    }
    let rates = Set(
      pieces.filter { $0.has(index, like: leader) }
        .map { $0.tracks[index].facts.video?.averageFrameRate })
    if rates.count > 1 {
      // One rate would be wrong for the frames of some.
      result.facts.video?.averageFrameRate = nil
      result.facts.video?.isConstantFrameRate = false
      result.statedFrameRate = nil
    }
    let first = result.coded
    let begin = packets.first?.pts ?? 0
    result.coded = CodedTrack(
      index: first.index, kind: first.kind, codec: first.codec, grid: grid, origin: .zero,
      visible: min(0, begin)..<Int64(1) << 60, packets: packets)
    return result
  }

  /// Ticks that are whole for each source.
  private func grid(ofTrack index: Int) -> TickGrid {
    let grids = pieces.compactMap {
      $0.has(index, like: leader) ? $0.tracks[index].coded.grid : nil
    }
    return grids.dropFirst().reduce(grids[0]) { $0.common(with: $1) ?? $0 }
  }

  /// The tick at which tick 0 of a source's track is placed.
  private func shift(of number: Int, _ coded: CodedTrack, _ grid: TickGrid) -> Int64 {
    guard let moved = try? starts[number].advanced(by: coded.origin.distance(from: .zero)),
      let ticks = try? grid.ticks(of: moved.distance(from: .zero), rounding: .nearest)
    else { return 0 }
    return ticks
  }

  /// A range of a source on the common timeline.
  func moved(_ range: MediaTimeRange, of number: Int) throws(ExactTimeError) -> MediaTimeRange {
    let lead = try starts[number].distance(from: .zero)
    return try MediaTimeRange(from: range.start.advanced(by: lead), length: range.checkedLength())
  }

  /// A range of the common timeline at a packet, on the timeline of the source that holds it.
  func own(
    _ range: MediaTimeRange, ofTrack track: Int, _ place: Int
  ) throws(ExactTimeError) -> MediaTimeRange {
    let lead = try starts[number(ofTrack: track, place)].distance(from: .zero)
    return try MediaTimeRange(
      from: range.start.moved(back: lead), length: range.checkedLength())
  }

  /// Whether they are several files, not the pieces of one.
  var areFiles: Bool { arrangement != nil }

  /// The place in the common track of a source's packet.
  func place(_ place: Int, ofTrack track: Int, in number: Int) -> Int {
    bases[track][number] + place
  }

  private func number(ofTrack track: Int, _ place: Int) -> Int {
    bases[track].lastIndex { $0 <= place } ?? 0
  }

  func holder(ofTrack track: Int, _ place: Int) -> PacketHolder {
    // A source without packets begins where the next one does, which is found instead.
    let number = number(ofTrack: track, place)
    let piece = pieces[number]
    let count = piece.has(track, like: leader) ? piece.tracks[track].coded.packets.count : 0
    let base = bases[track][number]
    return PacketHolder(source: piece, number: number, places: base..<base + count)
  }

  private func own(_ track: Int, _ place: Int) -> (source: any CutSource, place: Int) {
    let number = number(ofTrack: track, place)
    return (pieces[number], place - bases[track][number])
  }

  func prepare(_ needed: [Int: [Range<Int>]]) throws(MediaError) {
    for (number, piece) in pieces.enumerated() {
      var own: [Int: [Range<Int>]] = [:]
      for (track, ranges) in needed where piece.has(track, like: leader) {
        let base = bases[track][number]
        let all = base..<base + piece.tracks[track].coded.packets.count
        let within = ranges.map { $0.clamped(to: all) }.filter { !$0.isEmpty }
        guard !within.isEmpty else { continue }
        own[track] = within.map { $0.lowerBound - base..<$0.upperBound - base }
      }
      if !own.isEmpty { try piece.prepare(own) }
    }
  }

  /// In the framing of the leading source.
  func bytes(ofTrack track: Int, _ place: Int) throws(MediaError) -> [UInt8] {
    let (source, place) = own(track, place)
    let bytes = try source.bytes(ofTrack: track, place)
    return leader.reframed(bytes, ofTrack: track, from: source)
  }

  func byteCount(ofTrack track: Int, _ place: Int) throws(MediaError) -> Int {
    let (source, place) = own(track, place)
    return try source.byteCount(ofTrack: track, place)
  }

  func alpha(ofTrack track: Int, _ place: Int) throws(MediaError) -> [UInt8]? {
    let (source, place) = own(track, place)
    return try source.alpha(ofTrack: track, place)
  }

  func access(ofTrack track: Int, _ place: Int) -> RandomAccessKind {
    let (source, place) = own(track, place)
    return source.access(ofTrack: track, place)
  }
}

extension CutSource {
  /// Whether it has a track of that number and of the same kind as another source.
  func has(_ track: Int, like other: any CutSource) -> Bool {
    tracks.indices.contains(track) && other.tracks.indices.contains(track)
      && tracks[track].facts.kind == other.tracks[track].facts.kind
  }

  /// Which of several files holds a packet; `nil` where there is only one.
  func fileNumber(ofTrack track: Int, _ place: Int) -> Int? {
    guard areFiles else { return nil }
    return holder(ofTrack: track, place).number
  }

  /// A packet of another source with its units delimited as in this one.
  func reframed(
    _ bytes: [UInt8], ofTrack track: Int, from source: any CutSource
  ) -> [UInt8] {
    guard source !== self, tracks[track].facts.codec.usesNALUnits else {
      return bytes
    }
    let (own, other) = (tracks[track].framing, source.tracks[track].framing)
    guard own != other else { return bytes }
    return own.pack(NALUnits(bytes: bytes[...], framing: other).map { Array($0) })
  }
}

extension TickGrid {
  /// The coarsest grid that has the ticks of both; `nil` where that is beyond 64 bits.
  func common(with other: TickGrid) -> TickGrid? {
    let (one, two) = (secondsPerTick, other.secondsPerTick)
    let (first, isLarge) = one.numerator.multipliedReportingOverflow(by: two.denominator)
    let (second, isLargeToo) = two.numerator.multipliedReportingOverflow(by: one.denominator)
    let (divisor, isBeyond) = one.denominator.multipliedReportingOverflow(by: two.denominator)
    guard !isLarge, !isLargeToo, !isBeyond else { return nil }
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return try? TickGrid(secondsPerTick: Rational(a, divisor))
  }

  /// How many of these ticks make up one of a coarser grid; 1 where that is not a whole number.
  func factor(to coarser: TickGrid) -> Int64 {
    let ratio = try? coarser.secondsPerTick.divided(by: secondsPerTick)
    return ratio.map { $0.denominator == 1 ? $0.numerator : 1 } ?? 1
  }
}
