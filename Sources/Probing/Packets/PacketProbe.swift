#if FFmpeg
  import Bitstreams
  import ExactTime
  package import Libav
  package import MediaFacts
  package import MediaFiles
  /// Reads every packet of a file through FFmpeg and adds up what is presented.
  package struct PacketProbe {
    private var facts: MediaFacts
    private var scan = FileScan()
    private var stretches: [Int: [Int]] = [:]
    private var sound: SoundPackets
    private var starts = PictureStart()
    /// Whether the last frame of a stream is one that no decoder shows.
    private var hidden: [Int: Bool] = [:]
    /// Of streams whose packets may be fields.
    private var fields: [Int: H264Fields] = [:]
    /// Of streams whose container does not tell when pictures are shown.
    private var clocks: [Int: PictureClock] = [:]
    /// The last packet of raw FLAC, of which only its end tells whether it is whole.
    private var held: (stamp: PacketStamp, bytes: [UInt8], stream: Int)?
    private var pictures = PictureHeaders()
    /// FFmpeg's word for why it gave up before the end.
    package private(set) var endReason: String?
    private var wantsKeyframes: Bool
    package var wantsFrames = false
    private let format: String
    /// Pictures that FFmpeg takes for something else, and the streams that it makes of them.
    private var foreign: FLVPictures?
    private var misread: Set<Int> = []

    /// Formats whose clock may be reset in the middle.
    package static func mayJump(_ format: String) -> Bool {
      ["mpegts", "mpeg", "ogg"].contains(format)
    }

    /// Formats that are a codec's packets and nothing else.
    package static func isBare(_ format: String) -> Bool {
      ["aac", "ac3", "eac3", "dts", "mp3", "truehd", "mlp"].contains(format)
    }

    package init(_ demuxer: borrowing Demuxer, file: InputFile, wantsKeyframes: Bool) {
      format = ContainerNames.format(demuxer.formatName, head: ContainerHead(file))
      sound = SoundPackets(format: format)
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
        scan.countsChunks = format == "avi"
        scan.statedEnd = track.durationTicks.flatMap { length in
          let (end, overflow) = length.addingReportingOverflow(track.startTick ?? 0)
          return overflow ? nil : end
        }
        self.scan.follow(track.index, as: scan)
        if track.codec == "h264" {
          fields[track.index] = H264Fields(configuration: track.extradata)
        }
        if facts.kind == .video {
          clocks[track.index] = PictureClock(
            format: demuxer.formatName, codec: track.codec, configuration: track.extradata)
        }
      }
      if format == "flv" { readForeignPictures(demuxer, file) }
    }

    /// Takes the pictures of an FLV natively where FFmpeg knows nothing of their codec.
    private mutating func readForeignPictures(_ demuxer: borrowing Demuxer, _ file: InputFile) {
      let known = Set(demuxer.tracks.filter { $0.kind == .video }.map(\.codec))
      let pictures = FLVPictures(file) { known.contains($0) }
      guard let pictures, let first = facts.tracks.first(where: { $0.kind == .video })?.index else {
        return
      }
      foreign = pictures
      misread = Set(facts.tracks.filter { $0.kind == .video }.map(\.index))
      let grid = TickGrid(ticksPerSecond: 1000)
      var track = TrackFacts(
        id: facts.tracks[first].id, index: first, kind: .video, codec: pictures.codec)
      track.codecTag = pictures.codecTag
      track.grid = grid
      var video = VideoFacts(width: 0, height: 0)
      if let header = pictures.header {
        video = CodedSize.facts(header)
        track.profile = header.profile
        track.level = header.level
      }
      track.video = video
      facts.tracks[first] = track
      for index in misread { scan.unfollow(index) }
      scan.follow(
        first, as: StreamScan(isVideo: true, grid: grid, sampleRate: nil, mayJump: false))
    }

    /// Adds the pictures that FFmpeg does not read.
    private mutating func addForeignPictures() {
      guard let foreign, let index = misread.min() else { return }
      for stamp in foreign.stamps { scan.add(stamp, to: index) }
      let lost = foreign.stamps.count { $0.isHidden }
      if lost > 0 {
        facts.notes.append(
          FirstKeyframe.note(
            count: lost, of: foreign.stamps.count, track: facts.tracks[index].id))
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
    package mutating func scan(
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
          if misread.contains(packet.stream) { continue }
          add(stamp(packet, demuxer), of: packet, demuxer)
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
      if case .refused(_, let reason) = demuxer.earlyEnd { endReason = reason }
      addLast()
      addForeignPictures()
      ScanNotes.add(endOf: demuxer, to: &facts)
      for track in demuxer.tracks {
        if let (times, end) = clocks[track.index]?.times(delay: track.reorderedFrames) {
          scan.retime(track.index, to: times, end: end)
        }
      }
      applyGaplessTag()
      stretches = scan.stretches()
      for position in facts.tracks.indices { finishTrack(at: position) }
    }

    private mutating func add(
      _ stamp: PacketStamp, of packet: PacketFacts, _ demuxer: borrowing Demuxer
    ) {
      guard format == "flac" else {
        scan.add(stamp, to: packet.stream)
        return
      }
      if let held { scan.add(held.stamp, to: held.stream) }
      held = (stamp, demuxer.withPacketBytes { Array($0) }, packet.stream)
    }

    /// A stream of sound without a container has its gapless tag in ID3.
    private mutating func applyGaplessTag() {
      guard Self.isBare(format), let tag = GaplessTag(in: facts.tags),
        let sound = facts.tracks.first(where: { $0.kind == .audio })
      else { return }
      if scan.hide(tag, in: sound.index) == false {
        facts.notes.append(GaplessTag.contradiction(track: sound.id))
      }
    }

    /// Adds the last frame of raw FLAC if all of it is there.
    private mutating func addLast() {
      guard let last = held else { return }
      held = nil
      if FLACFrame.isWhole(last.bytes) {
        scan.add(last.stamp, to: last.stream)
      } else {
        noteCutShort(
          SoundPackets.CutShortFrame(
            byteOffset: last.stamp.byteOffset, byteCount: last.bytes.count), ofStream: last.stream)
      }
    }

    /// A last frame that the end of the file cuts off is not presented, whatever codec it is of.
    private mutating func noteCutShort(
      _ frame: SoundPackets.CutShortFrame, ofStream index: Int
    ) {
      let id = facts.tracks[index].id
      facts.damage.append(
        Damage(
          .truncated, at: frame.byteOffset, track: id, count: 1,
          "The file ends inside its last frame, of which \(frame.byteCount) bytes are there."))
      facts.notes.append(
        Note(
          "last-frame-cut-short", track: id,
          "The last frame is not all there and is not presented."))
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
      if track.kind == .audio, let rate = sound.read(&stamp, packet, track, demuxer) {
        facts.tracks[packet.stream].audio?.sampleRate = rate
      }
      if fields[packet.stream] != nil {
        // The first slice stands behind parameter sets and messages.
        let start = demuxer.withPacketBytes { Array($0.prefix(4096)) }
        stamp.isSecondField = fields[packet.stream]?.isSecond(start[...]) == true
      }
      if track.kind == .video {
        // The fields of a frame are shown together.
        if !stamp.isSecondField || hidden[packet.stream] == nil {
          hidden[packet.stream] = starts.isHidden(packet, track, demuxer)
        }
        stamp.isHidden = hidden[packet.stream] == true
      }
      time(&stamp, packet, demuxer)
      if track.kind == .video { pictures.read(track, isKey: stamp.isKey, demuxer, into: &facts) }
      if track.kind == .video, stamp.isKey, wantsKeyframes {
        stamp.access = Self.access(track, demuxer)
      }
      return stamp
    }

    /// Notes a picture whose time follows from the order in which pictures are shown.
    private mutating func time(
      _ stamp: inout PacketStamp, _ packet: PacketFacts, _ demuxer: borrowing Demuxer
    ) {
      if clocks[packet.stream]?.isContradicted(byPTS: packet.pts, dts: packet.dts) == true {
        clocks[packet.stream] = nil
      }
      guard clocks[packet.stream] != nil else { return }
      guard !stamp.isSecondField else {
        clocks[packet.stream]?.addField(duration: packet.duration)
        return
      }
      let bytes = demuxer.withPacketBytes { Array($0) }
      let picture = clocks[packet.stream]?.add(
        bytes, instant: packet.dts ?? packet.pts, duration: packet.duration)
      stamp.isSilent = picture == nil
      if let picture, demuxer.tracks[packet.stream].codec == "mpeg4" {
        stamp.isKey =
          RandomAccess.classify(codec: "mpeg4", picture[...], framing: .annexB) == .intra
      }
    }

    package static func access(
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

    package mutating func noteGarbage(bytes: Int64) {
      facts.notes.append(
        Note(
          "garbage-before-media",
          "The first \(bytes) bytes belong to nothing; the sound begins behind them."))
    }

    package func scan(ofStream index: Int) -> StreamScan? { scan.streams[index] }

    /// The stretch of the file's clock that each epoch of a stream belongs to.
    package func stretches(ofStream index: Int) -> [Int] { stretches[index] ?? [] }

    /// What each track presents.
    package var presentedTracks: [PresentedTrack] {
      facts.tracks.compactMap { scan.presented($0.index, as: $0.id, stretches: stretches) }
    }

    /// Packets that FFmpeg marks as corrupt, by track.
    package var corruption: [Damage] { facts.damage.filter { $0.kind == .undecodable } }

    /// The facts, with the notes that follow from the scan.
    package func finished() -> MediaFacts {
      var facts = facts
      // Other streams that FFmpeg made of the same pictures.
      if let kept = misread.min() {
        facts.tracks.removeAll { misread.contains($0.index) && $0.index != kept }
      }
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
      if let lost = starts.lostFrames[index] {
        facts.notes.append(FirstKeyframe.note(count: lost, of: scan.packetCount, track: id))
      }
      if let frame = sound.cutShort[index] { noteCutShort(frame, ofStream: position) }
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
      // The longest stretch of a clock that was reset tells the rate of all.
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
      if wantsFrames {
        facts.tracks[position].shownFrames = shownFrames(
          of: scan, at: facts.tracks[position].index)
      }
      let summary = groups(of: scan, at: facts.tracks[position].index)
      facts.tracks[position].gops = summary.gops
      facts.tracks[position].keyframes = summary.keyframes
    }

    /// Every frame that is shown, each until the next one of its stretch.
    private func shownFrames(of scan: StreamScan, at index: Int) -> [ShownFrame] {
      let beginnings = (try? ClockBeginning.all(of: presentedTracks, origin: .zero)) ?? [:]
      let numbers = stretches(ofStream: index)
      var frames: [ShownFrame] = []
      for (number, epoch) in scan.epochs.enumerated() {
        guard number < numbers.count, let beginning = beginnings[numbers[number]] else { continue }
        let sorted = epoch.pts.sorted().dropFirst(epoch.hiddenCount)
        let end = epoch.lastPTS + scan.displayTicks(ofLastFrameIn: epoch)
        for (start, stop) in zip(sorted, Array(sorted.dropFirst()) + [end]) {
          guard let from = scan.time(start).flatMap({ try? beginning.film($0) }),
            let length = try? scan.grid.duration(ofTicks: max(0, stop - start))
          else { continue }
          frames.append(ShownFrame(time: from, duration: length))
        }
      }
      return frames
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
