import ExactTime
import MediaFacts

/// Plans an audio track of a part: whether its packets are copied or its samples encoded, and what is heard.
struct AudioTrackPlan {
  private let context: PartContext
  private let index: Int
  private let track: SourceFacts.Track

  init(_ context: PartContext, _ index: Int) {
    self.context = context
    self.index = index
    track = context.tracks[index]
  }

  func plan(_ outcome: inout TrackOutcome) throws(ExactTimeError) {
    if let start = track.heardFrom, context.range.end <= start {
      return outcome.drop(because: Self.noSound)
    }
    let isExact =
      context.rules.hidesSamples(of: track.codec) && !beginsWhole(track.codec)
      && (!context.follows || context.rules.isISO || AudioCodec.isUncompressed(track.codec))
    let range = MediaTimeRange(from: context.start, to: context.range.end) ?? context.range
    if context.request.audio == .reencode, !AudioCodec.isUncompressed(track.codec),
      !context.isEncodable(index)
    {
      return try planConversion(fits: true, &outcome)
    }
    if let why = try encodingReason(isExact: isExact, range, &outcome) {
      return try planEncoding(range, because: why, &outcome)
    }
    guard outcome.refusal == nil else { return }
    // Each part of copied audio has an edit, and players of fragmented files accept only one.
    if context.isJoined, context.request.isFragmented {
      return outcome.refuse(
        PlanRefusal(
          .notCuttable,
          "track \(track.id) (\(track.codec)) is copied, and players of fragmented files do not support copied "
            + "audio from several parts",
          hint: "Write a file for each part, or one without fragments."))
    }
    let precision = precision(of: track.codec, isExact: isExact)
    var cut = try planner(context.rules.heardWhole(track.coded), precision).cut(range)
    if cut.copied.isEmpty, !isExact, let packet = try packetOn(range) {
      guard !context.isJoined, !context.writesPictures else {
        outcome.liesBetweenPackets = true
        return outcome.drop(because: "none of its packets begins in the range")
      }
      cut = packet
    }
    guard !cut.copied.isEmpty, !liesInGap(cut) else {
      return outcome.drop(because: Self.noSound)
    }
    if AudioCodec.mutesFirst(track.codec), !context.follows {
      switch context.rules.audio.vorbis {
      // The first packet of Vorbis is not heard, but needed for the next one (Vorbis I, 4.3.8).
      case .leadPacket where cut.copied.lowerBound > 0: cut.addLeadPacket(track.coded)
      case .leadPacket: try cut.muteFirstPacket(track.coded)
      case .firstIsMute:
        try cut.muteFirstPacket(
          track.coded, frame: firstFrame(), isAlone: !context.writesPictures)
      case .plain: break
      }
    }
    if !isExact, cut.packetCount < context.rules.audio.leastPackets {
      outcome.refuse(
        PlanRefusal(
          .notCuttable,
          "the part holds only \(cut.packetCount == 1 ? "1 audio packet" : "\(cut.packetCount) audio packets"), too few for a \(context.rules.ending) file",
          hint: "Make it longer, or write .mka."))
    }
    let front = try beginAtZero(&cut, &outcome)
    outcome.report.copiedBytes = cut.copied.reduce(0) {
      $0 + Int64(track.coded.packets[$1].byteCount)
    }
    if !AudioCodec.isUncompressed(track.codec) {
      var hidden = cut.hiddenStart
      if !context.follows, context.rules.leadsWithMute(track.codec) {
        // Its timestamp may be closer than its duration, since none is before zero.
        hidden = max(hidden, track.coded.packets[cut.copied.lowerBound].duration)
      }
      // A gap after the last packet, which MP4 states as part of its duration, hides no sound.
      let last = cut.copied.upperBound - 1
      let silent = max(0, track.coded.packets[last].duration &- track.coded.soundLength(of: last))
      outcome.report.hiddenLength = try track.coded.grid.duration(
        ofTicks: hidden &+ max(0, cut.hiddenEnd &- silent))
    }
    if !isExact {
      outcome.report.reasons.append(wording(of: cut, precision))
      try reportBand(of: cut, &outcome)
    }
    if cut.packetCount < context.rules.audio.recognizedPackets {
      outcome.report.reasons.append(.fewPackets)
    }
    if !front.isSilent, fillsGaps(of: cut) {
      outcome.report.reasons.append(.gapsFilled)
    }
    try add(cut, isEncoded: false, front: front, &outcome)
  }

