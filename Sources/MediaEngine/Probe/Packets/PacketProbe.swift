#if FFmpeg
  import ExactTime
  import Libav
  import MediaFacts

  /// Reads every packet of a file through FFmpeg and adds up what is presented.
  struct PacketProbe {
    private var facts: MediaFacts
    private var scan = FileScan()
    private var stretches: [Int: [Int]] = [:]
    /// Streams of which a packet was seen, and Vorbis streams of which sound was.
    private var startedStreams: Set<Int> = []
    private var primedStreams: Set<Int> = []
    /// Of streams whose packets may be fields.
    private var fields: [Int: H264Fields] = [:]
    /// Where the first keyframe of HEVC streams is shown, as long as frames that lead it may follow.
    private var firstKeys: [Int: Int64] = [:]
    private var pictures = PictureHeaders()
    private var wantsKeyframes: Bool
    private let format: String

    /// Formats whose clock may be set anew in the middle.
    static func mayJump(_ format: String) -> Bool {
      ["mpegts", "mpeg", "ogg"].contains(format)
    }

    /// Formats that are a codec's packets and nothing else.
    static func isBare(_ format: String) -> Bool {
      ["aac", "ac3", "eac3", "dts", "mp3", "truehd", "mlp"].contains(format)
    }

    init(_ demuxer: borrowing Demuxer, file: InputFile, wantsKeyframes: Bool) {
      format = ContainerNames.format(demuxer.formatName, head: ContainerHead(file))
      self.wantsKeyframes = wantsKeyframes
      facts = MediaFacts(
        container: ContainerFacts(
          format: format, longName: demuxer.formatLongName, isSeekable: file.isSeekable),
        depth: .header)
      facts.byteCount = file.byteCount
      facts.tags = demuxer.tags.map { Tag(key: $0.key, value: $0.value) }
      let isEstimated = demuxer.isDurationEstimated
      facts.tracks = demuxer.tracks.map {
        PacketTracks.facts(of: $0, format: format, isEstimated: isEstimated)
      }
      facts.chapters = ContainerNames.chapters(demuxer.chapters)
      if let length = demuxer.declaredDuration, !PacketTracks.declaresNothing(format) {
        facts.durations.declared = DurationFact(
          length: length, source: isEstimated ? .estimate : .containerHeader)
      }
      facts.damage = ContainerHead(file).damage
      for (track, facts) in zip(demuxer.tracks, facts.tracks) where facts.isPresented {
        guard let grid = track.grid else { continue }
        var scan = StreamScan(
          isVideo: facts.kind == .video, grid: grid,
          sampleRate: track.sampleRate.map { Int64($0) },
          mayJump: Self.mayJump(format))
        if facts.kind == .video, let rate = track.averageFrameRate ?? track.realFrameRate,
          let frame = try? Rational.one.divided(by: rate)
        {
          scan.fallbackDuration = try? grid.ticks(
            of: MediaDuration(seconds: frame), rounding: .nearest)
        }
        scan.clockCorrection = delayCorrection(track, grid)
        scan.isBare = Self.isBare(format)
        scan.statedEnd = track.durationTicks.flatMap { length in
          let (end, overflow) = length.addingReportingOverflow(track.startTick ?? 0)
          return overflow ? nil : end
        }
        self.scan.follow(track.index, as: scan)
        if track.codec == "h264" {
          fields[track.index] = H264Fields(configuration: track.extradata)
        }
      }
    }

    /// Matroska stores block times in whole milliseconds, and FFmpeg takes the codec delay away in
    /// the same; the delay itself is exact (RFC 9559, 5.1.4.1.25 CodecDelay).
    private func delayCorrection(_ track: LibavTrack, _ grid: TickGrid) -> MediaDuration {
      guard format == "matroska" || format == "webm", track.initialPadding > 0,
        let rate = track.sampleRate, rate > 0,
        let exact = try? TickGrid(ticksPerSecond: Int64(rate)).duration(
          ofTicks: Int64(track.initialPadding)),
        // FFmpeg rounds halves away from zero (av_rescale_q).
        let half = try? MediaDuration(seconds: grid.secondsPerTick.divided(by: Rational(2))),
        let ticks = try? grid.ticks(of: exact.adding(half), rounding: .down),
        let rounded = try? grid.duration(ofTicks: ticks),
        let correction = try? rounded.subtracting(exact)
      else { return .zero }
      return correction
    }

    /// Reads packets to the end.
    ///
    /// - Parameter observer: sees every packet, those of tracks that are not presented too.
    mutating func scan(
      _ demuxer: inout Demuxer,
      observer: ((PacketFacts, borrowing Demuxer) -> Void)? = nil,
      progress: (ProbeProgress) -> Bool
    ) throws(ProbeError) {
      if observer == nil { demuxer.discard(allBut: Set(scan.streams.keys)) }
      var untilReport = 0
      let total = facts.byteCount
      do {
        while let packet = try demuxer.nextPacket() {
          observer?(packet, demuxer)
          let stamp = stamp(packet, demuxer)
          scan.add(stamp, to: packet.stream)
          untilReport += 1
          if untilReport == 512 {
            untilReport = 0
            guard progress(ProbeProgress(bytesDone: demuxer.position, bytesTotal: total)) else {
              throw ProbeError(.cancelled, "it was cancelled")
            }
          }
        }
      } catch let error as ProbeError {
        throw error
      } catch let error as LibavError {
        throw ProbeError(error)
      } catch {
        throw ProbeError(.internalError, "\(error)")
      }
      facts.depth = .packets
      ScanNotes.add(endOf: demuxer, to: &facts)
      stretches = scan.stretches()
      for position in facts.tracks.indices { finishTrack(at: position) }
    }

    private mutating func stamp(
      _ packet: PacketFacts, _ demuxer: borrowing Demuxer
    ) -> PacketStamp {
      var stamp = PacketStamp(pts: packet.pts, dts: packet.dts, duration: packet.duration)
      stamp.isKey = packet.isKey
      stamp.isCorrupt = packet.isCorrupt
      stamp.skippedAtStart = packet.skippedAtStart
      stamp.skippedAtEnd = packet.skippedAtEnd
      stamp.byteOffset = packet.byteOffset
      stamp.byteCount = packet.byteCount
      let track = demuxer.tracks[packet.stream]
      if track.codec == "hevc", !track.isEncrypted {
        stamp.isHidden = isLost(packet, track, demuxer)
      }
      if track.kind == .audio { readSound(&stamp, packet, track, demuxer) }
      if fields[packet.stream] != nil {
        // The first slice stands behind parameter sets and messages.
        let start = demuxer.withPacketBytes { Array($0.prefix(4096)) }
        stamp.isSecondField = fields[packet.stream]?.isSecond(start[...]) == true
      }
      if track.kind == .video { pictures.read(track, demuxer, into: &facts) }
      if track.kind == .video, packet.isKey, wantsKeyframes {
        stamp.access = Self.access(track, demuxer)
      }
      return stamp
    }

    /// Whether a frame leads the first keyframe and refers to what came before that.
    private mutating func isLost(
      _ packet: PacketFacts, _ track: LibavTrack, _ demuxer: borrowing Demuxer
    ) -> Bool {
      guard startedStreams.contains(packet.stream) else {
        startedStreams.insert(packet.stream)
        if packet.isKey { firstKeys[packet.stream] = packet.pts }
        return false
      }
      guard let key = firstKeys[packet.stream] else { return false }
      // Leading pictures directly follow their keyframe (ITU-T H.265, 7.4.2.2).
      guard let pts = packet.pts, pts < key else {
        firstKeys[packet.stream] = nil
        return false
      }
      let start = demuxer.withPacketBytes { Array($0.prefix(256)) }
      return RandomAccess.isSkippedLeading(
        codec: "hevc", start[...],
        framing: Framing(codec: track.codec, configuration: track.extradata))
    }

    private static func access(
      _ track: LibavTrack, _ demuxer: borrowing Demuxer
    ) -> RandomAccessKind {
      guard !track.isEncrypted else { return .unknown }
      let framing = Framing(codec: track.codec, configuration: track.extradata)
      return demuxer.withPacketBytes { bytes in
        // Long user data may stand before the picture itself.
        for limit in [4096, 65536] {
          let start = Array(bytes.prefix(limit))
          let access = RandomAccess.classify(codec: track.codec, start[...], framing: framing)
          if access != .unknown || bytes.count <= limit { return access }
        }
        return .unknown
      }
    }

    private mutating func readSound(
      _ stamp: inout PacketStamp, _ packet: PacketFacts, _ track: LibavTrack,
      _ demuxer: borrowing Demuxer
    ) {
      let isFirst = startedStreams.insert(packet.stream).inserted
      switch track.codec {
      case "vorbis":
        // Vorbis I, 4.2.1: headers have the lowest bit set; 4.3.8: the first packet of sound only
        // primes the overlap.
        let (type, rate) = demuxer.withPacketBytes { VorbisPacket.kind($0) }
        if type & 1 == 1 {
          stamp.isSilent = true
          stamp.startsClock = type == 1
          stamp.clockRate = rate
          primedStreams.remove(packet.stream)
        } else if primedStreams.insert(packet.stream).inserted {
          // In Ogg its time lies before the link's zero; where it does not, nothing was counted for
          // it.
          stamp.isSilent = format != "ogg" || (packet.pts ?? 0) < 0
        }
        // FFmpeg's last duration of a link can be negative, and then wraps around.
        if format == "ogg" { stamp.duration = Int64(Int32(truncatingIfNeeded: stamp.duration)) }
      default:
        let length = demuxer.withPacketBytes {
          AudioFrameLength.samples(codec: track.codec, $0, frameSize: track.frameSize)
        }
        switch length {
        case .samples(let count):
          stamp.sampleCount = count
          // All of it is dropped: the packet before it is the last that is heard.
          if stamp.skippedAtEnd >= count, count > 0 { stamp.isSilent = true }
        case .nothing: stamp.isSilent = true
        case .unknown: break
        }
      }
      // FFmpeg knows the rate of raw AAC from its decoder alone.
      if isFirst, track.sampleRate == nil, track.codec == "aac", Self.isBare(format),
        let rate = demuxer.withPacketBytes({ ADTSHeader(Array($0.prefix(16)))?.sampleRate })
      {
        stamp.startsClock = true
        stamp.clockRate = Int64(rate)
        facts.tracks[packet.stream].audio?.sampleRate = rate
      }
      if isFirst, track.codec == "aac", stamp.skippedAtStart == 0 {
        stamp.skippedAtStart = demuxer.withPacketBytes {
          AACPriming.samples(inFirstPacket: Array($0.prefix(64))[...])
        }
      }
      // FFmpeg leaves Opus' pre-skip to its decoder where the container does not repeat it.
      if isFirst, track.codec == "opus", stamp.skippedAtStart == 0, format != "ogg" {
        stamp.skippedAtStart = track.initialPadding
      }
    }

    mutating func noteGarbage(bytes: Int64) {
      facts.notes.append(
        Note(
          "garbage-before-media",
          "The first \(bytes) bytes belong to nothing; the sound begins behind them."))
    }

    func scan(ofStream index: Int) -> StreamScan? { scan.streams[index] }

    /// The stretch of the file's clock that each epoch of a stream belongs to.
    func stretches(ofStream index: Int) -> [Int] { stretches[index] ?? [] }

    /// What each track presents.
    var presentedTracks: [PresentedTrack] {
      facts.tracks.compactMap { scan.presented($0.index, as: $0.id, stretches: stretches) }
    }

    /// Packets that FFmpeg marks as corrupt, by track.
    var corruption: [Damage] { facts.damage.filter { $0.kind == .undecodable } }

    /// The facts, with the notes that follow from the scan.
    func finished() -> MediaFacts {
      var facts = facts
      facts.durations = FileDurations.of(
        facts.tracks, declared: facts.durations.declared, presented: presentedTracks,
        source: .packets)
      facts.finish()
      return facts
    }

    private mutating func finishTrack(at position: Int) {
      let index = facts.tracks[position].index
      guard let scan = scan.streams[index], scan.packetCount > 0 else { return }
      let id = facts.tracks[position].id
      facts.tracks[position].sampleCount = scan.packetCount
      if let track = self.scan.presented(index, as: id, stretches: stretches),
        let range = FileRange([track])
      {
        facts.tracks[position].durations.presented = DurationFact(
          length: range.length, start: range.start, source: .packets, trackID: id)
        facts.tracks[position].bitRate =
          BitRate.of(bytes: scan.byteCount, over: range.length)
          ?? facts.tracks[position].bitRate
      }
      if scan.isVideo {
        describeFrames(at: position, scan)
      } else {
        let priming = scan.epochs.reduce(0) { $0 + $1.priming }
        let padding = scan.epochs.reduce(0) { $0 + $1.padding }
        facts.tracks[position].audio?.priming = priming > 0 ? priming : nil
        facts.tracks[position].audio?.padding = padding > 0 ? padding : nil
      }
      facts.notes += ScanNotes.notes(
        of: scan, stretches: stretches[index] ?? [], facts.tracks[position])
      if scan.corruptCount > 0 {
        facts.damage.append(
          Damage(
            .undecodable, track: id, count: scan.corruptCount,
            "\(scan.corruptCount) of \(scan.packetCount) packets are marked as corrupt."))
      }
    }

    private mutating func describeFrames(at position: Int, _ scan: StreamScan) {
      facts.tracks[position].frameCount = scan.epochs.reduce(0) {
        $0 + $1.pts.count - $1.hiddenCount
      }
      // The longest stretch of a clock that was set anew tells the rate of all.
      guard let epoch = scan.epochs.max(by: { $0.pts.count < $1.pts.count }) else { return }
      var sorted = epoch.pts
      sorted.sort()
      let end = epoch.lastPTS + scan.displayTicks(ofLastFrameIn: epoch)
      let spacing = FrameSpacing(
        times: sorted.dropFirst(epoch.hiddenCount), end: end, grid: scan.grid,
        stated: facts.tracks[position].video?.nominalFrameRate)
      facts.tracks[position].video?.nominalFrameRate = spacing.nominal
      facts.tracks[position].video?.averageFrameRate = spacing.average
      // Times that were filled in are not spaced by the film.
      facts.tracks[position].video?.isConstantFrameRate =
        scan.untimedCount > 0 && spacing.isConstant == false ? nil : spacing.isConstant
      let summary = groups(of: scan, at: facts.tracks[position].index)
      facts.tracks[position].gops = summary.gops
      facts.tracks[position].keyframes = summary.keyframes
    }

    /// The groups of pictures of all stretches, on the timeline on which these are shown one after
    /// another.
    private func groups(of scan: StreamScan, at index: Int) -> GOPSummary {
      let beginnings = (try? ClockBeginning.all(of: presentedTracks, origin: .zero)) ?? [:]
      let numbers = stretches(ofStream: index)
      var frames = 0
      var whole = GOPSummary()
      for (number, epoch) in scan.epochs.enumerated() {
        let sorted = ContiguousArray(epoch.pts.sorted())
        let beginning = number < numbers.count ? beginnings[numbers[number]] : nil
        whole.append(
          GOPSummary(
            entries: epoch.keys, pts: epoch.pts, grid: scan.grid,
            end: epoch.lastPTS + scan.displayTicks(ofLastFrameIn: epoch), lists: wantsKeyframes,
            place: { tick in
              let time = scan.time(tick).flatMap { try? beginning?.film($0) }
              return (time, sorted.place(of: tick).map { $0 - epoch.hiddenCount + frames })
            }))
        frames += epoch.pts.count - epoch.hiddenCount
      }
      return whole
    }
  }
#endif
