import ExactTime
import MediaFacts

extension PartPlanner {
  mutating func planAudio(_ index: Int, _ report: inout TrackPlan) throws(ExactTimeError) {
    let track = tracks[index]
    if let start = track.heardFrom, self.range.end <= start {
      drop(&report, because: Self.noSound)
      return
    }
    let isExact =
      rules.hidesSamples(of: track.codec) && !beginsWhole(track.codec)
      && (!follows || rules.isISO || SoundCodec.isUncompressed(track.codec))
    let range = MediaTimeRange(from: start, to: self.range.end) ?? self.range
    if request.audio == .reencode, !SoundCodec.isUncompressed(track.codec), !isEncodable(index) {
      try planConversion(index, fits: true, &report)
      return
    }
    if let why = try encodingReason(index, isExact: isExact, range) {
      try planEncoding(index, range, because: why, &report)
      return
    }
    guard refusal == nil else { return }
    // Each part of copied audio has an edit, and players of fragmented files accept only one.
    if isJoined, request.isFragmented {
      refuse(
        PlanRefusal(
          .notCuttable,
          "track \(track.id) (\(track.codec)) is copied, and players of fragmented files do not support copied "
            + "audio from several parts",
          hint: "Write a file for each part, or one without fragments."))
      return
    }
    let precision = precision(of: track.codec, isExact: isExact)
    var cut = try planner(of: index, rules.heardWhole(track.coded), precision).cut(range)
    if cut.copied.isEmpty, !isExact, let packet = try packetOn(range, track) {
      guard !isJoined, !writesPictures else {
        liesBetweenPackets = true
        drop(&report, because: "none of its packets begins in the range")
        return
      }
      cut = packet
    }
    guard !cut.copied.isEmpty, !liesInGap(cut, track) else {
      drop(&report, because: Self.noSound)
      return
    }
    if SoundCodec.mutesFirst(track.codec), !follows {
      switch rules.vorbis {
      // The first packet of Vorbis is not heard, but needed for the next one (Vorbis I, 4.3.8).
      case .leadPacket where cut.copied.lowerBound > 0: cut.addLeadPacket(track.coded)
      case .leadPacket: try cut.muteFirstPacket(track.coded)
      case .firstIsMute:
        try cut.muteFirstPacket(
          track.coded, frame: firstFrame(of: track), isAlone: !writesPictures)
      case .plain: break
      }
    }
    if !isExact, cut.packetCount < rules.leastSoundPackets {
      refuse(
        PlanRefusal(
          .notCuttable,
          "the part holds only \(cut.packetCount == 1 ? "1 audio packet" : "\(cut.packetCount) audio packets"), too few for a \(rules.ending) file",
          hint: "Make it longer, or write .mka."))
    }
    let front = try beginAtZero(&cut, of: track, &report)
    report.copiedBytes = cut.copied.reduce(0) { $0 + Int64(track.coded.packets[$1].byteCount) }
    if !SoundCodec.isUncompressed(track.codec) {
      var hidden = cut.hiddenStart
      if !follows, rules.leadsWithMute(track.codec) {
        // Its timestamp may be closer than its duration, since none is before zero.
        hidden = max(hidden, track.coded.packets[cut.copied.lowerBound].duration)
      }
      // A gap after the last packet, which MP4 states as part of its duration, hides no sound.
      let last = cut.copied.upperBound - 1
      let silent = max(0, track.coded.packets[last].duration &- track.coded.soundLength(of: last))
      report.hiddenLength = try track.coded.grid.duration(
        ofTicks: hidden &+ max(0, cut.hiddenEnd &- silent))
    }
    if !isExact {
      report.reasons.append(wording(of: cut, precision))
      try reportBand(of: cut, index, &report)
    }
    if cut.packetCount < rules.tellingSoundPackets { report.reasons.append(.fewPackets) }
    if !front.isSilent, fillsGaps(of: cut, track) {
      report.reasons.append(.gapsFilled)
    }
    try add(index, cut, isEncoded: false, front: front, &report)
  }

  private static let noSound = "none of its audio is in the range"

  /// The frame duration where packets hold several frames.
  private func firstFrame(
    of track: SourceFacts.Track
  ) throws(ExactTimeError) -> MediaDuration? {
    guard
      let samples = WindowsMediaAudio.frameLength(of: track.codec, sampleRate: track.sampleRate)
    else { return nil }
    return try TickGrid(ticksPerSecond: Int64(track.sampleRate ?? 48_000))
      .duration(ofTicks: Int64(samples))
  }