  private static let noSound = "none of its audio is in the range"

  /// The frame duration where packets hold several frames.
  private func firstFrame() throws(ExactTimeError) -> MediaDuration? {
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
    as codec: Codec, lasting length: MediaDuration
  ) throws(ExactTimeError) -> Int64 {
    guard let frames = CodedFrames(codec: codec, sampleRate: track.sampleRate ?? 48000)
    else { return .max }
    let rate = Rational(Int64(frames.sampleRate), Int64(frames.length))
    return try length.seconds.multiplied(by: rate).rounded(.up) + 1
  }

  /// Whether players begin copied audio with a whole packet: in fragments, they play what an edit hides
  /// before it.
  private func beginsWhole(_ codec: Codec) -> Bool {
    context.rules.audio.wholeAtStart.contains(codec)
      || context.request.isFragmented && !AudioCodec.isUncompressed(codec)
  }

  private func precision(of codec: Codec, isExact: Bool) -> AudioPlanner.Precision {
    if isExact { return .sample }
    // With video, audio that began earlier would shift all frames.
    if context.rules.leadsWithMute(codec), !context.isJoined, !context.writesPictures {
      return .nearestPacket
    }
    if beginsWhole(codec) { return .packetsToEnd }
    if context.rules.statesEnd(of: codec), !context.isJoined {
      // Audio that began earlier would shift frames away from the times that their numbers imply.
      return context.rules.pictures.areNumbered && context.writesPictures
        ? .packetsToEnd : .packetAround
    }
    guard context.rules.pictures.hasFixedFrameRate else { return .packet }
    return context.isJoined ? .nearestPacket : .packetsInside
  }

  private func add(
    _ cut: AudioCut, isEncoded: Bool, front: Front = Front(),
    _ outcome: inout TrackOutcome
  ) throws(ExactTimeError) {
    outcome.report.packets = cut.packetCount
    if track.overlaps.contains(where: cut.copied.dropFirst().contains) {
      outcome.report.reasons.append(.overlapsLeftOut)
    }
    let shown = try MediaTimeRange(from: cut.start, length: cut.length.adding(front.silence))
    let begin = try context.start.advanced(by: cut.start.distance(from: .zero).adding(front.late))
    let heard = try MediaTimeRange(from: begin, length: cut.length)
    outcome.report.source = heard
    outcome.report.segments = [
      .init(
        isEncoded ? .encoded : .copied, part: context.number, source: heard,
        packets: cut.packetCount)
    ]
    var plan = PartPlan.Track(source: index, outputRange: shown, sourceRange: heard)
    plan.audio = cut
    plan.encodesSound = isEncoded
    outcome.plan = plan
  }

  private func planner(_ coded: CodedTrack, _ precision: AudioPlanner.Precision) -> AudioPlanner {
    var planner = AudioPlanner(coded, precision: precision)
    if track.repeatsHeaders {
      planner.entry = { context.soundEntry(ofTrack: index, $0).before }
    }
    return planner
  }

  /// Reports from when on the upper band is there, where no hidden packet has the header that a
  /// decoder needs for it.
  private func reportBand(of cut: AudioCut, _ outcome: inout TrackOutcome) throws(ExactTimeError) {
    let first = cut.copied.lowerBound
    guard track.repeatsHeaders, first > 0 else { return }
    let next = context.soundEntry(ofTrack: index, first).next
    guard next != first else { return }
    outcome.report.reasons.append(.upperBandLater)
    if let next {
      outcome.report.fullBandFrom = try track.coded.time(atTick: track.coded.packets[next].pts)
    }
  }

