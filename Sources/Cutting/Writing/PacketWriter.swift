import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// Writes the tracks of a cut with one of FFmpeg's muxers, or with ours for program streams.
struct PacketWriter {
  let source: any CutSource
  let spool: PayloadSpool
  let container: OutputContainer
  let isCancelled: @Sendable () -> Bool

  var rules: ContainerRules { container.rules }

  func write(
    _ tracks: [OutputTrack], labels: FileLabels, to output: any ByteOutput,
    progress: (Int64) -> Bool
  ) throws(MediaError) -> [[UInt64]] {
    let standing = try standing(tracks)
    var prints = FingerprintList(tracks, source, container)
    let covered = labels.covers.reduce(0) { $0 + $1.picture.count }
    let attached = tracks.reduce(covered) { $0 + source.tracks[$1.source].attachedByteCount }
    let lengths = rules.isMatroska ? MatroskaLengths(output, attached: attached) : nil
    let length = tracks.lazy.filter(\.isMedia).map(\.shown.end).max() ?? .zero
    let corrected = corrected(
      output, of: tracks, lasting: length, tagged: covered,
      adding: labels.chunks)
    let wait = wait(tracks)
    let muxer = try sink(
      tracks, standing, labels, wait: wait, to: lengths ?? corrected ?? output)
    let clocks = zip(tracks, muxer.ticks).map { track, tick in
      OutputClock(track, tick: tick, lead: lead(of: track, wait))
    }
    var places = try places(tracks, clocks)
    // In ticks of the container.
    var frames: [Int: Int64] = [:]
    for (track, standing) in standing {
      frames[track] = try? standing.frame.seconds.divided(by: muxer.ticks[track])
        .rounded(.nearest)
    }
    var startCodes = tracks.map { StartCodeFraming(of: $0, source, container) }
    let stated = lengths == nil ? [:] : statedLengths(of: tracks, clocks, places)
    var marked: [(dts: Int64, track: Int, ticks: Int64)] = []
    var next = tracks.map { _ in 0 }
    var done: Int64 = 0
    while let track = earliest(tracks, next, clocks) {
      var packet = tracks[track].packets[next[track]]
      next[track] += 1
      if rules.pictures.hasFixedFrameRate, next[track] == tracks[track].packets.count {
        packet.duration = max(packet.duration, tracks[track].slotsLeft)
      }
      let bytes = try packet.bytes(of: source, track: tracks[track].source, spool)
      let alpha =
        rules.holdsAlpha
        ? try packet.alpha(of: source, track: tracks[track].source, spool) : nil
      var skipped = skipped(tracks[track], at: next[track] - 1)
      if let ticks = stated[track]?[next[track] - 1] {
        lengths?.awaitMark()
        marked.append(((try? clocks[track].tick(packet.dts)) ?? 0, track, ticks))
        skipped.end = 1
      }
      try write(
        packet, startCodes[track]?.packet(bytes, isKey: packet.isKey) ?? bytes, alpha, as: track,
        skipped,
        hiddenEnd: next[track] == tracks[track].packets.count
          ? tracks[track].audio?.hiddenEnd ?? 0 : 0, frames[track], clocks[track],
        &places[track], muxer)
      if let frame = frames[track], let count = standing[track]?.counts[next[track] - 1] {
        try repeatPicture(packet, count, of: frame, as: track, clocks[track], muxer)
      }
      prints.add(alpha.map { bytes + $0 } ?? bytes, ofTrack: track)
      done += Int64(bytes.count)
      guard progress(done), !isCancelled() else {
        throw MediaError.cancelled
      }
    }
    do throws(LibavError) {
      try muxer.finish()
    } catch {
      throw MediaError(cutting: error)
    }
    do throws(OutputFault) {
      try lengths?.correct(end: length, tracks: tracks.map(\.shown.end))
      // In the order of FFmpeg's muxer.
      marked.sort { ($0.dts, $0.track) < ($1.dts, $1.track) }
      try lengths?.stateLengths(ticks: marked.map(\.ticks))
      try corrected?.finish()
    } catch {
      throw MediaError(writing: error.code)
    }
    return prints.prints
  }

  private func sink(
    _ tracks: [OutputTrack], _ standing: [Int: Standing], _ labels: FileLabels,
    wait: Rational, to output: any ByteOutput
  ) throws(MediaError) -> any PacketSink {
    if container == .mpegps { return try programWriter(tracks, wait: wait, to: output) }
    return try source.withDemuxer { (demuxer) throws(MediaError) -> Muxer in
      do throws(LibavError) {
        return try Muxer(
          format: container.muxer, to: output, from: demuxer,
          streams: try streams(tracks, labels),
          chapters: rules.hasChapterComments ? [] : labels.chapters,
          tags: named(labels.tags) + (container == .flac ? labels.chapterComments : []),
          covers: covers(labels),
          options: options(tracks, standing, labels))
      } catch {
        throw MediaError(cutting: error)
      }
    }
  }

