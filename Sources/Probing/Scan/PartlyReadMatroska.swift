import Bitstreams
package import ExactTime
package import Libav
import MediaFacts
package import MediaFiles

/// A large Matroska file of which only both ends, the index, and the clusters around some ranges are read, where
/// these show what the rest is: see ``UnreadPackets``.
package struct PartlyReadMatroska {
  package let file: InputFile
  /// What is not read.
  package let voids: [Range<Int64>]
  package let unread: UnreadPackets
  /// How much is read to recognize the streams.
  package let probedBytes: Int64

  /// How long before a range its sound is read, and how long behind it: what a decoder has to hear before.
  private static let lead = MediaDuration(1, 4)

  /// - Parameters:
  ///   - ranges: what will be read, on the file's own clock.
  ///   - bounds: what reading may cost.
  /// - Returns: `nil` where all of the file has to be read.
  package static func open(
    _ file: InputFile, showing ranges: [MediaTimeRange], _ bounds: DemuxerLimits,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(MediaError) -> PartlyReadMatroska? {
    guard file.isReadSparingly, file.head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) else { return nil }
    return try MatroskaEnds.read(file) { (ends) throws(MediaError) in
      do throws(LibavError) {
        return try read(ends, ranges, bounds, isCancelled)
      } catch {
        let error = MediaError(error)
        if [.damaged, .notMedia, .limitExceeded].contains(error.code) { return .unknown }
        throw error
      }
    }
  }

  /// The file as FFmpeg reads it.
  package var input: any ByteInput { VoidedInput(file, voids) }

  /// The tracks that show or play something, in the order of the file; `nil` where there are others, whose packets
  /// do not follow from each other.
  private static func shown(
    _ ends: MatroskaEnds, _ demuxer: borrowing Demuxer
  ) -> [(track: MatroskaHead.Track, stream: LibavTrack)]? {
    let tracks = ends.head.tracks
    let streams = demuxer.tracks.filter { !$0.isCoverArt && $0.kind != .attachment }
    guard tracks.allSatisfy(\.isPresented), tracks.count == streams.count,
      Set(tracks.map(\.number)).count == tracks.count
    else { return nil }
    for (track, stream) in zip(tracks, streams)
    where stream.kind != (track.type == 1 ? .video : .audio) { return nil }
    return Array(zip(tracks, streams))
  }

  private static func read(
    _ ends: MatroskaEnds, _ ranges: [MediaTimeRange], _ bounds: DemuxerLimits,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibavError) -> MatroskaEnds.Answer<PartlyReadMatroska> {
    var limits = bounds
    limits.probeBytes = min(limits.probeBytes, ends.head.end)
    let described = try Demuxer(
      VoidedInput(ends.file, ends.voids), limits: limits, isCancelled: isCancelled)
    guard let known = PacketProbe.Ends(ends, described), described.tracks.allSatisfy(\.isDescribed),
      known.showsFirst
    else { return .needsFront }
    guard let shown = shown(ends, described) else { return .unknown }
    guard let parts = Parts(ends, ranges, shown, lead: lead) else { return .unknown }
    guard
      parts.ends.head.named.allSatisfy({ place in !parts.voids.contains { $0.contains(place) } })
    else { return .unknown }
    let seen = try self.seen(parts, limits, isCancelled)
    for (stream, pictures) in known.pictures
    where !pictures.holdsLast(seen[stream, default: []].map(\.pts)) { return .needsTail }
    guard let unread = unread(parts, shown, seen, isDepthNeeded: !ranges.isEmpty) else {
      return .unknown
    }
    return .known(
      PartlyReadMatroska(
        file: ends.file, voids: parts.voids, unread: unread, probedBytes: ends.head.end))
  }

  /// All packets that are read.
  private static func seen(
    _ parts: Parts, _ limits: DemuxerLimits, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibavError) -> [Int: [UnreadPackets.Seen]] {
    var demuxer = try Demuxer(
      VoidedInput(parts.ends.file, parts.voids), limits: limits, isCancelled: isCancelled)
    let unread = UnreadPackets(starts: parts.starts)
    var seen: [Int: [UnreadPackets.Seen]] = [:]
    while let packet = try demuxer.nextPacket() {
      guard let pts = packet.pts, let offset = packet.byteOffset, !packet.isCorrupt else {
        return [:]
      }
      let track = demuxer.tracks[packet.stream]
      var count: Int?
      if track.kind == .audio,
        case .samples(let samples) = demuxer.withPacketBytes({
          AudioFrameLength.samples(codec: track.codec, bytes: $0, frameSize: track.frameSize)
        })
      {
        count = samples
      }
      seen[packet.stream, default: []].append(
        UnreadPackets.Seen(
          pts: pts, duration: packet.duration, isKey: packet.isKey, sampleCount: count,
          part: unread.part(at: offset)))
    }
    return demuxer.earlyEnd == nil ? seen : [:]
  }

  private static func unread(
    _ parts: Parts, _ shown: [(track: MatroskaHead.Track, stream: LibavTrack)],
    _ seen: [Int: [UnreadPackets.Seen]], isDepthNeeded: Bool
  ) -> UnreadPackets? {
    var unread = UnreadPackets(starts: parts.starts)
    for (track, stream) in shown {
      guard let packets = seen[stream.index], let grid = stream.grid else { return nil }
      // Each block is a packet, at one distance from its stated time.
      let times = parts.blocks.map { $0.of(track.number).map(\.time) }
      guard let first = times.joined().first, let shift = packets.first.map({ $0.pts &- first }),
        times.joined().elementsEqual(packets.lazy.map { $0.pts &- shift }),
        times.enumerated().allSatisfy({ part, times in
          packets.count { $0.part == part } == times.count
        })
      else { return nil }
      if track.type == 1 {
        guard track.frameLength != nil, let rate = stream.averageFrameRate,
          let reordered = PacketProbe.Ends.reordered(stream),
          unread.add(
            pictures: packets, of: stream.index, grid, rate: rate,
            keys: parts.ends.cueTimes(of: track.number).map { $0 &+ shift }, reordered: reordered,
            isDepthNeeded: isDepthNeeded)
        else { return nil }
      } else {
        guard let rate = stream.sampleRate,
          unread.add(sound: packets, of: stream.index, grid, sampleRate: rate)
        else { return nil }
      }
    }
    return unread
  }

  /// What is read of a file, in file order.
  private struct Parts {
    var ends: MatroskaEnds
    private(set) var starts: [Int64] = []
    private(set) var voids: [Range<Int64>] = []
    private(set) var blocks: [MatroskaBlocks] = []

    init?(
      _ ends: MatroskaEnds, _ ranges: [MediaTimeRange],
      _ shown: [(track: MatroskaHead.Track, stream: LibavTrack)], lead: MediaDuration
    ) {
      self.ends = ends
      var windows: [MatroskaWindow] = []
      for range in ranges {
        guard let needs = Self.needs(range, shown, ends, lead),
          let window = MatroskaWindow.around(needs, ends)
        else { return nil }
        windows.append(window)
        guard windows.reduce(0, { $0 + $1.end - $1.start }) <= MatroskaWindow.most(ends) else {
          return nil
        }
      }
      windows.sort { $0.start < $1.start }
      // Ranges whose clusters overlap would have to be read as one.
      for (one, next) in zip(windows, windows.dropFirst()) where next.start < one.clusterEnd {
        return nil
      }
      let head = ends.head
      if let last = windows.last, last.end > ends.tail {
        guard self.ends.extend(to: last.start), self.ends.tail <= last.start else { return nil }
        windows.removeLast()
        // What is read up to the end may begin with the first cluster.
        guard windows.allSatisfy({ $0.clusterEnd <= self.ends.tail }),
          self.ends.tail >= head.clusterEnd
        else { return nil }
      }
      var (end, clusterEnd) = (head.end, head.clusterEnd)
      // What came with the front may be all that is needed.
      if let first = windows.first, first.start < head.clusterEnd, first.end <= head.end {
        windows.removeFirst()
      }
      if let first = windows.first, first.start < head.clusterEnd {
        (end, clusterEnd) = (first.end, first.clusterEnd)
      } else {
        starts.append(0)
        blocks.append(head.blocks)
      }
      for (number, window) in windows.enumerated() {
        if number > 0 || window.start >= head.clusterEnd {
          voids += [end..<clusterEnd, clusterEnd..<window.start]
        }
        starts.append(starts.isEmpty ? 0 : window.start)
        blocks.append(window.blocks)
        (end, clusterEnd) = (window.end, window.clusterEnd)
      }
      guard clusterEnd <= self.ends.tail else { return nil }
      voids += [end..<clusterEnd, clusterEnd..<self.ends.tail]
      starts.append(self.ends.tail)
      blocks.append(self.ends.blocks)
      voids.removeAll(where: \.isEmpty)
      guard voids.allSatisfy({ $0.count >= VoidedInput.headerByteCount }) else { return nil }
    }

    /// What a range needs, in ticks of the segment.
    private static func needs(
      _ range: MediaTimeRange, _ shown: [(track: MatroskaHead.Track, stream: LibavTrack)],
      _ ends: MatroskaEnds, _ lead: MediaDuration
    ) -> [MatroskaWindow.Need]? {
      guard let tick = Int64(exactly: ends.head.tick),
        let grid = try? TickGrid(secondsPerTick: Rational(tick, 1_000_000_000)),
        let from = try? grid.tick(of: range.start, rounding: .down),
        let to = try? grid.tick(of: range.end, rounding: .up),
        let early = try? grid.tick(of: range.start.moved(back: lead), rounding: .down),
        let late = try? grid.tick(of: range.end.advanced(by: lead), rounding: .up)
      else { return nil }
      return shown.map { track, stream in
        let isPicture = track.type == 1
        return MatroskaWindow.Need(
          track: track.number,
          reordered: isPicture ? PacketProbe.Ends.reordered(stream) ?? 16 : nil,
          from: max(0, isPicture ? from : early), to: isPicture ? to : late)
      }
    }
  }
}