  /// The sample-accurate cut, whatever the container's ticks are.
  private func exactCut(_ range: MediaTimeRange) throws(ExactTimeError) -> AudioCut {
    try planner(context.countedInSamples(index), .sample).cut(range)
  }

  /// Why a track is re-encoded: it was requested, or it is lossless and a container that cannot
  /// hide samples would begin or end at other samples; `nil` where it is copied.
  private func encodingReason(
    isExact: Bool, _ range: MediaTimeRange, _ outcome: inout TrackOutcome
  ) throws(ExactTimeError) -> TrackPlan.Reason? {
    let isUncompressed = AudioCodec.isUncompressed(track.codec)
    if context.request.audio == .reencode, !isUncompressed { return .askedFor }
    if context.request.isStrict, try reachesOut(range) {
      if !context.isEncodable(index) { outcome.refuse(noEncoderWithin) }
      guard outcome.refusal == nil else { return nil }
      return context.isJoined ? .exactAtTheSeams : .strictRange
    }
    // Uncompressed samples can be cut and copied anywhere, but not be one stream with others.
    guard
      !isUncompressed || context.isJoined && track.differsElsewhere && context.isEncodable(index)
    else {
      return nil
    }
    // Packets of several parts do not begin and end where the parts do, and after a seam the first of them
    // needs the packet before: copied audio would come too late, and later at each seam.
    if context.isJoined, !track.fitsAtSeams, context.isEncodable(index) { return .exactAtTheSeams }
    if context.isSoundAlone || context.rules.pictures.hasFixedFrameRate
      || context.rules.audio.endsByPosition,
      try isInterrupted(in: range), context.isEncodable(index)
    {
      return .gapsOrOverlaps
    }
    if try stepsBack(in: range) {
      guard context.isEncodable(index) else {
        outcome.refuse(
          PlanRefusal(
            .notCuttable,
            "the timestamps of track \(track.id) (\(track.codec)) jump backward, and there is no encoder for it",
            hint: "Write .mka or .mkv."))
        return nil
      }
      return .gapsOrOverlaps
    }
    if try beginsTooEarly(range), context.isEncodable(index) { return .beginsLate }
    if context.isJoined, context.rules.audio.numbersFrames || context.rules.audio.endsByPosition {
      outcome.refuse(
        PlanRefusal(
          .notCuttable,
          "the frames of a \(context.rules.ending) file are numbered from its start, and there is no encoder "
            + "for \(track.codec) to renumber those of several parts",
          hint: "Write a file for each part, or write .mka."))
    }
    guard AudioCodec.isLossless(track.codec), !context.isJoined,
      isExact || context.request.isFragmented || context.rules.audio.encodesLosslessExactly
    else { return nil }
    let cut = try exactCut(range)
    // Many players respect the start of an edit list but play its last packet to the end: a tenth
    // of a second for these codecs.
    let isPartial = !isExact && cut.hiddenStart > 0 || cut.hiddenEnd > 0
    return isPartial && context.isEncodable(index) ? .exactToTheSample : nil
  }

