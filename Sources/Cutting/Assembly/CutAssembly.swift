import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// Creates the packets of every track for one part of a plan.
struct CutAssembly {
  var source: any CutSource
  let plan: CutPlan
  /// The part's index in the plan.
  let number: Int
  let spool: PayloadSpool
  let limits: Limits
  let isCancelled: @Sendable () -> Bool
  var meter: WorkMeter?
  /// HEVC POC LSBs that a decoder may hold from the previous part, by track; `nil` for the first
  /// part.
  var heldBefore: [Int: Set<UInt32>]?
  /// Video tracks whose parameter sets stay in the MP4 samples.
  var keptSets: Set<Int> = []

  /// Size, aspect ratio and format at the entry points of each video track.
  var formats: [Int: EntryFormats] = [:]

  var part: PartPlan { plan.parts[number] }
  private var isJoined: Bool { plan.parts.count > 1 }

  func tracks() throws(MediaError) -> [OutputTrack] {
    try source.prepare(part.needed(of: source))
    var tracks: [OutputTrack] = []
    // The audio of several parts is encoded as one stream, after all of them.
    let ticks = LeadTicks(source, plan, ofSource: part.source)
    for planned in part.tracks where !planned.encodesSound || !isJoined {
      do throws(MediaError) {
        tracks.append(try track(planned, ticks))
      } catch {
        throw error.naming(source.tracks[planned.source])
      }
    }
    return tracks
  }

  private func track(
    _ planned: PartPlan.Track, _ ticks: LeadTicks
  ) throws(MediaError) -> OutputTrack {
    var track = OutputTrack(
      source: planned.source, video: planned.video, audio: planned.audio,
      zero: try zero(of: source.tracks[planned.source].coded),
      grid: source.tracks[planned.source].coded.grid, shown: planned.outputRange)
    if let cut = planned.video, let refitted = source.refitted,
      refitted.arrangement.refits[planned.source] != nil
    {
      try refit(&track, cut, ticks, of: refitted, planned)
    } else if let cut = planned.video {
      let formats = formats[planned.source]
      var joiner = try Joiners.joiner(
        for: planned.source, of: source, in: plan.container,
        encoding: formats?.joined(cut) ?? cut, formats, besides: isJoined,
        keepsSets: keptSets.contains(planned.source),
        behind: heldBefore.map { $0[planned.source] ?? [] }
          ?? (formats?.isHeadSeparate == true ? [] : nil))
      let factor = ticks.perTick[planned.source] ?? 1
      try track.divideTicks(by: factor)
      let delay = try delay(of: source.tracks[planned.source].coded)
      var assembly = VideoAssembly(
        source: source, index: planned.source, spool: spool, delay: delay, limits: limits,
        isCancelled: isCancelled, meter: meter)
      assembly.ticksPerTick = factor
      assembly.keepsAlpha = plan.container.rules.holdsAlpha
      assembly.leadTime = ticks.time(of: planned)
      if formats?.isHeadSeparate == true {
        assembly.head = try edge(of: planned.source, decodedFrom: cut.headSource.lowerBound)
      }
      if formats?.isTailSeparate == true {
        assembly.tail = try edge(of: planned.source, decodedFrom: cut.tailSource.lowerBound)
      }
      track.packets = try assembly.packets(
        cut, encodes: try encoder(of: planned.source), joiner: &joiner)
      // For joined parts, PartJoin does this.
      if plan.container.rules.pictures.hasFixedFrameRate, !isJoined {
        try track.spaceSlots(of: source, delay: delay, in: plan.container.rules)
      }
      track.configuration = joiner.configuration
      track.keepsSets = keptSets.contains(planned.source)
      if !cut.hidden.isEmpty {
        let hidden = Set(cut.hidden)
        track.firstShown = track.packets.filter { !hidden.contains($0.place) }.map(\.pts).min()
      }
    } else if planned.encodesSound, let cut = planned.audio {
      let coding = try AudioCoding.required(
        for: source.tracks[planned.source].facts, as: planned.soundCodec, in: plan)
      try makeSound(&track, cut, coding, heard: planned.sourceRange)
    } else if let cut = planned.audio {
      var exact = cut
      track.packets = try AudioAssembly(
        source: source, index: planned.source, container: plan.container, spool: spool,
        isFirst: number == 0
      ).packets(&exact)
      try track.endWithSound(&exact, of: source, in: plan.container, spool)
      track.audio = exact
      try endWithMedia(&track, exact)
      // In fragmented files, players find what an edit hides by timestamps, not by counting
      // samples.
      if plan.container.isISO, !isJoined, !plan.request.isFragmented {
        try track.countInCore(source.tracks[planned.source].facts)
      }
    } else if let code = source.tracks[planned.source].timecode {
      track.packets = try timecode(code, planned)
    } else {
      let range: Range<Int64>
      (track.packets, range) = try clipped(planned)
      if keepsLengths(planned.source), let first = track.packets.first {
        track.firstShown = max(range.lowerBound, first.pts)
      }
      if let codec = planned.textCodec { try convert(&track, into: codec, in: range) }
    }
    return track
  }