  private func wording(of cut: AudioCut, _ precision: AudioPlanner.Precision) -> TrackPlan.Reason {
    if precision == .packetsToEnd { return .beginsWithNextPacket }
    return cut.hiddenEnd > 0 ? .beginsWithPacket : .wholePackets
  }

  /// The number of packets an encoder produces for a length of audio: its frames, plus one before them, which
  /// decoders overlap with the first.
  private func encodedPackets(
    of index: Int, as codec: Codec, lasting length: MediaDuration
  ) throws(ExactTimeError) -> Int64 {
    guard let frames = CodedFrames(codec: codec, sampleRate: tracks[index].sampleRate ?? 48000)
    else { return .max }
    let rate = Rational(Int64(frames.sampleRate), Int64(frames.length))
    return try length.seconds.multiplied(by: rate).rounded(.up) + 1
  }

  /// Whether players begin copied audio with a whole packet: in fragments, they play what an edit hides
  /// before it.
  private func beginsWhole(_ codec: Codec) -> Bool {
    rules.wholeStarts.contains(codec)
      || request.isFragmented && !SoundCodec.isUncompressed(codec)
  }

  private func precision(of codec: Codec, isExact: Bool) -> AudioPlanner.Precision {
    if isExact { return .sample }
    // With video, audio that began earlier would shift all frames.
    if rules.leadsWithMute(codec), !isJoined, !writesPictures { return .nearestPacket }
    if beginsWhole(codec) { return .packetsToEnd }
    if rules.statesEnd(of: codec), !isJoined {
      // Audio that began earlier would shift frames away from the times that their numbers imply.
      return rules.numbersPictures && writesPictures ? .packetsToEnd : .packetAround
    }
    guard rules.hasFixedFrameRate else { return .packet }
    return isJoined ? .nearestPacket : .packetsInside
  }

  var writesPictures: Bool {
    tracks.contains { $0.kind == .video && $0.isPresented && isChosen($0) } && !isSoundAlone
  }

  private mutating func add(
    _ index: Int, _ cut: AudioCut, isEncoded: Bool, front: Front = Front(),
    _ report: inout TrackPlan
  ) throws(ExactTimeError) {
    report.packets = cut.packetCount
    if tracks[index].overlaps.contains(where: cut.copied.dropFirst().contains) {
      report.reasons.append(.overlapsLeftOut)
    }
    let shown = try MediaTimeRange(from: cut.start, length: cut.length.adding(front.silence))
    let begin = try start.advanced(by: cut.start.distance(from: .zero).adding(front.late))
    let heard = try MediaTimeRange(from: begin, length: cut.length)
    report.source = heard
    report.segments = [
      .init(
        isEncoded ? .encoded : .copied, part: number, source: heard, packets: cut.packetCount)
    ]
    var plan = PartPlan.Track(source: index, shown: shown, heard: heard)
    plan.audio = cut
    plan.encodesSound = isEncoded
    planned.append((plan, report))
  }

  private func planner(
    of index: Int, _ coded: CodedTrack, _ precision: AudioPlanner.Precision
  ) -> AudioPlanner {
    var planner = AudioPlanner(coded, precision: precision)
    if tracks[index].repeatsHeaders {
      planner.entry = { soundEntry(ofTrack: index, $0).before }
    }
    return planner
  }

  /// Reports from when on the upper band is there, where no hidden packet has the header that a
  /// decoder needs for it.
  private func reportBand(
    of cut: AudioCut, _ index: Int, _ report: inout TrackPlan
  ) throws(ExactTimeError) {
    let (track, first) = (tracks[index], cut.copied.lowerBound)
    guard track.repeatsHeaders, first > 0 else { return }
    let next = soundEntry(ofTrack: index, first).next
    guard next != first else { return }
    report.reasons.append(.upperBandLater)
    if let next {
      report.fullBandFrom = try track.coded.time(atTick: track.coded.packets[next].pts)
    }
  }

  /// The sample-accurate cut, whatever the container's ticks are.
  func exactCut(
    of index: Int, _ range: MediaTimeRange
  ) throws(ExactTimeError) -> AudioCut {
    try planner(of: index, countedInSamples(index), .sample).cut(range)
  }