  private func planEncoding(
    _ range: MediaTimeRange, into codec: Codec? = nil, because why: TrackPlan.Reason,
    _ outcome: inout TrackOutcome
  ) throws(ExactTimeError) {
    var cut = try exactCut(range)
    guard !cut.copied.isEmpty, cut.length.isPositive else {
      return outcome.drop(because: Self.noSound)
    }
    var codec = codec
    var reasons = [why]
    if codec == nil, !context.isDescribable(index) {
      codec = context.convertedCodec(of: track)
      // Lossy conversion is allowed if requested or already lossy.
      let mayLose =
        context.request.audio == .reencode || track.convertsAtSeams
        || !AudioCodec.isLossless(track.codec)
      guard mayLose, let codec, context.hasEncoder(for: codec) else {
        return outcome.refuse(context.doesNotFit(index))
      }
      reasons.append(.codecDoesNotFit)
    }
    outcome.report.encoded = cut.packetCount
    let packets = track.coded.packets
    outcome.report.estimatedBytes = cut.copied.reduce(0) { $0 + Int64(packets[$1].byteCount) }
    outcome.report.encodedAs = codec
    outcome.report.reasons += reasons
    let coded = codec ?? track.codec
    try encodeFront(of: &cut, as: coded, &outcome)
    refuseSingleFrame(of: coded, lasting: cut.length, &outcome)
    if context.rules.endsWithPacket(of: coded) {
      outcome.report.reasons.append(.endsWithPacket)
      outcome.codedSound = CodedFrames(codec: coded, sampleRate: track.sampleRate)
    }
    if context.rules.audio.recognizedPackets > 1,
      try encodedPackets(as: coded, lasting: cut.length) < context.rules.audio.recognizedPackets
    {
      outcome.report.reasons.append(.fewPackets)
    }
    try add(cut, isEncoded: true, &outcome)
    outcome.plan?.soundCodec = codec
  }
}

// MARK: Another codec

extension AudioTrackPlan {
  /// Packs samples again: the range begins and ends within packets, and PCM in packets with headers
  /// cannot be cut by bytes.
  func planRepacking(_ outcome: inout TrackOutcome) throws(ExactTimeError) {
    guard context.isDecodable(index), context.isEncodable(index) else {
      return outcome.refuse(
        PlanRefusal(
          .codecMissing,
          "track \(track.id) (\(track.codec)) cannot be cut: this FFmpeg cannot decode or encode it",
          hint: context.otherHolders(of: index) ?? "Leave the track out (tracks)."))
    }
    let range = MediaTimeRange(from: context.start, to: context.range.end) ?? context.range
    try planEncoding(range, because: .samplesRepacked, &outcome)
  }

  /// - Parameter fits: its own codec fits, but has no encoder.
  func planConversion(fits: Bool = false, _ outcome: inout TrackOutcome) throws(ExactTimeError) {
    let codec = context.convertedCodec(of: track)
    guard context.isDecodable(index) else {
      return outcome.refuse(
        PlanRefusal(
          .codecMissing,
          "track \(track.id) (\(track.codec)) cannot be decoded here, so it cannot be re-encoded",
          hint: context.otherHolders(of: index) ?? "Leave the track out (tracks)."))
    }
    guard context.hasEncoder(for: codec) else {
      let cause =
        fits
        ? PlanRefusal(
          .codecMissing,
          "track \(track.id) (\(track.codec)) cannot be encoded: there is no encoder for it",
          hint: "Copy its packets instead.")
        : context.doesNotFit(index)
      return outcome.refuse(
        PlanRefusal(
          .codecMissing, cause.message + ", and this FFmpeg has no encoder for \(codec)",
          hint: cause.hint))
    }
    let range = MediaTimeRange(from: context.start, to: context.range.end) ?? context.range
    let isUnpacked = AudioCodec.isPacked(track.codec) && AudioCodec.isUncompressed(codec)
    let why: TrackPlan.Reason = isUnpacked ? .samplesRepacked : .codecDoesNotFit
    try planEncoding(range, into: codec, because: fits ? .noEncoder : why, &outcome)
  }
}

// MARK: Nothing from outside the range

extension AudioTrackPlan {
  /// Whether copied audio packets would contain sound from outside a range.
  ///
  /// A packet of AAC, MP3, Opus and the like also holds some of its neighbors' samples, and decodes correctly
  /// only after packets of its own encoder: there is no packet at which copied and re-encoded ones could be
  /// joined, so all such audio is re-encoded.
  private func reachesOut(_ range: MediaTimeRange) throws(ExactTimeError) -> Bool {
    let isSliced =
      AudioCodec.isUncompressed(track.codec)
      && track.sampleRate.map { track.coded.grid.secondsPerTick == Rational(1, Int64($0)) } ?? false
    if isSliced { return false }
    let cut = try AudioPlanner(context.countedInSamples(index), precision: .sample).cut(range)
    guard !cut.copied.isEmpty else { return false }
    let isWhole = cut.packetCount == track.coded.packets.count
    return cut.hiddenStart > 0 || cut.hiddenEnd > 0
      || !(isWhole || AudioCodec.standsAlone(track.codec))
  }

