import Bitstreams
import ExactTime
import ISOMedia
import MediaFacts
import MediaFiles
import Probing
import Trimming

extension ISOCutSource {
  /// The packets of a track: samples, or groups of samples for uncompressed audio.
  static func samples(
    of track: ISOTrack, _ facts: TrackFacts, known: ISOSampleTable?
  ) throws(ISOError) -> ISOSampleTable {
    if AudioCodec.isUncompressed(facts.codec), let runs = track.runsOfSamples(most: mostSamples) {
      return runs
    }
    if facts.kind == .audio, let packets = track.packetsOfSamples() { return packets }
    if let known { return known }
    return try track.samples(.timesAndPlaces)
  }

  /// The number that FFmpeg puts into one packet.
  private static let mostSamples = 1024

  /// Excludes undecodable frames at the start, and a last frame with zero duration.
  func shown(
    _ visible: Range<Int64>, _ facts: TrackFacts, _ grid: TickGrid, from origin: MediaTime,
    _ packets: ContiguousArray<CodedPacket>
  ) -> Range<Int64> {
    guard let presented = facts.durations.presented else { return 0..<0 }
    var visible = visible
    if let last = packets.max(by: { $0.pts < $1.pts }), last.duration == 0,
      last.pts > visible.lowerBound, let end = presentedEnd(of: facts, grid, from: origin),
      end <= last.pts
    {
      visible = visible.lowerBound..<min(visible.upperBound, last.pts)
    }
    guard let start = presented.start,
      let shown = try? start.moved(back: zero.distance(from: .zero)),
      let lead = try? shown.distance(from: origin),
      let first = try? grid.ticks(of: lead, rounding: .up), first > visible.lowerBound
    else { return visible }
    return first..<max(first, visible.upperBound)
  }

  /// Excludes the encoder delay of AAC, where the bitstream or a tag states it.
  static func heard(
    _ visible: Range<Int64>, _ facts: TrackFacts, _ grid: TickGrid,
    _ packets: ContiguousArray<CodedPacket>
  ) -> Range<Int64> {
    guard facts.codec == .aac, let audio = facts.audio, let priming = audio.priming, priming > 0,
      let rate = audio.sampleRate, rate > 0, let first = packets.first?.pts,
      let length = try? TickGrid(ticksPerSecond: Int64(rate)).duration(ofTicks: Int64(priming)),
      let ticks = try? grid.ticks(of: length, rounding: .up)
    else { return visible }
    let start = max(visible.lowerBound, first &+ ticks)
    return start..<max(start, visible.upperBound)
  }

  /// Coded audio counted in samples, where the track has a different time scale.
  ///
  /// FFmpeg takes the ticks that an edit hides for the number of samples to discard from the
  /// first packet, whatever a tick is: with ten million per second (Smooth Streaming), no audio
  /// was left.
  static func countedInSamples(_ track: CodedTrack, _ facts: TrackFacts) -> CodedTrack? {
    guard facts.kind == .audio, !AudioCodec.isUncompressed(facts.codec),
      // A rate of 1 Hz has no half.
      let rate = facts.audio?.sampleRate, rate > 1
    else { return nil }
    let samples = TickGrid(ticksPerSecond: Int64(rate))
    // Half the rate is that of an AAC core with SBR (ISO/IEC 14496-3, 4.6.18), which is stated
    // where the ticks are those of the full rate. A packet whose stated duration exceeds that of
    // any decoded frame gives no sample count.
    guard samples != track.grid, TickGrid(ticksPerSecond: Int64(rate / 2)) != track.grid,
      TickGrid(ticksPerSecond: Int64(rate) * 2) != track.grid,
      let most = try? track.grid.duration(
        ofTicks: track.packets.lazy.map(\.duration).max() ?? 0),
      let longest = try? samples.duration(ofTicks: longestFrame), most <= longest,
      let visible = counted(track.visible, in: samples, from: track.grid),
      var counted = track.counted(samplesPerSecond: rate, lengths: [])
    else { return nil }
    counted.visible = visible
    return counted
  }

  /// The maximum for a FLAC frame (RFC 9639, 8.2).
  private static let longestFrame: Int64 = 65_535

  /// Bounds that are further away than any packet are kept.
  private static func counted(
    _ visible: Range<Int64>, in ticks: TickGrid, from stated: TickGrid
  ) -> Range<Int64>? {
    func counted(_ tick: Int64) throws(ExactTimeError) -> Int64 {
      if tick <= .min / 4 || tick >= .max / 4 { return tick }
      return try ticks.tick(of: stated.time(atTick: tick), rounding: .nearest)
    }
    guard let start = try? counted(visible.lowerBound), let end = try? counted(visible.upperBound)
    else { return nil }
    return start..<max(start, end)
  }

