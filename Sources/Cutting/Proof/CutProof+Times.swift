#if FFmpeg
  import ExactTime
  import MediaFacts
  import MediaFiles
  import Trimming

  extension CutProof {
    func checkTimes(_ written: any CutSource, _ index: Int) throws(CutError) {
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
      let shown = tracks.filter(\.isMedia)
      return shown.map(\.shown.start).min() ?? .zero
    }

    fileprivate func tolerance(of track: OutputTrack, _ found: TickGrid) -> MediaDuration {
      let planned = track.grid
      let isSound = track.video == nil
      if container.isISO {
        // IN may lie between two ticks of sound and text. What no movie time scale of 31 bits
        // states exactly is off by less than a microsecond.
        // Sound is read in samples, whatever the ticks are (ISOCutSource).
        return isSound
          ? MediaDuration(seconds: max(planned.secondsPerTick, found.secondsPerTick))
          : MediaDuration(1, 1_000_000)
      }
      if let tolerance = container.rules.timeTolerance { return tolerance }
      if let tolerance = unevenStamps(of: track) { return tolerance }
      if isRounded(track), let tolerance = container.rules.roundedTimeTolerance { return tolerance }
      if container.rules.isMatroska, track.made == nil {
        // Its milliseconds are read as samples of PCM in a row unless they state a gap, and as packets of
        // Vorbis that close up over two of them (PacketColumns): in the source and in what is written.
        let codec = track.codec(in: source)
        if SoundCodec.isUncompressed(codec) { return MediaDuration(2, 1000) }
        if codec == "vorbis" { return MediaDuration(4, 1000) }
      }
      // IN may lie between two samples.
      let sample =
        isSound
        ? max(MediaDuration(1, 8000), unevenness(of: track), twiceDrift(of: track) ?? .zero) : .zero
      let ticks = planned.secondsPerTick < found.secondsPerTick ? found : planned
      // Two roundings: the packet's and that of the file's start.
      return max(sample, (try? ticks.duration(ofTicks: 2)) ?? .zero)
    }

    /// Half of a packet of copied sound where the container counts samples on, or what packets drift from there on
    /// a page: browsers stamp packets as they arrive, and what is heard follows end to end.
    fileprivate func unevenStamps(of track: OutputTrack) -> MediaDuration? {
      guard container.rules.endsByPosition, track.made == nil, track.audio != nil,
        let usual = source.tracks[track.source].coded.usualDuration(
          of: track.packets.map(\.place)),
        let half = try? track.grid.duration(ofTicks: usual / 2),
        case let drift = twiceDrift(of: track) ?? .zero,
        let rounded = try? drift.adding(container.rules.roundedTimeTolerance ?? .zero),
        drift.isPositive || isRounded(track) || isUneven(track, usual)
      else { return nil }
      return max(half, rounded)
    }

    /// What packets of copied sound are stated to be from where others put them, in a container that counts them
    /// from a page or from the beginning; twice that, since times count from the first, which may be as far from
    /// its place.
    fileprivate func twiceDrift(of track: OutputTrack) -> MediaDuration? {
      let length = container.rules.stampsSound ? container.rules.longestPage : track.shown.length
      guard let length, track.made == nil, track.audio != nil,
        let first = track.packets.first?.place, let last = track.packets.last?.place,
        let lengths = try? source.packetLengths(ofTrack: track.source),
        let drift = try? SourceFacts.Track(track.source, source.tracks[track.source], source)
          .drift(in: first..<last + 1, within: length, lengths: lengths)
      else { return nil }
      return try? drift.adding(drift)
    }

    /// Whether stated lengths differ, as MP4 states distances; blocks of Vorbis have different ones by rule.
    fileprivate func isUneven(_ track: OutputTrack, _ usual: Int64) -> Bool {
      !container.rules.statesEnd(of: track.codec(in: source))
        && track.packets.dropLast().contains { $0.duration != usual }
    }

    /// Whether packets of Vorbis last as its blocks do.
    ///
    /// That is a quarter of two of them, which are powers of two (Vorbis I, 4.3.8). The first and the last may be
    /// cut short.
    fileprivate func areBlocks(_ track: OutputTrack) -> Bool {
      guard container.rules.statesEnd(of: track.codec(in: source)) else { return true }
      let durations = track.packets.dropFirst().dropLast().map(\.duration)
      guard let longest = durations.max() else { return true }
      func isBlock(_ length: Int64) -> Bool { length > 0 && length & (length - 1) == 0 }
      return isBlock(longest) && durations.allSatisfy { isBlock($0) || isBlock(2 &* $0 &- longest) }
    }

    /// By how much packets that are equal by their codec are told to differ.
    ///
    /// Readers of frames and of PES packets count them (ISO/IEC 13818-1, 2.4.3.7). What is more than a
    /// rounding is a gap.
    fileprivate func unevenness(of track: OutputTrack) -> MediaDuration {
      guard track.made == nil, SoundCodec.hasEqualPackets(track.codec(in: source)),
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

    /// Whether packets of copied sound do not begin where the ones before them end; pictures never do
    /// so by rule.
    fileprivate func isRounded(_ track: OutputTrack) -> Bool {
      guard track.made == nil else { return false }
      return track.video != nil || !areBlocks(track)
        || zip(track.packets, track.packets.dropFirst()).contains {
          $1.pts != $0.pts &+ $0.duration
        }
    }
  }
#endif