  /// Re-encodes an audio track; its ticks are then samples, counted from the first that is heard.
  private func makeSound(
    _ track: inout OutputTrack, _ cut: AudioCut, _ coding: AudioCoding, heard: MediaTimeRange
  ) throws(MediaError) {
    let making = AudioMaking(
      source: source, index: track.source, spool: spool, limits: limits,
      isCancelled: isCancelled, meter: meter,
      measuresBand: plan.measuresBand(of: source.tracks[track.source].facts))
    let result = try making.make([AudioPart(cut: cut, range: heard)], coding)
    track.take(result)
    do throws(ExactTimeError) {
      track.zero = try .zero.subtracting(
        track.shown.start.seconds.divided(by: track.grid.secondsPerTick))
      // An edit cannot show more than the media, not even a fraction of a sample.
      let length = try track.grid.duration(
        ofTicks: result.heardCount(in: plan.container))
      if result.hiddenEnd == 0 || !plan.container.isISO {
        track.shown = try MediaTimeRange(from: track.shown.start, length: length)
      }
    } catch {
      throw MediaError.beyondNumbers
    }
  }

  /// Ends the edit where the media ends: if IN falls between two samples and the last packet is
  /// heard to its end, the media is longer or shorter than the range by a fraction of a sample.
  private func endWithMedia(_ track: inout OutputTrack, _ cut: AudioCut) throws(MediaError) {
    guard plan.container.isISO, cut.hiddenEnd == 0 else { return }
    let ticks = track.packets.reduce(Int64(0)) { $0 &+ max(0, $1.duration) } &- cut.hiddenStart
    do throws(ExactTimeError) {
      let length = try track.grid.duration(ofTicks: max(0, ticks))
      let difference = try track.shown.length.subtracting(length).checkedMagnitude()
      guard difference < MediaDuration(seconds: track.grid.secondsPerTick) else { return }
      track.shown = try MediaTimeRange(from: track.shown.start, length: length)
    } catch {
      throw MediaError.beyondNumbers
    }
  }

  private func zero(of track: CodedTrack) throws(MediaError) -> Rational {
    do {
      return try part.start.distance(from: track.origin).seconds
        .divided(by: track.grid.secondsPerTick)
    } catch {
      throw MediaError.beyondNumbers
    }
  }

  private func copied(
    _ places: [Int], of track: Int
  ) throws(MediaError) -> ContiguousArray<OutputPacket> {
    let packets = source.tracks[track].coded.packets
    var result: ContiguousArray<OutputPacket> = []
    result.reserveCapacity(places.count)
    for place in places {
      let packet = packets[place]
      result.append(
        OutputPacket(
          pts: packet.pts, dts: packet.pts, duration: packet.duration, isKey: packet.isKey,
          byteCount: try source.byteCount(ofTrack: track, place), payload: .source(place: place),
          place: place))
    }
    return result
  }

  /// Whether samples keep their own times, and the track's edit hides what lies outside the range
  /// (ISO/IEC 14496-12, 8.6.6).
  ///
  /// A sample of timed metadata holds measurements that are spread over its duration. If this were
  /// shortened, they would move. Fragments of several parts have one edit, which cannot hide what
  /// is between them.
  private func keepsLengths(_ track: Int) -> Bool {
    source.tracks[track].isTimedMetadata && plan.container.isISO
      && !(isJoined && plan.request.isFragmented)
  }

  /// Subtitles clipped to the range, and to audio and video; those on screen at IN begin there.
  ///
  /// - Returns: the subtitles, and the ticks in which they are shown.
  private func clipped(
    _ planned: PartPlan.Track
  ) throws(MediaError) -> (ContiguousArray<OutputPacket>, Range<Int64>) {
    let coded = source.tracks[planned.source].coded
    let range: Range<Int64>
    let apart: Int64
    do {
      apart = try coded.grid.ticks(of: SubtitleCodec.leastDistance(coded.codec), rounding: .up)
      // The output may begin later than the range, with its first frame or sample.
      let start = max(part.range.start, part.start)
      let end = try part.start.advanced(by: planned.outputRange.end.distance(from: .zero))
      range = try coded.ticks(
        of: MediaTimeRange(from: start, to: min(end, part.range.end)) ?? part.range)
    } catch {
      throw MediaError.beyondNumbers
    }
    // They are ordered by PTS only, which may go backward in the source.
    let places = planned.clipped.sorted {
      (coded.packets[$0].pts, $0) < (coded.packets[$1].pts, $1)
    }
    var packets = try copied(places, of: planned.source)
    if keepsLengths(planned.source) { return (packets, range) }
    for place in packets.indices {
      let (stop, isBeyond) = packets[place].pts.addingReportingOverflow(packets[place].duration)
      let end = isBeyond ? range.upperBound : min(stop, range.upperBound)
      packets[place].pts = max(packets[place].pts, range.lowerBound)
      if apart > 0, place > 0 {
        packets[place].pts = max(packets[place].pts, packets[place - 1].pts &+ apart)
      }
      packets[place].dts = packets[place].pts
      packets[place].duration = max(0, end &- packets[place].pts)
      if SubtitleCodec.standsUntilNext(coded.codec) { packets[place].isKey = true }
    }
    return (packets, range)
  }
}

extension PartPlan {
  /// Places of all packets that are read, by track, so that a file is scanned only once.
  func needed(of source: any CutSource) -> [Int: [Range<Int>]] {
    var needed: [Int: [Range<Int>]] = [:]
    for planned in tracks {
      var ranges: [Range<Int>] = []
      if let cut = planned.video {
        let count = source.tracks[planned.source].coded.packets.count
        ranges = [cut.headSource, cut.copied, cut.tailSource].filter { !$0.isEmpty }
          .map { $0.lowerBound..<min(count, $0.upperBound + EdgeEncoder.longestDelay) }
      }
      if planned.video != nil { ranges.append(0..<1) }
      if let cut = planned.audio { ranges = [cut.copied] }
      ranges += planned.clipped.map { $0..<$0 + 1 }
      needed[planned.source, default: []] += ranges
    }
    return needed
  }
}