  /// Why a track is re-encoded: it was requested, or it is lossless and a container that cannot
  /// hide samples would begin or end at other samples; `nil` where it is copied.
  private mutating func encodingReason(
    _ index: Int, isExact: Bool, _ range: MediaTimeRange
  ) throws(ExactTimeError) -> TrackPlan.Reason? {
    let track = tracks[index]
    let isUncompressed = SoundCodec.isUncompressed(track.codec)
    if request.audio == .reencode, !isUncompressed { return .askedFor }
    if request.isStrict, try reachesOut(index, range) {
      if !isEncodable(index) { refuse(noEncoderWithin(track)) }
      guard refusal == nil else { return nil }
      return isJoined ? .exactAtTheSeams : .strictRange
    }
    // Uncompressed samples can be cut and copied anywhere, but not be one stream with others.
    guard !isUncompressed || isJoined && track.differsElsewhere && isEncodable(index) else {
      return nil
    }
    // Packets of several parts do not begin and end where the parts do, and after a seam the first of them
    // needs the packet before: copied audio would come too late, and later at each seam.
    if isJoined, !track.fitsAtSeams, isEncodable(index) { return .exactAtTheSeams }
    if isSoundAlone || rules.hasFixedFrameRate || rules.endsByPosition,
      try isInterrupted(index, track, in: range), isEncodable(index)
    {
      return .gapsOrOverlaps
    }
    if try stepsBack(track, in: range) {
      guard isEncodable(index) else {
        refuse(
          PlanRefusal(
            .notCuttable,
            "the timestamps of track \(track.id) (\(track.codec)) jump backward, and there is no encoder for it",
            hint: "Write .mka or .mkv."))
        return nil
      }
      return .gapsOrOverlaps
    }
    if try beginsTooEarly(index, range), isEncodable(index) { return .beginsLate }
    if isJoined, rules.numbersFrames || rules.endsByPosition {
      refuse(
        PlanRefusal(
          .notCuttable,
          "the frames of a \(rules.ending) file are numbered from its start, and there is no encoder "
            + "for \(track.codec) to renumber those of several parts",
          hint: "Write a file for each part, or write .mka."))
    }
    guard SoundCodec.isLossless(track.codec), !isJoined,
      isExact || request.isFragmented || rules.codesLosslessExactly
    else { return nil }
    let cut = try exactCut(of: index, range)
    // Many players respect the start of an edit list but play its last packet to the end: a tenth
    // of a second for these codecs.
    let isPartial = !isExact && cut.hiddenStart > 0 || cut.hiddenEnd > 0
    return isPartial && isEncodable(index) ? .exactToTheSample : nil
  }

  mutating func planEncoding(
    _ index: Int, _ range: MediaTimeRange, into codec: Codec? = nil, because why: TrackPlan.Reason,
    _ report: inout TrackPlan
  ) throws(ExactTimeError) {
    var cut = try exactCut(of: index, range)
    guard !cut.copied.isEmpty, cut.length.isPositive else {
      drop(&report, because: Self.noSound)
      return
    }
    var codec = codec
    var reasons = [why]
    if codec == nil, !isDescribable(index) {
      codec = convertedCodec(of: tracks[index])
      // Lossy conversion is allowed if requested or already lossy.
      let mayLose =
        request.audio == .reencode || tracks[index].convertsAtSeams
        || !SoundCodec.isLossless(tracks[index].codec)
      guard mayLose, let codec, hasEncoder(for: codec) else {
        refuse(doesNotFit(index))
        return
      }
      reasons.append(.codecDoesNotFit)
    }
    report.encoded = cut.packetCount
    let packets = tracks[index].coded.packets
    report.estimatedBytes = cut.copied.reduce(0) { $0 + Int64(packets[$1].byteCount) }
    report.encodedAs = codec
    report.reasons += reasons
    let coded = codec ?? tracks[index].codec
    try encodeFront(of: &cut, as: coded, &report)
    refuseSingleFrame(of: coded, lasting: cut.length)
    if rules.endsWithPacket(of: coded) {
      report.reasons.append(.endsWithPacket)
      codedSound[index] = CodedFrames(codec: coded, sampleRate: tracks[index].sampleRate)
    }
    if rules.tellingSoundPackets > 1,
      try encodedPackets(of: index, as: coded, lasting: cut.length) < rules.tellingSoundPackets
    {
      report.reasons.append(.fewPackets)
    }
    try add(index, cut, isEncoded: true, &report)
    planned[planned.count - 1].plan.soundCodec = codec
  }
}
