import Bitstreams
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// Consecutive packets to decode, and those among them whose output is judged.
struct DecodedStretch: Hashable {
  var entry: Int
  var judged: Range<Int>
}

/// Decodes stretches of a track and reports the packets with decoding errors.
struct StretchDecoder {
  let source: any CutSource
  /// Its index among the file's tracks.
  let track: Int
  /// Whether decoded data is compared with checksums.
  let checksChecksums: Bool
  let limits: Limits
  let isCancelled: @Sendable () -> Bool
  /// What a packet's picture must look like, where that is known.
  var encoded: (Int) -> LumaMeans? = { _ in nil }

  struct Result {
    /// The decoder's message about a packet, by place.
    var faults: [Int: String] = [:]
    /// Packets for which no picture was output.
    var missing: Set<Int> = []
    /// The number of audio frames that a packet decoded to, if more than one.
    var frames: [Int: Int] = [:]
    /// Number of pictures that belong to none of the judged packets.
    var excess = 0
    /// Packets whose pictures are output after one with a later PTS, and the place of that one.
    fileprivate(set) var disordered: [(place: Int, behind: Int)] = []

    /// Adds the results for the alpha channel of the same packets.
    fileprivate mutating func add(alpha: Result) {
      for (place, words) in alpha.faults where faults[place] == nil {
        faults[place] = "alpha channel: " + words
      }
      missing.formUnion(alpha.missing)
      excess += alpha.excess
    }

    /// The place of the first picture that is output after one with a later PTS, if either of
    /// them is among some packets.
    func disorder(among isMeant: (Int) -> Bool) -> Int? {
      disordered.first { isMeant($0.place) || isMeant($0.behind) }?.place
    }
  }

  /// Decodes up to some packets, and as far beyond as their pictures need to be output.
  func decode(from entry: Int, through end: Int) throws(MediaError) -> Result {
    let count = source.tracks[track].coded.packets.count
    return try decode(
      DecodedStretch(entry: entry, judged: entry..<min(count, end + EdgeEncoder.longestDelay)))
  }

  /// - Throws: ``MediaError``: `codecMissing` where there is no decoder, or errors from reading.
  func decode(_ stretch: DecodedStretch) throws(MediaError) -> Result {
    let holder = source.holder(ofTrack: track, stretch.judged.lowerBound)
    guard holder.source === source else { return try decode(stretch, in: holder) }
    var result = try decode(stretch, .colours)
    // An entry where decoding can start for the pictures but not for their alpha channel is not
    // one for players.
    if source.tracks[track].hasAlpha, source.access(ofTrack: track, stretch.entry) == .intra {
      result.add(alpha: try decode(stretch, .alpha))
    }
    return result
  }

  /// Decodes what lies within one of several sources.
  private func decode(
    _ stretch: DecodedStretch, in holder: PacketHolder
  ) throws(MediaError) -> Result {
    let first = holder.places.lowerBound
    let judged = stretch.judged.clamped(to: holder.places)
    var result = try StretchDecoder(
      source: holder.source, track: track, checksChecksums: checksChecksums, limits: limits,
      isCancelled: isCancelled
    ).decode(
      DecodedStretch(
        entry: max(stretch.entry, first) - first,
        judged: judged.lowerBound - first..<judged.upperBound - first))
    result.faults = result.faults.reduce(into: [:]) { $0[$1.key + first] = $1.value }
    result.missing = Set(result.missing.map { $0 + first })
    result.frames = result.frames.reduce(into: [:]) { $0[$1.key + first] = $1.value }
    return result
  }

  private func decode(
    _ stretch: DecodedStretch, _ layer: PictureLayer
  ) throws(MediaError) -> Result {
    let described = source.tracks[track]
    let log = LibavLog()
    var decoder = try decoder(log)
    let range = stretch.entry..<stretch.judged.upperBound
    try source.prepare([track: [range]])
    var pass = Pass(described.coded.packets, stretch, isVideo: described.facts.kind == .video)
    if layer == .colours { pass.encoded = encoded }
    // FFmpeg's MPEG-2 decoder drops the picture it is holding when the format changes, so it is
    // flushed first.
    let changes =
      described.facts.codec.isMPEG12
      ? try CodedFormat.changes(in: range, of: source, track: track) : []
    for place in range {
      if isCancelled() { throw MediaError.cancelled }
      if changes.contains(place) {
        decoder.value.finish()
        pass.drain(decoder.value, at: place - 1)
        decoder = try self.decoder(log)
      }
      guard let bytes = try source.bytes(ofTrack: track, place, layer) else {
        pass.skip(place, shownAt: described.coded.packets[place].pts)
        continue
      }
      let packet = described.coded.packets[place]
      let errors = log.errorCount
      var result = try decoder.send(bytes, packet)
      while result == .full {
        pass.drain(decoder.value, at: place)
        result = try decoder.send(bytes, packet)
      }
      pass.drain(decoder.value, at: place)
      if log.errorCount > errors { pass.note(Self.words(log.lastError), at: place) }
      if result == .refused { pass.note("the decoder rejects the packet", at: place) }
    }
    let errors = log.errorCount
    decoder.value.finish()
    pass.drain(decoder.value, at: range.upperBound - 1)
    if log.errorCount > errors { pass.note(Self.words(log.lastError), at: range.upperBound - 1) }
    return pass.finished()
  }

