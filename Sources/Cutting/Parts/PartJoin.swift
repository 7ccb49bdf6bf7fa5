import Bitstreams
import ExactTime
import MediaFacts
import MediaFiles
import Trimming

/// Concatenates parts of one file, or of several: each output track holds the packets of all
/// parts, on one timeline.
struct PartJoin {
  let source: any CutSource
  let container: OutputContainer
  let spool: PayloadSpool
  private var tracks: [Int: OutputTrack] = [:]
  private var configurations: [Int: [[UInt8]]] = [:]
  /// The parameter sets of packets from each number on, where the parts are of several files.
  private var sets: [Int: [(first: Int, configuration: [UInt8])]] = [:]
  private(set) var length: MediaDuration = .zero

  init(_ source: any CutSource, _ container: OutputContainer, _ spool: PayloadSpool) {
    self.source = source
    self.container = container
    self.spool = spool
  }

  /// Appends the tracks of one part, whose duration is as planned.
  mutating func append(
    _ part: [OutputTrack], lasting partLength: MediaDuration, of number: Int
  ) throws(MediaError) {
    for track in part {
      if source.isJoined, source.tracks[track.source].facts.codec.usesNALUnits {
        let piece = source.pieces[number].tracks[track.source]
        sets[track.source, default: []].append(
          (tracks[track.source]?.packets.count ?? 0, track.configuration ?? piece.configuration))
      } else if let configuration = track.configuration {
        configurations[track.source, default: []].append(configuration)
      }
      do throws(ExactTimeError) {
        try place(source.taken(track, from: number))
      } catch {
        throw MediaError.beyondNumbers
      }
      if isUncompressed(track) { try dropShared(of: track.source) }
    }
    do throws(ExactTimeError) {
      length = try length.adding(partLength)
    } catch {
      throw MediaError.beyondNumbers
    }
  }

  private mutating func place(_ whole: OutputTrack) throws(ExactTimeError) {
    var part = whole
    // Files may count in other ticks.
    if let before = tracks[part.source], before.grid != part.grid {
      guard let common = before.grid.common(with: part.grid) else { throw .overflow }
      try tracks[part.source]?.count(in: common)
      try part.count(in: common)
    }
    try divideTicks(for: &part)
    let lead = try length.seconds.divided(by: part.grid.secondsPerTick)
    let shown = try MediaTimeRange(
      from: part.shown.start.advanced(by: length), to: part.shown.end.advanced(by: length))
    var joined: OutputTrack
    if let before = tracks[part.source] {
      joined = before
    } else {
      joined = part
      joined.packets = []
      joined.zero = try part.zero.subtracting(lead)
      joined.shown = shown ?? part.shown
    }
    joined.losesCaptions = joined.losesCaptions || part.losesCaptions
    let move = try lead.subtracting(part.zero).adding(joined.zero).rounded(.nearest)
    let first = joined.packets.count
    let last = joined.packets.last.map { $0.pts &+ $0.duration }
    let end = isWholePackets(part) ? last : nil
    for var packet in part.packets {
      packet.pts &+= move
      packet.dts &+= move
      // Where two packets overlap, the first is kept.
      if let end, joined.packets.count == first, packet.pts &+ packet.duration / 2 < end {
        continue
      }
      joined.packets.append(packet)
    }
    if let cut = part.audio {
      joined.sounds.append(
        OutputTrack.Sound(
          first: first, hiddenStart: cut.hiddenStart, shown: shown ?? part.shown))
      joined.audio?.hiddenEnd = cut.hiddenEnd
    } else if part.keepsLengths, let start = part.firstShown, let packet = part.packets.first {
      joined.sounds.append(
        OutputTrack.Sound(
          first: first, hiddenStart: start &- packet.pts, shown: shown ?? part.shown))
    }
    if let shown {
      // A track with nothing in earlier parts begins with this one.
      let isFirst = !joined.isMedia && first == 0 && !part.packets.isEmpty
      joined.shown = isFirst ? shown : joined.shown.union(shown)
    }
    tracks[part.source] = joined
  }

