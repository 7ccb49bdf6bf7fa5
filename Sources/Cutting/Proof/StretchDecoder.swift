#if FFmpeg
  import Bitstreams
  import Libav
  import MediaFacts
  import MediaFiles
  import Trimming

  /// Packets to decode in a row, and from which of them on to judge what comes out.
  struct DecodedStretch: Hashable {
    var entry: Int
    var judged: Range<Int>
  }

  /// Decodes stretches of a track and tells which packets a decoder finds fault with.
  struct StretchDecoder {
    let film: any CutSource
    /// Its place among the file's tracks.
    let track: Int
    /// Whether checksums are held against what was decoded.
    let checksChecksums: Bool
    let limits: Limits
    let isCancelled: @Sendable () -> Bool

    struct Result {
      /// What the decoder says of a packet, by its place.
      var faults: [Int: String] = [:]
      /// Packets of which no picture came.
      var missing: Set<Int> = []
      /// How many frames of sound came of a packet at once, where that is more than one.
      var frames: [Int: Int] = [:]
      /// Pictures that belong to none of the judged packets.
      var excess = 0
      /// Packets whose pictures come behind one of a later PTS, and that one's.
      fileprivate(set) var disordered: [(place: Int, behind: Int)] = []

      /// Adds what was found in the alpha channel of the same packets.
      fileprivate mutating func add(alpha: Result) {
        for (place, words) in alpha.faults where faults[place] == nil {
          faults[place] = "alpha channel: " + words
        }
        missing.formUnion(alpha.missing)
        excess += alpha.excess
      }

      /// The first picture of some packets that comes behind one of a later PTS, or has such a one behind it.
      func disorder(among isMeant: (Int) -> Bool) -> Int? {
        disordered.first { isMeant($0.place) || isMeant($0.behind) }?.place
      }
    }

    /// Decodes up to some packets, and as far behind them as their pictures wait for others.
    func decode(from entry: Int, through end: Int) throws(CutError) -> Result {
      let count = film.tracks[track].coded.packets.count
      return try decode(
        DecodedStretch(entry: entry, judged: entry..<min(count, end + EdgeEncoder.longestDelay)))
    }

    /// - Throws: ``CutError``: `codecMissing` where nothing decodes this, or what reading gives.
    func decode(_ stretch: DecodedStretch) throws(CutError) -> Result {
      var result = try decode(stretch, .colours)
      // Where pictures can be entered and their alpha channel cannot, no player begins.
      if film.tracks[track].hasAlpha, film.access(ofTrack: track, stretch.entry) == .intra {
        result.add(alpha: try decode(stretch, .alpha))
      }
      return result
    }

    private func decode(
      _ stretch: DecodedStretch, _ layer: PictureLayer
    ) throws(CutError) -> Result {
      let described = film.tracks[track]
      let log = LibavLog()
      var decoder = try decoder(log)
      let range = stretch.entry..<stretch.judged.upperBound
      try film.prepare([track: [range]])
      var pass = Pass(described.coded.packets, stretch, isVideo: described.facts.kind == .video)
      // FFmpeg's MPEG-2 decoder drops the picture it is holding when the format changes, so it is flushed first.
      let changes =
        ["mpeg1video", "mpeg2video"].contains(described.facts.codec)
        ? try CodedLook.changes(in: range, of: film, track: track) : []
      for place in range {
        if isCancelled() { throw CutError.cancelled }
        if changes.contains(place) {
          decoder.value.finish()
          pass.drain(decoder.value, at: place - 1)
          decoder = try self.decoder(log)
        }
        guard let bytes = try film.bytes(ofTrack: track, place, layer) else {
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
        if result == .refused { pass.note("the decoder refuses it", at: place) }
      }
      let errors = log.errorCount
      decoder.value.finish()
      pass.drain(decoder.value, at: range.upperBound - 1)
      if log.errorCount > errors { pass.note(Self.words(log.lastError), at: range.upperBound - 1) }
      return pass.finished()
    }

    private func decoder(_ log: LibavLog) throws(CutError) -> DecoderBox {
      let described = film.tracks[track]
      let (stream, limits) = (described.stream, limits)
      let extradata = described.isReframed ? described.configuration : nil
      let decoder = try film.withDemuxer { (demuxer) throws(CutError) -> DecoderBox in
        do throws(LibavError) {
          return DecoderBox(
            try demuxer.decoder(
              forStream: stream, threads: 1, limits: limits.demuxer, extradata: extradata,
              log: log, waitsLongest: described.leavesReorderingOpen))
        } catch {
          throw CutError(error)
        }
      }
      if checksChecksums { decoder.value.checkChecksums() }
      return decoder
    }

    /// A line of FFmpeg's without the name and the address that stand before it.
    static func words(_ line: String?) -> String {
      guard let line else { return "it does not decode" }
      guard line.first == "[", let end = line.firstIndex(of: "]") else { return line }
      return String(line[line.index(after: end)...].drop { $0 == " " })
    }
  }

  /// What came of the packets so far.
  private struct Pass {
    private let stretch: DecodedStretch
    private let isVideo: Bool
    /// Places of judged packets by their PTS: several where a file shows two at one time.
    private var waiting: [Int64: [Int]] = [:]
    private var result = StretchDecoder.Result()
    /// The picture of the latest PTS so far.
    private var latest: (pts: Int64, place: Int)?

    init(_ packets: ContiguousArray<CodedPacket>, _ stretch: DecodedStretch, isVideo: Bool) {
      self.stretch = stretch
      self.isVideo = isVideo
      guard isVideo else { return }
      for place in stretch.judged.reversed() {
        waiting[packets[place].pts, default: []].append(place)
      }
    }

    mutating func note(_ words: String, at place: Int) {
      guard stretch.judged.contains(place), result.faults[place] == nil else { return }
      result.faults[place] = words
    }

    /// Nothing is expected of a packet.
    mutating func skip(_ place: Int, shownAt pts: Int64) {
      waiting[pts]?.removeAll { $0 == place }
    }

    mutating func drain(_ decoder: borrowing Decoder, at place: Int) {
      var count = 0
      while true {
        switch decoder.receive() {
        case .frame(let facts):
          take(facts, at: place)
          count += 1
          if !isVideo, count > 1 { result.frames[place] = count }
        case .failed: note("it does not decode", at: place)
        case .needsInput, .ended: return
        }
      }
    }

    private mutating func take(_ facts: FrameFacts, at place: Int) {
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
      if isFlawed { note("its picture has errors", at: origin) }
    }

    consuming func finished() -> StretchDecoder.Result {
      result.missing = Set(waiting.values.joined())
      return result
    }
  }
#endif
