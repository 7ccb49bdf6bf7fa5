#if FFmpeg
  import ExactTime
  import Libav
  import MediaFacts
  import MediaFiles
  import Trimming

  /// Writes the tracks of a cut with one of FFmpeg's muxers.
  struct PacketWriter {
    let source: any CutSource
    let spool: PayloadSpool
    let container: OutputContainer
    let isCancelled: @Sendable () -> Bool

    private var rules: ContainerRules { container.rules }

    /// Metadata of the whole file: tags and chapters.
    struct Labels {
      var tags: [(key: String, value: String)] = []
      var chapters: [Muxer.Chapter] = []
    }

    func write(
      _ tracks: [OutputTrack], labels: Labels, to output: any ByteOutput,
      progress: (Int64) -> Bool
    ) throws(CutError) -> [[UInt64]] {
      var prints = FingerprintList(tracks, source, container)
      let lengths = rules.isMatroska ? MatroskaLengths(output) : nil
      let filling = rules.leastByteCount > 0 ? NullPackets(output) : nil
      let muxer = try source.withDemuxer { (demuxer) throws(CutError) -> Muxer in
        do throws(LibavError) {
          return try Muxer(
            format: container.muxer, to: lengths ?? filling ?? output, from: demuxer,
            streams: tracks.map(stream), chapters: labels.chapters, tags: labels.tags,
            options: options(tracks))
        } catch {
          throw CutError(error)
        }
      }
      let clocks = zip(tracks, muxer.ticks).map { track, tick in
        OutputClock(
          track, tick: tick, lead: lead(of: track))
      }
      let startCodes = tracks.map { StartCodeFraming(of: $0, source, container) }
      let last = lengths == nil ? [:] : lastPictures(of: tracks, muxer.ticks, clocks)
      var marked: [(dts: Int64, track: Int, ticks: Int64)] = []
      var next = tracks.map { _ in 0 }
      var done: Int64 = 0
      while let track = earliest(tracks, next, clocks) {
        let packet = tracks[track].packets[next[track]]
        next[track] += 1
        let bytes = try packet.bytes(of: source, track: tracks[track].source, spool)
        var skipped = skipped(tracks[track], at: next[track] - 1)
        if let last = last[track], last.place == next[track] - 1 {
          lengths?.awaitMark()
          marked.append(((try? clocks[track].tick(packet.dts)) ?? 0, track, last.ticks))
          skipped.end = 1
        }
        try write(
          packet, startCodes[track]?.packet(bytes, isKey: packet.isKey) ?? bytes, as: track,
          skipped,
          hiddenEnd: next[track] == tracks[track].packets.count
            ? tracks[track].audio?.hiddenEnd ?? 0 : 0, clocks[track], muxer)
        prints.add(bytes, ofTrack: track)
        done += Int64(bytes.count)
        guard progress(done), !isCancelled() else {
          throw CutError(.cancelled, "it was cancelled")
        }
      }
      do throws(LibavError) {
        try muxer.finish()
      } catch {
        throw CutError(error)
      }
      do throws(OutputFault) {
        let ends = tracks.map { MediaDuration(seconds: $0.shown.end.seconds) }
        let film = zip(tracks, ends).filter { $0.0.video != nil || $0.0.audio != nil }.map(\.1)
        try lengths?.correct(film: film.max() ?? .zero, tracks: ends)
        // FFmpeg's muxer sorts so.
        marked.sort { ($0.dts, $0.track) < ($1.dts, $1.track) }
        try lengths?.stateLengths(ticks: marked.map(\.ticks))
        try filling?.fill(to: rules.leastByteCount)
      } catch {
        throw CutError(PublishingError(writing: error.code))
      }
      return prints.prints
    }

    /// The picture of each track that is shown last, and how many ticks of the container that is,
    /// where its header does not say so: Matroska's frames last as long as others, unless their block
    /// says otherwise.
    private func lastPictures(
      of tracks: [OutputTrack], _ ticks: [Rational], _ clocks: [OutputClock]
    ) -> [Int: (place: Int, ticks: Int64)] {
      var pictures: [Int: (place: Int, ticks: Int64)] = [:]
      for (track, output) in tracks.enumerated() where output.video != nil {
        let packets = output.packets
        guard let place = packets.indices.max(by: { packets[$0].pts < packets[$1].pts }),
          let begin = try? clocks[track].tick(packets[place].pts),
          let end = try? output.shown.end.seconds.divided(by: ticks[track]).rounded(.nearest),
          end > begin
        else { continue }
        pictures[track] = (place, end - begin)
      }
      return pictures
    }

    private func write(
      _ packet: OutputPacket, _ bytes: [UInt8], as track: Int, _ skipped: (start: Int, end: Int),
      hiddenEnd: Int64, _ clock: OutputClock, _ muxer: Muxer
    ) throws(CutError) {
      do throws(LibavError) {
        try muxer.write(
          bytes, stream: track, pts: try clock.tick(packet.pts), dts: try clock.tick(packet.dts),
          duration: try clock.ticks(packet.duration - (rules.endsByPosition ? hiddenEnd : 0)),
          isKey: packet.isKey, skippedAtStart: skipped.start, skippedAtEnd: skipped.end)
      } catch {
        throw CutError(error)
      }
    }

    /// Samples of a packet that are not heard, as far as they are stated packet by packet.
    private func skipped(_ track: OutputTrack, at place: Int) -> (start: Int, end: Int) {
      guard let cut = track.audio else { return (0, 0) }
      let isFirst = place == 0 && rules.statesDelayByPacket
      let isLast = place == track.packets.count - 1
      return (
        isFirst ? samples(cut.hiddenStart, of: track) : 0,
        isLast ? samples(cut.hiddenEnd, of: track) : 0
      )
    }

    /// How much later than on the output's timeline a track's packets are stamped.
    ///
    /// Transport streams begin later than zero, so that their clock reference can come before.
    /// Matroska's times of sound count from the first packet, heard or not; players subtract the
    /// codec delay (RFC 9559, 5.1.4.1.25).
    private func lead(of track: OutputTrack) -> Rational {
      if rules.lead > .zero { return rules.lead.seconds }
      if rules.beginsAtZero { return .zero }
      // Where the first place is not 0, the muxer fills up with nothing.
      if rules.countsSoundPackets, track.audio != nil, let first = track.packets.first,
        let lead = try? track.grid.duration(ofTicks: 0 &- first.dts)
      {
        return lead.seconds
      }
      let codec = track.codec(in: source)
      guard let hidden = track.audio?.hiddenStart, hidden > 0,
        rules.isMatroska, container.hidesSamples(of: codec), !Muxer.addsCodecDelay,
        let length = try? track.grid.duration(ofTicks: hidden)
      else { return .zero }
      return length.seconds
    }

    private func options(_ tracks: [OutputTrack]) -> [(key: String, value: String)] {
      let isShort = tracks.allSatisfy { $0.shown.length < MediaDuration(2) }
      let options = rules.muxerOptions.merging(isShort ? rules.shortMuxerOptions : [:]) { $1 }
      return options.map { (key: $0.key, value: $0.value) }.sorted { $0.key < $1.key }
    }

    private func stream(_ track: OutputTrack) -> Muxer.Stream {
      let source = source.tracks[track.source]
      var stream = Muxer.Stream(
        source: source.stream, tick: track.grid.secondsPerTick,
        extradata: track.configuration ?? (source.isReframed ? source.configuration : nil),
        tags: tags(of: source), frameRate: frameRate(of: source))
      // What the source says of its own beginning is not so of a part.
      if rules.isMatroska, !container.hidesSamples(of: track.codec(in: self.source)) {
        stream.initialPadding = 0
      }
      if let made = track.made {
        stream.parameters = made.parameters
        return stream
      }
      stream.shape = source.shape
      stream.keepsTag = rules.keptTags.contains(source.facts.codec)
      if let framing = StartCodeFraming(of: track, self.source, container) {
        stream.extradata = framing.sets
      }
      if source.facts.codec == "opus", let cut = track.audio,
        container.hidesSamples(of: "opus")
      {
        let padding = samples(cut.hiddenStart, of: track)
        stream.initialPadding = padding
        stream.extradata = Self.opusHead(source.configuration, preSkip: padding)
      }
      if source.facts.codec == "flac" {
        let length = track.packets.reduce(0) { $0 &+ max(0, $1.duration) }
        stream.extradata = Self.streamInfo(
          source.configuration, sampleCount: UInt64(samples(length, of: track)))
      }
      // It must know how long one is; of what it counts in samples that is one sample.
      if rules.countsSoundPackets, track.audio != nil,
        !SoundCodec.isUncompressed(source.facts.codec), let first = track.packets.first,
        track.packets.dropLast().allSatisfy({ $0.duration == first.duration })
      {
        stream.frameSize = samples(first.duration, of: track)
        stream.frameByteCount = first.byteCount
      }
      // Only whole frames fit its clock.
      if rules.hasFixedFrameRate, let rate = source.facts.video?.nominalFrameRate,
        let tick = try? Rational.one.divided(by: rate)
      {
        stream.tick = tick
      }
      return stream
    }

    /// The rate that a header may state.
    ///
    /// Matroska takes it for the length of every frame that does not say its own (RFC 9559,
    /// 5.1.4.1.13, DefaultDuration): where frames vary, only the duration that the source states.
    private func frameRate(of track: SourceTrack) -> Rational? {
      guard let video = track.facts.video else { return nil }
      guard rules.isMatroska, video.isConstantFrameRate == false else {
        return video.averageFrameRate ?? video.nominalFrameRate
      }
      return track.statedFrameRate
    }

    /// Ticks of a track of sound as samples.
    private func samples(_ ticks: Int64, of track: OutputTrack) -> Int {
      if track.made != nil { return Int(max(0, ticks)) }
      let source = source.tracks[track.source]
      guard ticks > 0,
        let rate = SoundCodec.clockRate(
          of: source.facts.codec, stated: source.facts.audio?.sampleRate),
        let length = try? source.coded.grid.duration(ofTicks: ticks),
        let count = try? TickGrid(ticksPerSecond: Int64(rate)).ticks(of: length, rounding: .nearest)
      else { return 0 }
      return Int(count)
    }

    /// The identification header with another pre-skip (RFC 7845, 5.1), in samples at 48 kHz.
    private static func opusHead(_ header: [UInt8], preSkip: Int) -> [UInt8]? {
      guard header.count >= 19, let value = UInt16(exactly: preSkip) else { return nil }
      var copy = header
      copy[10] = UInt8(truncatingIfNeeded: value)
      copy[11] = UInt8(value >> 8)
      return copy
    }

    /// STREAMINFO of FLAC (RFC 9639, 8.2) with the number of samples that are left; the checksum of
    /// all samples is not known then.
    private static func streamInfo(_ header: [UInt8], sampleCount: UInt64) -> [UInt8]? {
      guard header.count == 34, sampleCount < 1 << 36 else { return nil }
      var copy = header
      copy[13] = copy[13] & 0xF0 | UInt8(sampleCount >> 32)
      for place in 0..<4 {
        copy[14 + place] = UInt8(truncatingIfNeeded: sampleCount >> UInt64(24 - 8 * place))
      }
      for place in 18..<34 { copy[place] = 0 }
      return copy
    }

    private func tags(of track: SourceTrack) -> [(key: String, value: String)] {
      var tags = track.facts.tags
        .filter { !["duration", "encoder", "timecode"].contains($0.key.lowercased()) }
        .map { (key: $0.key, value: $0.value) }
      if let language = track.facts.language { tags.append(("language", language)) }
      if let title = track.facts.title { tags.append(("title", title)) }
      return tags
    }

    /// The track whose next packet is decoded first.
    private func earliest(
      _ tracks: [OutputTrack], _ next: [Int], _ clocks: [OutputClock]
    ) -> Int? {
      var best: (track: Int, time: Rational)?
      for track in tracks.indices where next[track] < tracks[track].packets.count {
        let time = clocks[track].seconds(tracks[track].packets[next[track]].dts)
        if best.map({ time < $0.time }) ?? true { best = (track, time) }
      }
      return best?.track
    }
  }

  /// Turns ticks of a source track into those of the output's stream.
  struct OutputClock {
    private let grid: TickGrid
    private let zero: Rational
    private let tick: Rational
    private let lead: Rational

    init(
      _ track: OutputTrack, tick: Rational, lead: Rational
    ) {
      grid = track.grid
      zero = track.zero
      self.tick = tick
      self.lead = lead
    }

    /// Seconds on the output's timeline; far outside any file where numbers end.
    func seconds(_ sourceTick: Int64) -> Rational {
      (try? Rational(sourceTick).subtracting(zero).multiplied(by: grid.secondsPerTick)) ?? .zero
    }

    /// The output's tick next to a tick of the source; the later one of two that are as near, so that
    /// even steps stay apart.
    func tick(_ sourceTick: Int64) throws(LibavError) -> Int64 {
      do throws(ExactTimeError) {
        return try Rational(sourceTick).subtracting(zero).multiplied(by: grid.secondsPerTick)
          .adding(lead).divided(by: tick).adding(Rational(1, 2)).rounded(.down)
      } catch {
        throw LibavError(.invalidData, "its times are too large to calculate with")
      }
    }

    func ticks(_ duration: Int64) throws(LibavError) -> Int64 {
      do throws(ExactTimeError) {
        return try Rational(duration).multiplied(by: grid.secondsPerTick).divided(by: tick)
          .rounded(.nearest)
      } catch {
        throw LibavError(.invalidData, "its times are too large to calculate with")
      }
    }
  }
#endif
