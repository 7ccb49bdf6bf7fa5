import ExactTime
import Libav
import MediaFacts

extension PacketProbe {
  /// What is known of a file of which only the index and both ends are read.
  struct Ends {
    /// When the keyframes are shown that the index names, in ticks of the stream, by stream.
    var keyTicks: [Int: [Int64]] = [:]
    /// What FFmpeg states of each stream; packets at the ends say nothing of its average.
    var bitRates: [Int: Int64?] = [:]

    init(_ ends: MatroskaEnds, _ demuxer: borrowing Demuxer) {
      for track in demuxer.tracks { bitRates[track.index] = track.bitRate }
      let pictures = ends.head.tracks.filter { $0.type == 1 }
      let streams = demuxer.tracks.filter {
        $0.kind == .video && !$0.dispositions.contains("attached_pic")
      }
      // FFmpeg leaves out tracks that it does not know.
      guard pictures.count == streams.count else { return }
      for (track, stream) in zip(pictures, streams) {
        guard let times = ends.cueTimes[track.number], let grid = stream.grid,
          let scale = Int64(exactly: ends.head.tick)
        else { continue }
        keyTicks[stream.index] = times.compactMap { time in
          let (nanoseconds, overflow) = time.multipliedReportingOverflow(by: scale)
          return overflow
            ? nil : try? grid.tick(of: MediaTime(nanoseconds, 1_000_000_000), rounding: .nearest)
        }
      }
    }
  }

  /// Whether the index names every keyframe that was read.
  private func namesKeyframes(of stream: Int) -> Bool {
    guard let known = bothEnds?.keyTicks[stream].map(Set.init) else { return false }
    return scan[stream]?.epochs.allSatisfy { $0.keys.allSatisfy { known.contains($0.pts) } } ?? true
  }

  /// Describes a track by the packets at both ends of the file, and by its index.
  mutating func describeEnds(at position: Int, _ ends: Ends) {
    let index = facts.tracks[position].index
    facts.tracks[position].bitRate = ends.bitRates[index] ?? nil
    guard let scan = scan[index], scan.isVideo else { return }
    guard wantsKeyframes, let epoch = scan.epochs.first, let stretch = stretches[index]?.first,
      let beginning = (try? ClockBeginning.all(of: presentedTracks, origin: .zero))?[stretch]
    else { return }
    let seen = Dictionary(epoch.keys.map { ($0.pts, $0) }, uniquingKeysWith: { first, _ in first })
    let ticks = Set(ends.keyTicks[index] ?? []).union(seen.keys).sorted()
    facts.tracks[position].keyframes = ticks.compactMap { tick in
      guard let time = scan.time(tick).flatMap({ try? beginning.onTimeline($0) }) else {
        return nil
      }
      return KeyframeFacts(
        frame: nil, time: time, access: seen[tick]?.access ?? .unknown,
        byteOffset: seen[tick]?.byteOffset)
    }
  }

  /// Says what was not read.
  var endsNote: Note? {
    guard bothEnds != nil else { return nil }
    let videos = facts.tracks.filter { $0.kind == .video && $0.isPresented }
    let isWhole = videos.allSatisfy { namesKeyframes(of: $0.index) }
    return Note(
      .onlyEndsRead,
      "Only its index (Cues) and the media at both ends were fetched: frames are not counted, and keyframes "
        + (isWhole
          ? "are those that the index names. " : "are incomplete, as the index does not name all. ")
        + "A scan of all packets fetches all of it.")
  }
}

extension StreamScan {
  /// Counts the sound between both ends, where every packet decodes to the same number of samples.
  mutating func countBetweenEnds() {
    guard !isVideo, epochs.count == 1, let total = epochs[0].sampleTotal else { return }
    epochs[0].sampleTotal = nil
    guard let last = epochs[0].lastSamples.map({ Int64($0) }), last > 0,
      total == last.multipliedReportingOverflow(by: Int64(packetCount)).partialValue,
      epochs[0].otherSamples.isEmpty, let sampleRate, sampleRate > 0,
      let start = time(epochs[0].firstPTS), let end = time(epochs[0].lastPTS),
      let elapsed = try? TickGrid(ticksPerSecond: sampleRate).ticks(
        of: end.distance(from: start), rounding: .nearest), elapsed >= 0
    else { return }
    epochs[0].sampleTotal = (elapsed + last / 2) / last * last + last
  }
}