  private var noEncoderWithin: PlanRefusal {
    PlanRefusal(
      .codecMissing,
      "packets of track \(track.id) (\(track.codec)) contain audio from outside the range, and "
        + "there is no encoder for it",
      hint: "Leave them in the file, hidden, or re-encode the audio to another codec.")
  }
}

// MARK: Audio that begins later than the output

extension AudioTrackPlan {
  /// Audio that leads the video by less goes unnoticed (ITU-R BT.1359-1).
  private static let unnoticed = MediaDuration(45, 1000)

  /// Whether audio begins later than the output, where copied packets would be heard from the start.
  private func beginsTooEarly(_ range: MediaTimeRange) throws(ExactTimeError) -> Bool {
    let codec = track.codec
    guard context.writesPictures, context.rules.beginsWithPictures(codec) else { return false }
    let late = try exactCut(range).start.distance(from: .zero)
    return late > (AudioCodec.isLossless(codec) ? .zero : Self.unnoticed)
  }

  /// What precedes the first packet of copied audio.
  private struct Front {
    /// How much later it begins in the source than in the output, silence included.
    var late = MediaDuration.zero
    var isSilent = false
    var silence: MediaDuration { isSilent ? late : .zero }
  }

  /// How much later a cut begins than the output, where the container does not state when its audio begins;
  /// `nil` where it does.
  private func lateness(of cut: AudioCut, _ codec: Codec) throws(ExactTimeError) -> MediaDuration? {
    guard context.writesPictures, context.rules.beginsWithPictures(codec) else { return nil }
    return try cut.start.distance(from: .zero)
  }

  /// Where the container does not state when audio begins, copied audio starts at zero: after silence for
  /// uncompressed audio, otherwise early or late.
  private func beginAtZero(
    _ cut: inout AudioCut, _ outcome: inout TrackOutcome
  ) throws(ExactTimeError) -> Front {
    guard let late = try lateness(of: cut, track.codec) else { return Front() }
    let isSilent = late.isPositive && AudioCodec.isUncompressed(track.codec)
    if isSilent { outcome.report.reasons.append(.gapsFilled) }
    cut.start = .zero
    outcome.report.offset = isSilent ? .zero : try MediaDuration.zero.subtracting(late)
    return Front(late: late, isSilent: isSilent)
  }

  /// Where the container does not state when audio begins, encodes silence before it, from zero on.
  private func encodeFront(
    of cut: inout AudioCut, as codec: Codec, _ outcome: inout TrackOutcome
  ) throws(ExactTimeError) {
    guard let late = try lateness(of: cut, codec) else { return }
    if late.isPositive { outcome.report.reasons.append(.gapsFilled) }
    cut.start = .zero
    cut.length = try cut.length.adding(late)
  }
}

// MARK: Packets that do not follow each other end to end

extension AudioTrackPlan {
  /// Whether a cut begins after the samples of its only packet.
  private func liesInGap(_ cut: AudioCut) -> Bool {
    guard cut.copied.count == 1, let place = cut.copied.first,
      let count = sampleCount(of: place)
    else { return false }
    return cut.hiddenStart >= count
  }

  /// Whether silence is inserted between packets of a cut, as where samples have no timestamps.
  private func fillsGaps(of cut: AudioCut) -> Bool {
    guard context.rules.isISO || !context.rules.audio.stampsPackets,
      AudioCodec.isUncompressed(track.codec)
    else {
      return false
    }
    let most =
      context.rules.isISO
      ? try? track.coded.grid.ticks(of: AudioCodec.longestFilledGap, rounding: .down) : nil
    let packets = track.coded.packets
    return cut.copied.dropLast().contains { place in
      let step = packets[place + 1].pts &- packets[place].pts
      guard step < most ?? .max, let count = sampleCount(of: place) else { return false }
      return step > count
    }
  }