  private func decoder(_ log: LibavLog) throws(MediaError) -> DecoderBox {
    let decoder = try source.decoder(
      ofTrack: track, threads: 1, limits: limits.demuxer, log: log)
    if checksChecksums { decoder.value.checkChecksums() }
    return decoder
  }

  /// A line of FFmpeg's log without the leading name and address.
  static func words(_ line: String?) -> String {
    guard let line else { return "it does not decode" }
    guard line.first == "[", let end = line.firstIndex(of: "]") else { return line }
    return String(line[line.index(after: end)...].drop { $0 == " " })
  }
}

/// The output for the packets so far.
private struct Pass {
  private let stretch: DecodedStretch
  private let isVideo: Bool
  var encoded: (Int) -> LumaMeans? = { _ in nil }
  /// Places of judged packets by PTS; several where a file shows two at the same time.
  private var waiting: [Int64: [Int]] = [:]
  /// Times at which several are shown.
  private var shared: Set<Int64> = []
  private var result = StretchDecoder.Result()
  /// The picture with the highest PTS so far.
  private var latest: (pts: Int64, place: Int)?

  /// No encoder changes the mean of an area by more than this, out of 255.
  private static let mostCodingError = 16

  init(_ packets: ContiguousArray<CodedPacket>, _ stretch: DecodedStretch, isVideo: Bool) {
    self.stretch = stretch
    self.isVideo = isVideo
    guard isVideo else { return }
    for place in stretch.judged.reversed() {
      waiting[packets[place].pts, default: []].append(place)
      if waiting[packets[place].pts]?.count ?? 0 > 1 { shared.insert(packets[place].pts) }
    }
  }

  mutating func note(_ words: String, at place: Int) {
    guard stretch.judged.contains(place), result.faults[place] == nil else { return }
    result.faults[place] = words
  }

  /// No picture is expected of this packet.
  mutating func skip(_ place: Int, shownAt pts: Int64) {
    waiting[pts]?.removeAll { $0 == place }
  }

  mutating func drain(_ decoder: borrowing Decoder, at place: Int) {
    var count = 0
    while true {
      var seen: LumaMeans?
      let output = decoder.receive { frame in
        // Of two pictures with the same time, either may come first.
        guard let time = frame.statedTime, !shared.contains(time),
          let place = waiting[time]?.last, encoded(place) != nil
        else { return }
        seen = frame.lumaMeans
      }
      switch output {
      case .frame(let facts):
        take(facts, seen, at: place)
        count += 1
        if !isVideo, count > 1 { result.frames[place] = count }
      case .failed: note("it does not decode", at: place)
      case .needsInput, .ended: return
      }
    }
  }

  private mutating func take(_ facts: FrameFacts, _ seen: LumaMeans?, at place: Int) {
    let isFlawed = facts.isDamaged || facts.isCorrupt
    guard isVideo else {
      if isFlawed { note("it decodes with errors", at: place) }
      return
    }
    guard let time = facts.pts ?? facts.time, let origin = waiting[time]?.popLast() else {
      if stretch.entry == stretch.judged.lowerBound { result.excess += 1 }
      return
    }
    if let latest, time < latest.pts {
      result.disordered.append((place: origin, behind: latest.place))
    } else {
      latest = (time, origin)
    }
    if isFlawed { note("its frame has errors", at: origin) }
    if let seen, let difference = encoded(origin)?.difference(from: seen),
      difference > Self.mostCodingError
    {
      note("its frame is not the one that was encoded", at: origin)
    }
  }

  consuming func finished() -> StretchDecoder.Result {
    result.missing = Set(waiting.values.joined())
    return result
  }
}