  /// The obstacle where DTS go back: fragments of damaged files may overlap.
  static func backwardClock(
    _ packets: ContiguousArray<CodedPacket>, _ kind: TrackKind
  ) -> String? {
    guard kind == .audio,
      zip(packets, packets.dropFirst()).contains(where: { $1.dts < $0.dts })
    else { return nil }
    return "its timestamps jump backward partway through"
  }

  static func cutShort(_ track: TrackFacts, _ byteCount: Int64) -> MediaError {
    MediaError(
      .damaged,
      "the source is damaged: it ends at byte \(byteCount), before the first sample of track "
        + "\(track.id) (\(track.codec))",
      hint: "Get the complete file; nothing in this track can be shown.")
  }

  /// The media tick at which the track ends, according to the probe.
  func presentedEnd(of track: TrackFacts, _ grid: TickGrid, from origin: MediaTime) -> Int64? {
    guard let end = try? track.durations.presented?.end?.moved(back: zero.distance(from: .zero)),
      let length = try? end.distance(from: origin)
    else { return nil }
    return try? grid.ticks(of: length, rounding: .nearest)
  }

  /// The edit list of a track that is not presented by itself: subtitles, timecode.
  static func layout(
    _ track: ISOTrack, _ movie: ISOMovie, _ table: ISOSampleTable
  ) -> EditedTimeline {
    EditedTimeline(
      edits: track.edits.map {
        EditedTimeline.Edit(
          length: $0.segmentDuration, mediaStart: $0.isEmpty ? nil : $0.mediaTime, rate: $0.rate)
      },
      grid: TickGrid(ticksPerSecond: track.timescale ?? 1),
      movie: movie.timescale.map { TickGrid(ticksPerSecond: $0) },
      mediaEnd: table.count > 0 ? table.presentationEnd(table.count - 1) : 0,
      isFragmented: movie.isFragmented)
  }

  /// Where the media's tick 0 would be shown, and which ticks are shown.
  static func placement(
    _ timeline: EditedTimeline, _ grid: TickGrid, _ zero: MediaTime, hasEdits: Bool
  ) throws(MediaError) -> (MediaTime, Range<Int64>, String?) {
    let everything = Int64.min / 4..<Int64.max / 4
    do {
      guard let segment = timeline.segments.first else {
        return (.zero, 0..<0, "its edit list hides the whole track")
      }
      // The last picture ends where the last segment does.
      let last = timeline.segments[timeline.segments.count - 1]
      let origin = try last.origin(grid, zero)
      let end = try segment.mediaEnd?.rounded(.up) ?? everything.upperBound
      guard timeline.segments.count == 1, segment.rate == .one, !timeline.isOverflowing else {
        return (
          origin, everything, "its edit list has several segments or changes the speed"
        )
      }
      let start = hasEdits ? segment.mediaStart : everything.lowerBound
      return (origin, start..<max(start, end), nil)
    } catch {
      throw MediaError.beyondNumbers
    }
  }

  static func timecode(
    _ track: ISOTrack
  ) -> (samples: [ISOTimecode.Sample], length: MediaDuration)? {
    guard let code = track.timecode, let frame = code.startFrame, code.timescale > 0 else {
      return nil
    }
    return (
      [.init(tick: 0, frame: frame)] + code.later,
      MediaDuration(Int64(code.frameDuration), Int64(code.timescale))
    )
  }

  static func configuration(_ track: ISOTrack) -> [UInt8] {
    guard let entry = track.firstEntry else { return [] }
    for box: FourCC in ["avcC", "hvcC", "av1C", "vpcC"] {
      if let bytes = entry.configuration(box) { return bytes }
    }
    // RFC 9043, 4.3.3.2.
    if entry.format == "FFV1", let bytes = entry.configuration("glbl") { return bytes }
    if let bytes = entry.configuration("dOps") { return opusHead(bytes) }
    // A full box, then a metadata block header (Encapsulation of FLAC in ISO Base Media).
    if let bytes = entry.configuration("dfLa"), bytes.count >= 42 { return Array(bytes[8..<42]) }
    return entry.elementaryStream?.decoderConfiguration ?? []
  }

  /// The identification header of Opus (RFC 7845, 5.1), whose byte order is reversed in MP4
  /// (Encapsulation of Opus in ISO Base Media, 4.3.2).
  fileprivate static func opusHead(_ box: [UInt8]) -> [UInt8] {
    guard box.count >= 11 else { return [] }
    var head = Array("OpusHead".utf8) + [1, box[1]]
    for field in [2..<4, 4..<8, 8..<10] { head += box[field].reversed() }
    head += box[10...]
    return head
  }
}
