#if FFmpeg
  import Bitstreams
  import ExactTime
  import Libav
  import MediaFacts
  import MediaFiles
  import Trimming

  /// Proves that a written file is what its plan says, before anyone sees it.
  struct CutProof {
    let tracks: [OutputTrack]
    /// The fingerprint of every packet as it was handed to the writer.
    let fingerprints: [[UInt64]]
    let source: any CutSource
    let container: OutputContainer
    /// False where whole groups of packets were asked for, whatever they show.
    var promisesPictures = true
    /// Whether what was copied is examined for damage that was in the source.
    var examines = true
    let isFull: Bool
    let limits: Limits
    let isCancelled: @Sendable () -> Bool
    var meter: WorkMeter?

    /// - Returns: what was examined, and what of the source's damage was copied.
    /// - Throws: ``CutError`` of code `verificationFailed`, saying what differs from the plan, or
    ///   `damaged` where the source does not give what was promised.
    @discardableResult
    func check(_ file: InputFile) throws(CutError) -> CutExamination {
      let written: any CutSource
      do {
        if let native = try ISOCutSource(file, limits: limits, isCancelled: isCancelled) {
          written = native
        } else {
          let cancelled = isCancelled
          written = try PacketCutSource(
            file, limits: limits, isCancelled: isCancelled, progress: { _ in !cancelled() })
        }
      } catch {
        if error.code == .cancelled { throw error }
        if let refusal = unrecognised(fewerThan: container.rules.tellingSoundPackets) {
          throw refusal
        }
        throw failure("it cannot be read back: \(error.message)")
      }
      try checkDamage(written.facts)
      guard written.tracks.count >= tracks.count else {
        throw failure("it has \(written.tracks.count) tracks, not \(tracks.count)")
      }
      var findings = Findings(tracks, source)
      let budget = budget
      for index in tracks.indices where source.tracks[tracks[index].source].timecode == nil {
        let codec = tracks[index].codec(in: source)
        if container.forgetsPackets(of: codec) {
          try checkStream(written, index)
          if container.isISO { try checkRun(written, index) }
          try checkBlocks(index, budget, &findings)
          continue
        }
        do throws(CutError) {
          try checkTimes(written, index)
        } catch {
          // Readers of transport streams tell some codecs by their frames alone.
          let isOther = written.tracks[index].facts.codec != codec
          if isOther, let refusal = unrecognised(fewerThan: 3) { throw refusal }
          throw error
        }
        try checkContent(written, index, &findings)
        try checkSound(written, index, &findings)
        let stretches = stretches(of: written, index, budget) { findings.hasFault($0, index) }
        try checkDecoding(written, index, stretches, &findings)
      }
      try checkLength(written.facts)
      var examination = try findings.examination()
      examination.presented = written.facts.durations.presented?.length
      return examination
    }

    /// What all that was copied would cost to decode, besides what was encoded.
    private var budget: DecodingBudget {
      guard examines else { return DecodingBudget(total: .max / 8, isFull: isFull) }
      return DecodingBudget(
        tracks.filter { $0.made == nil }.map {
          (source.tracks[$0.source].facts, $0.packets.count)
        }, isFull: isFull)
    }

    func failure(_ message: String, _ track: Int? = nil, _ packet: Int? = nil) -> CutError {
      var error = CutError(
        .verificationFailed, "the written file differs from its plan: " + message,
        hint: "Nothing was published. This is a fault of the program: please report it.")
      error.difference = track.map { CutError.Difference(track: $0, packet: packet) }
      return error
    }

    /// A file of so few packets may look like another kind to readers, or like none.
    private func unrecognised(fewerThan least: Int) -> CutError? {
      let count = tracks.map(\.packets.count).max() ?? 0
      guard count < least else { return nil }
      return CutError(
        .notCuttable,
        "the part holds \(count) packets of sound, too few to be recognised in a "
          + "\(container.rules.ending) file", hint: "Make it longer, or write .mka.")
    }

    private func checkDamage(_ facts: MediaFacts) throws(CutError) {
      if let damage = facts.damage.first { throw failure(damage.text) }
    }

    private func checkTimes(_ written: any CutSource, _ index: Int) throws(CutError) {
      let track = tracks[index]
      let found = written.tracks[index].coded
      guard found.packets.count == track.packets.count else {
        throw failure(
          "track \(index + 1) has \(found.packets.count) packets, not \(track.packets.count)",
          index)
      }
      if track.sounds.count > 1, container.isISO {
        try checkEdits(written, index)
        return
      }
      if let obstacle = written.tracks[index].obstacle, !track.packets.isEmpty {
        throw failure("track \(index + 1): \(obstacle)", index)
      }
      let zero = shownStart
      // Where decoding times are those of presentation, a transport stream leaves them out, and a
      // reader may take MPEG-2 for reordered.
      let reorders = track.video != nil && track.packets.contains { $0.pts != $0.dts }
      // A container's own ticks may be coarser than the source's.
      let tolerance = tolerance(of: track, found.grid)
      for place in track.packets.indices {
        // How long the block is that leads into Vorbis, the one before it alone would tell.
        let isLead =
          place == 0 && track.made == nil
          && container.rules.statesEnd(of: track.codec(in: source))
        func time(of packet: (pts: Int64, duration: Int64)) -> Int64 {
          packet.pts &+ (isLead ? packet.duration : 0)
        }
        do throws(ExactTimeError) {
          let planned = track.packets[place]
          let expected = try Rational(time(of: (planned.pts, planned.duration)))
            .subtracting(track.zero)
            .multiplied(by: track.grid.secondsPerTick).subtracting(zero.seconds)
          let read = found.packets[place]
          let actual = try found.time(atTick: time(of: (read.pts, read.duration))).seconds
          let distance = try MediaDuration(seconds: expected.subtracting(actual)).checkedMagnitude()
          guard distance <= tolerance else {
            throw ExactTimeError.notPositive
          }
        } catch {
          throw failure(
            "packet \(place) of track \(index + 1) is not shown when it should be", index, place)
        }
        if reorders, place > 0, container.rules.statesDTS,
          found.packets[place].dts <= found.packets[place - 1].dts
        {
          throw failure(
            "packet \(place) of track \(index + 1) is decoded out of order", index, place)
        }
      }
    }

    /// The first instant at which anything of the output is shown.
    var shownStart: MediaTime {
      let shown = tracks.filter { $0.video != nil || $0.audio != nil }
      return shown.map(\.shown.start).min() ?? .zero
    }

    private func tolerance(of track: OutputTrack, _ found: TickGrid) -> MediaDuration {
      let planned = track.grid
      let isSound = track.video == nil
      if container.isISO {
        // IN may lie between two ticks of sound and text. What no movie time scale of 31 bits
        // states exactly is off by less than a microsecond.
        return isSound
          ? MediaDuration(seconds: planned.secondsPerTick) : MediaDuration(1, 1_000_000)
      }
      if let tolerance = container.rules.timeTolerance { return tolerance }
      if isRounded(track), let tolerance = container.rules.roundedTimeTolerance { return tolerance }
      if container.rules.isMatroska, track.made == nil {
        // Its milliseconds are read as samples of PCM in a row unless they state a hole, and as packets of
        // Vorbis that close up over two of them (PacketColumns): in the source and in what is written.
        let codec = track.codec(in: source)
        if SoundCodec.isUncompressed(codec) { return MediaDuration(2, 1000) }
        if codec == "vorbis" { return MediaDuration(4, 1000) }
      }
      // IN may lie between two samples.
      let sample = isSound ? max(MediaDuration(1, 8000), unevenness(of: track)) : .zero
      let ticks = planned.secondsPerTick < found.secondsPerTick ? found : planned
      // Two roundings: the packet's and that of the file's start.
      return max(sample, (try? ticks.duration(ofTicks: 2)) ?? .zero)
    }

    /// By how much packets that are equal by their codec are told to differ.
    ///
    /// Readers of frames and of PES packets count them (ISO/IEC 13818-1, 2.4.3.7). What is more than a
    /// rounding is a hole.
    private func unevenness(of track: OutputTrack) -> MediaDuration {
      let durations = track.packets.lazy.map(\.duration).dropLast()
      guard track.made == nil, SoundCodec.hasEqualPackets(track.codec(in: source)),
        let least = durations.min(), let most = durations.max(),
        let spread = try? track.grid.duration(ofTicks: 2 &* (most &- least)),
        spread <= MediaDuration(8, 1000)
      else { return .zero }
      return spread
    }

    /// Whether packets of copied sound do not begin where the ones before them end; pictures never do
    /// so by rule.
    private func isRounded(_ track: OutputTrack) -> Bool {
      guard track.made == nil else { return false }
      return track.video != nil
        || zip(track.packets, track.packets.dropFirst()).contains {
          $1.pts != $0.pts &+ $0.duration
        }
    }

    /// WAV keeps samples, not packets: all of them in a row are compared.
    private func checkStream(_ written: any CutSource, _ index: Int) throws(CutError) {
      let packets = written.tracks[index].coded.packets
      try written.prepare([index: [packets.indices]])
      var print = Fingerprint()
      for place in packets.indices { print.append(try written.bytes(ofTrack: index, place)) }
      guard [print.value] == fingerprints[index] else {
        throw failure(
          "the samples of track \(index + 1) are not those that were written", index)
      }
      let track = tracks[index]
      // Containers differ in how they count blocks of a coding; samples count for themselves.
      guard SoundCodec.isUncompressed(track.codec(in: source)) else { return }
      let (length, wanted, difference): (MediaDuration, MediaDuration, MediaDuration)
      do throws(ExactTimeError) {
        let end = packets.last.map { $0.pts &+ max(0, $0.duration) } ?? 0
        length = try written.tracks[index].coded.grid.duration(
          ofTicks: end &- (packets.first?.pts ?? end))
        wanted = try track.grid.duration(
          ofTicks: track.packets.reduce(0) { $0 &+ max(0, $1.duration) })
        difference = try length.subtracting(wanted).checkedMagnitude()
      } catch {
        throw CutError.beyondNumbers
      }
      guard difference <= Self.streamTolerance else {
        throw failure("track \(index + 1) is \(length) s long, not \(wanted) s", index)
      }
    }

    /// What parts may be moved by where they are joined, and more: sound counted wrong is off by far.
    private static let streamTolerance = MediaDuration(1, 10)

    /// Holds every packet against what was handed to the writer, and looks through the bytes of those
    /// that were copied.
    private func checkContent(
      _ written: any CutSource, _ index: Int, _ findings: inout Findings
    ) throws(CutError) {
      let found = written.tracks[index]
      if found.facts.kind == .subtitle || found.facts.kind == .data { return }
      let packets = found.coded.packets
      try written.prepare([index: [0..<packets.count]])
      let repeated = source.tracks[tracks[index].source].repeatedUnits
      var inspector = PacketInspector(
        codec: found.facts.codec, configuration: found.configuration, framing: found.framing)
      let corrupt = source.tracks[tracks[index].source].corrupt
      if examines, inspector.understands { findings.inspected(index) }
      // Headers outside the packets are copied with the first of them.
      if examines, let fault = inspector.configurationFault {
        let first = tracks[index].packets.firstIndex { !$0.isMade } ?? 0
        findings.add(CutDamage.Kind(fault.kind), fault.text, first, index)
      }
      for place in packets.indices {
        if isCancelled() { throw CutError(.cancelled, "it was cancelled") }
        let bytes = try written.bytes(ofTrack: index, place)
        meter?.didPass(bytes: bytes.count)
        let print = Fingerprint.of(
          bytes, codec: found.facts.codec, framing: found.framing, repeated: repeated)
        guard print == fingerprints[index][place] else {
          throw failure(
            "packet \(place) of track \(index + 1) does not hold what was written", index, place)
        }
        guard examines else { continue }
        let packet = tracks[index].packets[place]
        // Those that were made go by too: parameter sets may come with them.
        if let fault = inspector.fault(in: bytes), !packet.isMade {
          findings.add(CutDamage.Kind(fault.kind), fault.text, place, index)
        }
        if corrupt.contains(packet.place), !packet.isMade {
          findings.add(.transport, "the container marks it as damaged", place, index)
        }
      }
    }

    private func checkLength(_ facts: MediaFacts) throws(CutError) {
      guard container.isISO, let declared = facts.durations.declared?.length,
        let presented = facts.durations.presented?.length
      else { return }
      let difference = (try? declared.subtracting(presented).checkedMagnitude()) ?? presented
      guard difference <= MediaDuration(1, 1_000_000) else {
        throw failure("it declares \(declared) s and presents \(presented) s")
      }
    }
  }
#endif
