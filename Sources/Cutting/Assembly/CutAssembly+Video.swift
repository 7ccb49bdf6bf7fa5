import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// What re-encoding and placing a part's pictures depends on.
extension CutAssembly {
  /// An edge whose format differs from the copied run is re-encoded separately, with its own
  /// parameter sets.
  func edge(
    of index: Int, decodedFrom place: Int
  ) throws(MediaError) -> VideoAssembly.Edge? {
    guard let (joiner, sets) = try Joiners.apart(index, of: source, at: place) else { return nil }
    guard keptSets.contains(index) || !plan.container.isISO else {
      throw MediaError(
        .notCuttable,
        "\(plan.container.rules.ending) cannot hold video that changes its size, aspect ratio or pixel format here",
        hint: "Write .mkv, or choose a range without the change.")
    }
    return VideoAssembly.Edge(
      joiner: joiner, choice: try encoder(of: index, under: sets))
  }

  /// The encoder for a track's pictures; `nil` if there is none.
  ///
  /// - Parameter sets: the active parameter sets, if they differ from the track's.
  func encoder(of index: Int, under sets: [UInt8]? = nil) throws(MediaError)
    -> EncoderChoice?
  {
    let track = source.tracks[index]
    // The sequence header of MPEG-2 is also in its packets.
    let configuration =
      track.facts.codec.isMPEG12
      ? try source.headers(ofTrack: index)
      : sets ?? track.configuration
    var encoder = EncoderChoice(
      codec: track.facts.codec, video: track.facts.video, configuration: configuration)
    // If decoding the source needs no output delay, a header that announces one makes the decoder
    // lose a picture. Timestamps show the delay where the header does not.
    if encoder?.announcesReordering == true,
      // Rounded times may differ by a tick.
      !track.coded.packets.contains(where: { ($0.pts &- $0.dts) &* 2 > $0.duration })
    {
      encoder?.announcesReordering = false
    }
    // After an H.263+ picture, FFmpeg's decoder keeps its coding modes for a picture without
    // PLUSPTYPE.
    if track.facts.codec == .h263, !track.coded.packets.isEmpty {
      let first = try source.bytes(ofTrack: index, 0)
      if RandomAccess.isExtendedH263(first[...]) { encoder?.name = "h263p" }
    }
    if track.facts.codec == .ffv1, configuration.isEmpty, !track.coded.packets.isEmpty {
      let first = try source.bytes(ofTrack: index, 0)
      encoder?.header = Encoder.Header([], variants: FFV1Coding.variants(keyframe: first))
    }
    return encoder
  }

  /// Re-encodes all pictures to those of the leading source, under its parameter sets.
  func refit(
    _ track: inout OutputTrack, _ cut: VideoCut, _ ticks: LeadTicks, of source: RefittedSource,
    _ planned: PartPlan.Track
  ) throws(MediaError) {
    var leading = self
    leading.source = source.leader
    guard let choice = try leading.encoder(of: track.source) else {
      throw MediaError(
        .codecMissing, "there is no encoder for \(source.tracks[track.source].facts.codec)",
        hint: "Join it like another source.")
    }
    var joiner = try refitJoiner(of: track.source, like: source.leader)
    track.packets = try RefitAssembly(
      source: source, index: track.source, choice: choice, spool: spool, limits: limits,
      isCancelled: isCancelled, meter: meter
    ).packets(cut, &joiner, losesCaptions: &track.losesCaptions)
    let factor = ticks.perTick[track.source] ?? 1
    try track.divideTicks(by: factor)
    var assembly = VideoAssembly(
      source: source, index: track.source, spool: spool, delay: 0, limits: limits,
      isCancelled: isCancelled, meter: meter)
    assembly.ticksPerTick = factor
    assembly.leadTime = ticks.time(of: planned)
    try assembly.time(&track.packets, cut)
    track.configuration = joiner.configuration
  }

  private func refitJoiner(
    of index: Int, like leader: any CutSource
  ) throws(MediaError) -> any EdgeJoiner {
    let described = leader.tracks[index]
    // Pictures of the shown size do not fill an SPS that crops more.
    let isPadded =
      described.facts.codec == .h264 && H264Coding(described.configuration).keepsPadding
    if isPadded || described.parameters != nil {
      return H264OwnJoiner(
        source: H264Sets(configuration: described.configuration), framing: described.framing)
    }
    return try Joiners.joiner(
      for: index, of: leader, in: plan.container, encoding: VideoCut(), nil, besides: true,
      keepsSets: false, behind: heldBefore.map { $0[index] ?? [] })
  }

  /// The minimum number of ticks from DTS to PTS.
  func delay(of track: CodedTrack) throws(MediaError) -> Int64 {
    do {
      // An MPEG-2 decoder holds a picture until the next one that is not a B-picture (ISO
      // 13818-2, 6.1.1.11), and so does an MPEG-4 decoder.
      if plan.container.rules.pictures.omitsEqualDTS,
        track.codec.isOne(of: .mpeg1Video, .mpeg2Video, .mpeg4)
      {
        return track.isReordered ? track.packets.first?.duration ?? 0 : 0
      }
      guard plan.container.rules.pictures.hasFixedFrameRate else { return 0 }
      let range = try track.ticks(of: part.range)
      let first = track.packets.lazy.map(\.pts).filter { range.contains($0) }.min()
      let begin = try track.time(atTick: first ?? 0)
      let lead = try begin.distance(from: part.start)
      return try track.grid.ticks(of: lead, rounding: .nearest)
    } catch {
      throw MediaError.beyondNumbers
    }
  }
}