  /// Whether packets in a range have gaps or overlaps according to their timestamps, where the output has no
  /// timestamps to express them: later packets would come too early or too late.
  private func isInterrupted(in range: MediaTimeRange) throws(ExactTimeError) -> Bool {
    let isKnown = AudioCodec.hasEqualPackets(track.codec) || AudioCodec.statesLengths(track.codec)
    let isCounted = !context.rules.audio.stampsPackets && isKnown
    // From Ogg to Ogg, an interruption is a missing page, which counts as damage.
    let page =
      context.facts.format == context.rules.container.rawValue
      ? nil : context.rules.times.longestPage
    guard let length = isCounted ? range.length : page else { return false }
    let (packets, ticks) = (track.coded.packets, try track.coded.ticks(of: range))
    guard let first = packets.firstIndex(where: { $0.pts &+ $0.duration > ticks.lowerBound }),
      let last = packets.lastIndex(where: { $0.pts < ticks.upperBound }), first <= last
    else { return false }
    // Browsers that record MP4 timestamp packets as they arrive: only the packets' own lengths are exact.
    let lengths = context.packetLengths(index)
    return try track.drift(in: first..<last + 1, within: length, lengths: lengths) == nil
  }

  /// Whether a copied packet's timestamp is not after that of the packet before: only Matroska can express
  /// that.
  private func stepsBack(in range: MediaTimeRange) throws(ExactTimeError) -> Bool {
    guard !context.rules.isMatroska else { return false }
    let places = try AudioPlanner(track.coded, precision: .sample).cut(range).copied
    return places.dropLast().contains {
      track.coded.packets[$0 + 1].pts <= track.coded.packets[$0].pts
    }
  }

  /// The number of samples in a packet, where the track's time base is its sample rate.
  private func sampleCount(of place: Int) -> Int64? {
    guard AudioCodec.isUncompressed(track.codec), track.sampleCounts.indices.contains(place),
      track.sampleCounts[place] > 0, let rate = track.sampleRate, rate > 0,
      track.coded.grid == TickGrid(ticksPerSecond: Int64(rate))
    else { return nil }
    return Int64(track.sampleCounts[place])
  }
}

// MARK: Hardly any packets

extension AudioTrackPlan {
  /// Refuses audio that encodes to a single frame, where readers do not recognize such a file.
  private func refuseSingleFrame(
    of codec: Codec, lasting length: MediaDuration, _ outcome: inout TrackOutcome
  ) {
    guard let least = context.rules.audio.leastEncoded, codec == context.rules.audio.codec,
      !context.isJoined,
      length <= least
    else { return }
    outcome.refuse(
      PlanRefusal(
        .notCuttable,
        "the part is too short for \(context.rules.ending): players do not recognize a single frame",
        hint: "Make it longer, or write .wav."))
  }

  /// The packets, usually a single one, that cover a range too short to contain a whole packet.
  ///
  /// They are not written alongside video: they begin before IN, and so before the first frame.
  private func packetOn(_ range: MediaTimeRange) throws(ExactTimeError) -> AudioCut? {
    let cut = try AudioPlanner(
      context.rules.heardWhole(track.coded), preroll: 0, precision: .sample
    ).cut(range)
    let packets = track.coded.packets[cut.copied]
    guard let first = packets.first, let last = packets.last, cut.length.isPositive,
      first.isKey || !AudioCodec.beginsAtKey(track.codec)
    else { return nil }
    var whole = AudioCut()
    whole.copied = cut.copied
    whole.start = try MediaTime.zero.advanced(
      by: track.coded.time(atTick: first.pts).distance(from: range.start))
    whole.length = try track.coded.grid.duration(ofTicks: last.pts &+ last.duration &- first.pts)
    return whole
  }
}
