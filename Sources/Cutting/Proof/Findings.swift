import ExactTime
import MediaFacts
import MediaFiles
import Probing
import Trimming

/// The damage that verification finds, packet by packet, and what it decoded.
struct Findings {
  private struct Entry {
    var kind: CutDamage.Kind
    var text: String
  }

  /// A cover picture, and what is wrong with it.
  struct Cover {
    var facts: TrackFacts
    var isInspected = false
    var isDecoded = false
    var fault: (kind: CutDamage.Kind, text: String)?
  }

  private let tracks: [OutputTrack]
  private let source: any CutSource
  /// The range of the whole cut, in the source and in the output.
  private let whole: (source: MediaTimeRange, output: MediaTimeRange)?
  /// The first finding, by track and output packet.
  private var entries: [[Int: Entry]]
  private var judged: [[Range<Int>]]
  private var inspected: Set<Int> = []
  private var covers: [Cover] = []

  init(
    _ tracks: [OutputTrack], _ source: any CutSource,
    _ whole: (source: MediaTimeRange, output: MediaTimeRange)?
  ) {
    self.tracks = tracks
    self.whole = whole
    self.source = source
    entries = tracks.map { _ in [:] }
    judged = tracks.map { _ in [] }
  }

  mutating func add(_ kind: CutDamage.Kind, _ text: String, _ place: Int, _ track: Int) {
    if entries[track][place] == nil { entries[track][place] = Entry(kind: kind, text: text) }
  }

  func isDamaged(_ track: Int) -> Bool { !entries[track].isEmpty }

  func hasFault(_ place: Int, _ track: Int) -> Bool { entries[track][place] != nil }

  /// Whether the decoder reports errors for every packet of an audio track.
  func isAllDamaged(_ track: Int) -> Bool {
    let entries = entries[track]
    return tracks[track].video == nil && !entries.isEmpty
      && entries.count == tracks[track].packets.count
      && entries.values.allSatisfy { $0.kind == .decoding }
  }

  mutating func decoded(_ places: Range<Int>, _ track: Int) { judged[track].append(places) }

  mutating func add(_ cover: Cover) { covers.append(cover) }

  mutating func inspected(_ track: Int) { inspected.insert(track) }

  /// The result, with times in the source and in the cut.
  func examination() throws(MediaError) -> CutExamination {
    var result = CutExamination()
    for (index, track) in tracks.enumerated() where track.isMedia {
      result.damage += try damage(index)
      let facts = source.tracks[track.source].facts
      let places = judged[index].reduce(into: Set<Int>()) { $0.formUnion($1) }
      result.tracks.append(
        CutExamination.Track(
          track: track.source, id: facts.id, type: facts.kind, packets: track.packets.count,
          decoded: places.count,
          notDecoded: try runs(of: track.packets.indices.filter { !places.contains($0) })
            .map { places throws(MediaError) in try sourceTime(places, index) },
          isInspected: inspected.contains(index)))
    }
    addCovers(to: &result)
    return result
  }

  /// Covers belong to everything that is presented.
  private func addCovers(to result: inout CutExamination) {
    guard let all = whole else { return }
    for cover in covers {
      let facts = cover.facts
      result.tracks.append(
        CutExamination.Track(
          track: facts.index, id: facts.id, type: facts.kind, packets: 1,
          decoded: cover.isDecoded ? 1 : 0, notDecoded: cover.isDecoded ? [] : [all.source],
          isInspected: cover.isInspected))
      guard let fault = cover.fault else { continue }
      result.damage.append(
        CutDamage(
          track: facts.index, id: facts.id, type: facts.kind, codec: facts.codec,
          kind: fault.kind, source: all.source, output: all.output, packets: 1,
          text: fault.text, isCover: true))
    }
  }

  private func damage(_ index: Int) throws(MediaError) -> [CutDamage] {
    let track = tracks[index]
    let facts = source.tracks[track.source].facts
    var result: [CutDamage] = []
    var last: (place: Int, kind: CutDamage.Kind)?
    for (place, entry) in entries[index].sorted(by: { $0.key < $1.key }) {
      let times = (
        try sourceTime(place..<place + 1, index), try outputTime(place..<place + 1, index)
      )
      let number = source.fileNumber(ofTrack: track.source, track.packets[place].place)
      // Faults close together form one section, within a file.
      if let before = last, before.kind == entry.kind, place - before.place <= 2,
        result.last?.sourceNumber == number
      {
        result[result.count - 1].source = result[result.count - 1].source.union(times.0)
        result[result.count - 1].output = result[result.count - 1].output.union(times.1)
        result[result.count - 1].packets += 1
      } else {
        result.append(
          CutDamage(
            track: track.source, id: facts.id, type: facts.kind, codec: facts.codec,
            kind: entry.kind, source: times.0, output: times.1, packets: 1, text: entry.text,
            sourceNumber: number))
      }
      last = (place, entry.kind)
    }
    return try result + track.replacedDamage(in: source)
  }

  private func runs(of places: [Int]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for place in places {
      if let last = runs.last, last.upperBound == place {
        runs[runs.count - 1] = last.lowerBound..<place + 1
      } else {
        runs.append(place..<place + 1)
      }
    }
    return runs
  }

  private func sourceTime(
    _ places: Range<Int>, _ index: Int
  ) throws(MediaError) -> MediaTimeRange {
    let track = tracks[index]
    // Re-encoded audio has its own packets.
    let isOwn = track.made != nil
    let holder = source.holder(
      ofTrack: track.source, places.first.map { track.packets[$0].place } ?? 0)
    let coded = holder.source.tracks[track.source].coded
    return try Self.range(
      of: places.map { place in
        let packet = track.packets[place]
        let number = packet.place - holder.places.lowerBound
        guard !isOwn, coded.packets.indices.contains(number) else {
          return (packet.pts, packet.duration)
        }
        return (coded.packets[number].pts, coded.packets[number].duration)
      },
      { tick throws(ExactTimeError) in
        isOwn ? try track.instant(atTick: tick) : try coded.time(atTick: tick)
      })
  }

  private func outputTime(_ places: Range<Int>, _ index: Int) throws(MediaError) -> MediaTimeRange {
    let track = tracks[index]
    return try Self.range(of: track.packets[places].map { ($0.pts, $0.duration) }) {
      tick throws(ExactTimeError) in
      try track.instant(atTick: tick)
    }
  }

  private static func range(
    of ticks: [(start: Int64, length: Int64)],
    _ time: (Int64) throws(ExactTimeError) -> MediaTime
  ) throws(MediaError) -> MediaTimeRange {
    do throws(ExactTimeError) {
      let start = try time(ticks.map(\.start).min() ?? 0)
      let end = try time(ticks.map { $0.start &+ max(0, $0.length) }.max() ?? 0)
      return try MediaTimeRange(from: start, length: max(.zero, end.distance(from: start)))
    } catch {
      throw MediaError.beyondNumbers
    }
  }
}

extension OutputTrack {
  /// When one of its ticks is presented in the cut.
  func instant(atTick tick: Int64) throws(ExactTimeError) -> MediaTime {
    MediaTime(
      seconds: try Rational(tick).subtracting(zero).multiplied(by: grid.secondsPerTick))
  }
}
