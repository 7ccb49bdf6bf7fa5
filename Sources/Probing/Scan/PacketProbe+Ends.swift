import Bitstreams
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
    /// The pictures at both ends, by stream.
    private(set) var pictures: [Int: Pictures] = [:]

    struct Pictures {
      /// How many were read in front, and behind.
      var front: Int
      var behind: Int
      /// Whether decoding can start at one of the latter.
      var isKeyed: Bool
      /// The most pictures that a decoder holds back for one; `nil` where that is not stated.
      var reordered: Int?
      /// For how many pictures a decoder waits before it shows the first.
      var delay: Int
      /// The time from which on no picture can be shown that was not read: it would end after the file does, as
      /// its header states.
      var end: Int64?

      /// Whether the picture that is shown last is among those that were read.
      ///
      /// It is, behind a keyframe, or where as many pictures of the end are held back for one as may be: then
      /// none from before them is. So it is where another one would end after the file.
      ///
      /// - Parameter times: of all that were read, in decode order.
      func holdsLast(_ times: some Collection<Int64>) -> Bool {
        guard !isKeyed else { return true }
        if let end, let last = times.suffix(behind).max(), last >= end { return true }
        guard let reordered else { return false }
        let last = Array(times.suffix(behind))
        return last.indices.contains { place in
          last[max(0, place - Ends.reach)..<place].count { $0 > last[place] } >= reordered
        }
      }
    }

    /// Whether the first picture that is shown is among those in front: no decoder waits for another.
    var showsFirst: Bool {
      pictures.values.allSatisfy { $0.front > $0.delay }
    }

    /// - Returns: `nil` where it is not known which stream is which track.
    init?(_ ends: MatroskaEnds, _ demuxer: borrowing Demuxer) {
      for track in demuxer.tracks { bitRates[track.index] = track.bitRate }
      let pictures = ends.head.tracks.filter { $0.type == 1 }
      let streams = demuxer.tracks.filter {
        $0.kind == .video && !$0.dispositions.contains("attached_pic")
      }
      // FFmpeg leaves out tracks that it does not know.
      guard pictures.count == streams.count else { return nil }
      for (track, stream) in zip(pictures, streams) {
        self.pictures[stream.index] = Pictures(
          front: ends.head.blocks.counts[track.number, default: 0],
          behind: ends.blocks.counts[track.number, default: 0],
          isKeyed: ends.blocks.keyed.contains(track.number), reordered: Self.reordered(stream),
          delay: Self.reordered(stream) ?? stream.reorderedFrames,
          end: demuxer.declaredDuration.flatMap { Self.end(of: track, stream, within: $0) })
        guard let grid = stream.grid, let scale = Int64(exactly: ends.head.tick) else { continue }
        keyTicks[stream.index] = ends.cueTimes(of: track.number).compactMap { time in
          let (nanoseconds, overflow) = time.multipliedReportingOverflow(by: scale)
          return overflow
            ? nil : try? grid.tick(of: MediaTime(nanoseconds, 1_000_000_000), rounding: .nearest)
        }
      }
    }

    /// Two frames before the end of the file, where it states how long they are.
    private static func end(
      of track: MatroskaHead.Track, _ stream: LibavTrack, within length: MediaDuration
    ) -> Int64? {
      guard let frame = track.frameLength.flatMap({ Int64(exactly: $0) }), let grid = stream.grid,
        let start = try? MediaTime.zero.advanced(by: length).moved(
          back: MediaDuration(frame, 500_000_000)),
        let tick = try? grid.tick(of: start, rounding: .down)
      else { return nil }
      // All three are rounded.
      return tick &+ 2
    }

    /// How many pictures before one are compared with it.
    static let reach = 64
    /// Codecs of which each packet shows a picture, in order.
    private static let ordered: Set<Codec> = [.vp8, .vp9, .av1]

    static func reordered(_ track: LibavTrack) -> Int? {
      if ordered.contains(track.codec) { return 0 }
      let header = VideoHeader(codec: track.codec, configuration: track.extradata)
      if let stated = header?.maxReorderFrames { return stated }
      return track.codec.usesNALUnits || track.reorderedFrames > 0 ? nil : 0
    }
  }

  /// Whether the picture that is shown last is among those that were read.
  var holdsLastPictures: Bool {
    (bothEnds?.pictures ?? [:]).allSatisfy { stream, pictures in
      scan[stream]?.epochs.last.map { pictures.holdsLast($0.pts) } ?? true
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
    // FFmpeg gives a stream of which it saw too little the duration of the file.
    facts.tracks[position].durations.track = nil
    guard let scan = scan[index] else { return }
    facts.notes += TrackNotes.notes(
      of: facts.tracks[position], start: facts.tracks[position].durations.presented?.start,
      hasNegativeDTS: scan.epochs.contains(where: \.hasNegativeDTS),
      lacksLastDuration: scan.isVideo && scan.epochs.last.map { $0.lastDuration == 0 } == true)
    guard scan.isVideo, wantsKeyframes, let epoch = scan.epochs.first,
      let stretch = stretches[index]?.first,
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