  /// Changes to ticks on which the pictures of a file begin exactly, if those of another do not:
  /// nothing else relates the two.
  private mutating func divideTicks(for part: inout OutputTrack) throws(ExactTimeError) {
    guard source.isJoined, part.video != nil, let before = tracks[part.source] else {
      return
    }
    let move = try length.seconds.divided(by: part.grid.secondsPerTick)
      .subtracting(part.zero).adding(before.zero)
    let tick = try part.grid.secondsPerTick.divided(by: Rational(move.denominator))
    // As fine as the ticks that a cut may need (LeadTicks).
    guard move.denominator > 1, tick >= Rational(1, 10_000_000) else { return }
    let finer = try TickGrid(secondsPerTick: tick)
    try tracks[part.source]?.count(in: finer)
    try part.count(in: finer)
  }

  /// Removes from the beginning of the last appended part the samples that it shares with the
  /// previous part.
  ///
  /// Each part begins with the sample that is heard at IN and ends with the one that is heard
  /// right before OUT: together they would be longer by up to one sample per seam.
  private mutating func dropShared(of index: Int) throws(MediaError) {
    guard var joined = tracks[index], let first = joined.sounds.last?.first, first > 0 else {
      return
    }
    let slice = SampleSlice(source: source, index: index, spool: spool)
    let end = joined.packets[first - 1].pts &+ joined.packets[first - 1].duration
    while first < joined.packets.count, joined.packets[first].pts < end {
      let packet = joined.packets[first]
      guard end &- packet.pts < packet.duration else {
        joined.packets.remove(at: first)
        continue
      }
      try slice.shorten(&joined.packets[first], from: end &- packet.pts, to: packet.duration)
      break
    }
    tracks[index] = joined
  }

  /// Whether a track's audio can only begin with an entire packet in this container.
  private func isWholePackets(_ track: OutputTrack) -> Bool {
    track.audio != nil && !container.isISO && !isUncompressed(track)
  }

  private func isUncompressed(_ track: OutputTrack) -> Bool {
    AudioCodec.isUncompressed(source.tracks[track.source].facts.codec)
  }

  /// The tracks of the output, in the source's order.
  ///
  /// - Throws: ``MediaError`` where the parts cannot share the same parameter sets.
  func joined() throws(MediaError) -> [OutputTrack] {
    var result: [OutputTrack] = []
    for index in tracks.keys.sorted() {
      guard var track = tracks[index] else { continue }
      if let sets = sets[index] {
        try JoinedSets(source: source, container: container, spool: spool).settle(&track, sets)
      } else {
        track.configuration = try configuration(of: index)
      }
      if track.video != nil {
        try track.stampDecoding(of: source, in: container.rules)
      } else if track.audio == nil, container.isISO {
        // Otherwise each part has an edit of its own.
        if !track.keepsLengths {
          track.closeGaps(countsOn: source.tracks[index].timecode != nil)
        }
      } else if !container.stampsSound, isWholePackets(track) {
        track.closeGaps(countsOn: true)
      } else if container.isISO, source.isJoined, track.followsOn {
        // Players know one edit of sound at most.
        track.closeGaps(countsOn: true)
        track.sounds = []
        do throws(ExactTimeError) {
          try track.endWithMedia()
        } catch {
          throw MediaError.beyondNumbers
        }
      } else if container.isISO, isUncompressed(track), track.isContinuous {
        // Readers begin an edit with an entire packet, however many samples it holds.
        track.closeGaps(countsOn: true)
        track.sounds = []
      }
      result.append(track)
    }
    return result
  }

  private func configuration(of index: Int) throws(MediaError) -> [UInt8]? {
    let all = Set(configurations[index, default: []])
    guard all.count > 1 else { return all.first }
    let facts = source.tracks[index].facts
    guard facts.codec == .h264 else {
      throw MediaError(
        .notCuttable, "the parts of track \(facts.id) (\(facts.codec)) need different headers",
        hint: "Cut them into separate files.")
    }
    return H264Sets.union(of: all.sorted { $0.lexicographicallyPrecedes($1) })
  }
}

extension OutputTrack {
  /// Decoding times for all parts together.
  fileprivate mutating func stampDecoding(
    of source: any CutSource, in rules: ContainerRules
  ) throws(MediaError) {
    guard let first = packets.first, let earliest = packets.map(\.pts).min() else { return }
    let delay = max(0, earliest &- first.dts)
    packets.stampDecoding(delay: delay, pace: nil)
    if rules.pictures.hasFixedFrameRate { try spaceSlots(of: source, delay: delay, in: rules) }
  }