  /// The pictures whose duration the header does not state, and that in ticks of the container, by their places:
  /// Matroska's frames have the default duration, unless their block states another.
  private func statedLengths(
    of tracks: [OutputTrack], _ clocks: [OutputClock], _ places: [any PacketPlaces]
  ) -> [Int: [Int: Int64]] {
    var lengths: [Int: [Int: Int64]] = [:]
    for (track, output) in tracks.enumerated() where output.video != nil {
      let packets = output.packets
      let order = packets.indices.sorted { packets[$0].pts < packets[$1].pts }
      let usual = usualLength(of: output)
      for (place, following) in zip(order, order.dropFirst()) {
        guard let usual, packets[following].pts &- packets[place].pts != usual,
          let begin = try? places[track].shown(packets[place].pts),
          let end = try? places[track].shown(packets[following].pts), end > begin
        else { continue }
        lengths[track, default: [:]][place] = end - begin
      }
      guard let place = order.last, let begin = try? places[track].shown(packets[place].pts),
        let end = try? output.shown.end.seconds.divided(by: clocks[track].tick)
          .rounded(.nearest)
      else { continue }
      // A zero duration cannot be stated, and the default one would be too long.
      lengths[track, default: [:]][place] = max(1, end - begin)
    }
    return lengths
  }

  private func write(
    _ packet: OutputPacket, _ bytes: [UInt8], _ alpha: [UInt8]?, as track: Int,
    _ skipped: (start: Int, end: Int?),
    hiddenEnd: Int64, _ frame: Int64?, _ clock: OutputClock, _ places: inout any PacketPlaces,
    _ muxer: any PacketSink
  ) throws(MediaError) {
    do throws(LibavError) {
      let length: Int64
      if let frame {
        length = frame
      } else {
        length = try clock.ticks(packet.duration - (rules.audio.endsByPosition ? hiddenEnd : 0))
      }
      let place = try places.place(packet, lasting: length)
      try muxer.write(
        bytes, stream: track, pts: place.pts, dts: place.dts,
        duration: length, isKey: packet.isKey, skippedAtStart: skipped.start,
        skippedAtEnd: skipped.end, alpha: alpha)
    } catch {
      throw MediaError(cutting: error)
    }
  }

  private func repeatPicture(
    _ packet: OutputPacket, _ count: Int64, of frame: Int64, as track: Int, _ clock: OutputClock,
    _ muxer: any PacketSink
  ) throws(MediaError) {
    guard count > 1 else { return }
    do throws(LibavError) {
      let start = try clock.tick(packet.pts)
      for number in 1..<count {
        let tick = start &+ number &* frame
        try muxer.write(
          [], stream: track, pts: tick, dts: tick, duration: frame, isKey: false,
          skippedAtStart: 0, skippedAtEnd: nil, alpha: nil)
      }
    } catch {
      throw MediaError(cutting: error)
    }
  }

  /// Unheard samples of a packet, where they are stated per packet.
  private func skipped(_ track: OutputTrack, at place: Int) -> (start: Int, end: Int?) {
    guard let cut = track.audio else { return (0, nil) }
    let isFirst = place == 0 && rules.audio.statesDelayByPacket
    let isLast = place == track.packets.count - 1
    return (
      isFirst ? samples(cut.hiddenStart, of: track) : 0,
      isLast && !rules.endsWithPacket(of: track.codec(in: source))
        ? samples(cut.hiddenEnd, of: track) : nil
    )
  }

  /// The offset that is added to all timestamps of streams with a clock reference, so that the
  /// first reference, which precedes the first DTS by `max_delay` in transport streams, is not
  /// negative.
  ///
  /// The first DTS is seldom far before the first PTS; but with B-pictures on both sides of a
  /// gap, or slide shows, it can be seconds.
  func wait(_ tracks: [OutputTrack]) -> Rational {
    guard rules.times.lead > .zero else { return .zero }
    var wait = rules.times.lead.seconds
    for track in tracks {
      let clock = OutputClock(track, tick: .one, lead: .zero)
      guard let first = track.packets.lazy.map(\.dts).min(),
        let least = try? ProgramSchedule.reach.seconds.subtracting(clock.seconds(first))
      else { continue }
      wait = max(wait, least)
    }
    return wait
  }

  /// By how much a track's timestamps are later than on the output's timeline.
  ///
  /// Transport and program streams begin later than zero, so that a clock reference can precede
  /// them. Matroska audio times count from the first packet, heard or not; players subtract the
  /// codec delay (RFC 9559, 5.1.4.1.25).
  func lead(of track: OutputTrack, _ wait: Rational) -> Rational {
    if rules.times.lead > .zero { return wait }
    if rules.audio.beginsAtZero { return .zero }
    // If the first position is not 0, the muxer fills the gap with empty packets.
    if rules.audio.countsPackets, track.audio != nil, let first = track.packets.first,
      let lead = try? track.grid.duration(ofTicks: 0 &- first.dts)
    {
      return lead.seconds
    }
    let codec = track.codec(in: source)
    guard rules.isMatroska, container.hidesSamples(of: codec), !Muxer.addsCodecDelay else {
      return .zero
    }
    return track.unheardAtStart.seconds
  }

  /// The track whose next packet has the lowest DTS.
  func earliest(
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
