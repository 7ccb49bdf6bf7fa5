import ExactTime
import MediaFacts
import MediaFiles
import Trimming

extension CutProof {
  func checkTimes(_ written: any CutSource, _ index: Int) throws(MediaError) {
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
    // Where DTS equal PTS, a transport stream omits them, and a reader may assume that MPEG-2 is
    // reordered.
    let reorders = track.video != nil && track.packets.contains { $0.pts != $0.dts }
    // A container's own ticks may be coarser than the source's.
    let tolerance = tolerance(of: track, found.grid)
    for place in track.packets.indices {
      // The duration of Vorbis' priming block depends on the block before it.
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
          "packet \(place) of track \(index + 1) is presented at the wrong time", index, place)
      }
      if reorders, place > 0, container.rules.statesDTS,
        found.packets[place].dts <= found.packets[place - 1].dts
      {
        throw failure(
          "packet \(place) of track \(index + 1) is decoded out of order", index, place)
      }
    }
  }

  /// The first instant at which any of the output is presented.
  var shownStart: MediaTime {
    let shown = tracks.filter(\.isMedia)
    return shown.map(\.shown.start).min() ?? .zero
  }

  fileprivate func tolerance(of track: OutputTrack, _ found: TickGrid) -> MediaDuration {
    let planned = track.grid
    let isSound = track.video == nil
    if container.isISO {
      // IN may fall between two ticks of audio and text. The rounding error of a 31-bit movie
      // timescale is less than a microsecond. Audio is read in samples, whatever the ticks are
      // (ISOCutSource).
      return isSound
        ? MediaDuration(seconds: max(planned.secondsPerTick, found.secondsPerTick))
        : MediaDuration(1, 1_000_000)
    }
    if let tolerance = container.rules.times.tolerance { return tolerance }
    if let tolerance = unevenStamps(of: track) { return tolerance }
    if isRounded(track), let tolerance = container.rules.times.roundedTolerance { return tolerance }
    if container.rules.isMatroska, track.made == nil {
      // With millisecond timestamps, PCM packets are read as contiguous unless they state a gap,
      // and Vorbis packets close gaps of up to two of them (PacketColumns): in the source and in
      // the output.
      let codec = track.codec(in: source)
      if AudioCodec.isUncompressed(codec) { return MediaDuration(2, 1000) }
      if codec == .vorbis { return MediaDuration(4, 1000) }
    }
    // IN may fall between two samples.
    let sample =
      isSound
      ? max(MediaDuration(1, 8000), unevenness(of: track), twiceDrift(of: track) ?? .zero) : .zero
    let ticks = planned.secondsPerTick < found.secondsPerTick ? found : planned
    // Two rounding errors: the packet's and that of the file's start.
    return max(sample, (try? ticks.duration(ofTicks: 2)) ?? .zero)
  }

  /// Half a packet of copied audio where the container derives times by counting samples, or the
  /// packets' drift over a page: browsers stamp packets as they arrive, and playback is
  /// contiguous.
  fileprivate func unevenStamps(of track: OutputTrack) -> MediaDuration? {
    guard container.rules.audio.endsByPosition, track.made == nil, track.audio != nil,
      let usual = source.tracks[track.source].coded.usualDuration(
        of: track.packets.map(\.place)),
      let half = try? track.grid.duration(ofTicks: usual / 2),
      case let drift = twiceDrift(of: track) ?? .zero,
      let rounded = try? drift.adding(container.rules.times.roundedTolerance ?? .zero),
      drift.isPositive || isRounded(track) || isUneven(track, usual)
    else { return nil }
    return max(half, rounded)
  }

  /// Twice the deviation of copied audio packets between their stated times and those counted
  /// from a page or from the beginning; twice, since times count from the first packet, which may
  /// deviate as much.
  fileprivate func twiceDrift(of track: OutputTrack) -> MediaDuration? {
    let length =
      container.rules.audio.stampsPackets ? container.rules.times.longestPage : track.shown.length
    guard let length, track.made == nil, track.audio != nil,
      let first = track.packets.first?.place, let last = track.packets.last?.place
    else { return nil }
    var most: MediaDuration?
    var next = first
    while next <= last {
      let holder = source.holder(ofTrack: track.source, next)
      let (piece, base) = (holder.source, holder.places.lowerBound)
      let end = min(last + 1, max(next + 1, holder.places.upperBound))
      guard let lengths = try? piece.packetLengths(ofTrack: track.source),
        let drift = try? SourceFacts.Track(track.source, piece.tracks[track.source], piece)
          .drift(in: next - base..<end - base, within: length, lengths: lengths)
      else { return nil }
      most = max(most ?? .zero, drift)
      next = end
    }
    return most.flatMap { try? $0.adding($0) }
  }

  /// Whether stated durations differ, because MP4's are distances between timestamps; Vorbis
  /// blocks have different ones by design.
  fileprivate func isUneven(_ track: OutputTrack, _ usual: Int64) -> Bool {
    !container.rules.statesEnd(of: track.codec(in: source))
      && track.packets.dropLast().contains { $0.duration != usual }
  }

  /// Whether Vorbis packets have the durations of its blocks.
  ///
  /// A duration is a quarter of the sum of two block sizes, which are powers of two (Vorbis I,
  /// 4.3.8). The first and the last may be shortened.
  fileprivate func areBlocks(_ track: OutputTrack) -> Bool {
    guard container.rules.statesEnd(of: track.codec(in: source)) else { return true }
    let durations = track.packets.dropFirst().dropLast().map(\.duration)
    guard let longest = durations.max() else { return true }
    func isBlock(_ length: Int64) -> Bool { length > 0 && length & (length - 1) == 0 }
    return isBlock(longest) && durations.allSatisfy { isBlock($0) || isBlock(2 &* $0 &- longest) }
  }

  /// By how much stated durations differ for a codec with packets of equal duration.
  ///
  /// Readers of raw frames and of PES packets count them (ISO/IEC 13818-1, 2.4.3.7). Anything
  /// above rounding is a gap.
  fileprivate func unevenness(of track: OutputTrack) -> MediaDuration {
    guard track.made == nil, AudioCodec.hasEqualPackets(track.codec(in: source)),
      let usual = source.tracks[track.source].coded.usualDuration(
        of: track.packets.map(\.place)),
      let limit = try? track.grid.ticks(of: MediaDuration(4, 1000), rounding: .down)
    else { return .zero }
    let steps = zip(track.packets, track.packets.dropFirst()).lazy.flatMap {
      [$0.duration &- usual, $1.pts &- $0.pts &- usual]
    }
    let most = steps.map(\.magnitude).filter { $0 <= limit }.max() ?? 0
    return (try? track.grid.duration(ofTicks: 2 &* Int64(most))) ?? .zero
  }

  /// Whether packets of copied audio do not begin where the previous one ends; always true for
  /// pictures.
  fileprivate func isRounded(_ track: OutputTrack) -> Bool {
    guard track.made == nil else { return false }
    return track.video != nil || !areBlocks(track)
      || zip(track.packets, track.packets.dropFirst()).contains {
        $1.pts != $0.pts &+ $0.duration
      }
  }
}