  /// Whether every packet begins where the previous one ends, except for rounding at the start of
  /// parts: of their position, and of their number of samples.
  fileprivate var isContinuous: Bool {
    zip(packets, packets.dropFirst()).allSatisfy {
      ($1.pts &- $0.pts &- $0.duration).magnitude <= 2
    } && sounds.allSatisfy { $0.hiddenStart == 0 }
  }

  /// Whether the packets of all parts are one run, so that counting them gives their times to within
  /// 1 ms.
  fileprivate var followsOn: Bool {
    guard let first = packets.first, let last = packets.last,
      sounds.dropFirst().allSatisfy({ $0.hiddenStart == 0 }),
      let most = try? grid.ticks(of: MediaDuration(1, 1000), rounding: .down)
    else { return false }
    let counted = packets.dropLast().reduce(first.pts) { $0 &+ $1.duration }
    return (counted &- last.pts).magnitude <= UInt64(max(0, most))
      && sounds.dropFirst().allSatisfy { sound in
        guard packets.indices.contains(sound.first) else { return false }
        let before = packets[sound.first - 1]
        let gap = packets[sound.first].pts &- before.pts &- before.duration
        return gap.magnitude <= UInt64(max(0, most))
      }
  }

  /// Shows what its packets hold, and no more: an edit cannot be longer.
  fileprivate mutating func endWithMedia() throws(ExactTimeError) {
    let whole = packets.reduce(Int64(0)) { $0 &+ $1.duration }
    let heard = whole &- (audio?.hiddenStart ?? 0) &- (audio?.hiddenEnd ?? 0)
    shown = try MediaTimeRange(from: shown.start, length: grid.duration(ofTicks: max(0, heard)))
  }

  /// Packets without their own times in the container last until the next begins.
  fileprivate mutating func closeGaps(countsOn: Bool) {
    for place in packets.indices.dropFirst() {
      let before = packets[place - 1]
      if countsOn {
        packets[place].pts = before.pts &+ before.duration
        packets[place].dts = packets[place].pts
      } else {
        packets[place - 1].duration = max(0, packets[place].pts &- before.pts)
      }
    }
  }
}

extension OutputTrack {
  /// Changes to finer ticks, of which each present one is a whole number.
  fileprivate mutating func count(in finer: TickGrid) throws(ExactTimeError) {
    let factor = finer.factor(to: grid)
    guard factor != 1 else { return }
    for place in packets.indices {
      packets[place].pts = try Int64(exactly: packets[place].pts, times: factor)
      packets[place].dts = try Int64(exactly: packets[place].dts, times: factor)
      packets[place].duration = try Int64(exactly: packets[place].duration, times: factor)
    }
    audio?.hiddenStart *= factor
    audio?.hiddenEnd *= factor
    if let shown = firstShown { firstShown = try Int64(exactly: shown, times: factor) }
    for place in sounds.indices { sounds[place].hiddenStart *= factor }
    zero = try zero.multiplied(by: Rational(factor))
    grid = finer
  }
}

extension Int64 {
  fileprivate init(exactly value: Int64, times factor: Int64) throws(ExactTimeError) {
    let (product, isBeyond) = value.multipliedReportingOverflow(by: factor)
    guard !isBeyond else { throw .overflow }
    self = product
  }
}

extension H264Sets {
  /// One record with the sets of several from the same source.
  static func union(of records: [[UInt8]]) -> [UInt8] {
    let sets = records.map { H264Sets(configuration: $0) }
    // The set that allows gaps describes the other parts too.
    let chosen = sets.first { $0.sequences.contains { $0.allowsGaps } } ?? sets[0]
    var pictures: [[UInt8]] = []
    for unit in sets.flatMap(\.pictureUnits) where !pictures.contains(unit) {
      pictures.append(unit)
    }
    return chosen.box(sequences: chosen.sequenceUnits, pictures: pictures)
  }
}

extension CutSource {
  /// A track of one of the pieces, in terms of all: the places of its packets.
  fileprivate func taken(_ track: OutputTrack, from number: Int) -> OutputTrack {
    guard isJoined, tracks.indices.contains(track.source) else { return track }
    var result = track
    let base = place(0, ofTrack: track.source, in: number)
    for place in result.packets.indices {
      result.packets[place].place += base
      if case .source(let own) = result.packets[place].payload {
        result.packets[place].payload = .source(place: own + base)
      }
    }
    return result
  }
}
