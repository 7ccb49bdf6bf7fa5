public import ExactTime
import ISOMedia
import Libav
public import MediaFacts
public import MediaFiles
import Probing

extension MediaTimeline {
  /// Creates the timeline of a probed file's packets.
  ///
  /// Blocking: MP4 and QuickTime take a few milliseconds, other containers a scan of all packets.
  ///
  /// - Parameter origin: the instant of the file's own timeline from which times are counted.
  /// - Throws: ``MediaError``.
  public init(
    of path: [UInt8], facts: MediaFacts, origin: MediaTime, limits: Limits = .standard,
    deadline: ContinuousClock.Instant? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(MediaError) {
    let file = try InputFile(path: path, remembers: false)
    let laid: [Int: [TimelinePacket]]
    let bounds = ReadingBounds(limits: limits, deadline: deadline, isCancelled: isCancelled)
    if let native = try Self.native(file, facts, bounds) {
      laid = native
    } else {
      let scanned = try Self.scanned(
        file, facts, limits: limits, deadline: deadline, isCancelled: isCancelled)
      laid = scanned.mapValues { packets in
        facts.edition.map { edition in packets.flatMap { Self.shown($0, in: edition) } } ?? packets
      }
    }
    tracks = facts.tracks.compactMap { track in
      guard let packets = laid[track.index], let fact = track.durations.presented,
        let start = try? fact.start?.counted(from: origin),
        let presented = try? MediaTimeRange(from: start, length: fact.length)
      else { return nil }
      let moved = packets.compactMap { packet -> TimelinePacket? in
        guard let start = try? packet.start.counted(from: origin),
          let end = try? packet.end.counted(from: origin)
        else { return nil }
        var moved = packet
        (moved.start, moved.end) = (start, end)
        return moved
      }
      return TimelineTrack(
        id: track.id, kind: track.kind, presented: presented,
        packets: moved.sorted { $0.start < $1.start })
    }
  }

  /// The times at which an edition shows a packet, or part of it.
  private static func shown(
    _ packet: TimelinePacket, in edition: EditionFacts
  ) -> [TimelinePacket] {
    guard let media = MediaTimeRange(from: packet.start, to: packet.end) else { return [] }
    return edition.shown(media).compactMap { part in
      guard !part.shown.isEmpty else { return nil }
      var shown = packet
      (shown.start, shown.end) = (part.shown.start, part.shown.end)
      return shown
    }
  }

  /// The native tables by track position; `nil` when the content is not ISO base media.
  private static func native(
    _ file: InputFile, _ facts: MediaFacts, _ bounds: ReadingBounds
  ) throws(MediaError) -> [Int: [TimelinePacket]]? {
    guard facts.container.rules.isISO else { return nil }
    try bounds.checkTime()
    do {
      let movie = try ISOMovie(reading: FileBytes(file), limits: bounds.limits.iso)
      var laid: [Int: [TimelinePacket]] = [:]
      for track in facts.tracks where track.isPresented {
        guard movie.tracks.indices.contains(track.index),
          let timescale = movie.tracks[track.index].timescale
        else { continue }
        try bounds.checkTime()
        let probe = try ISOTrackProbe(
          movie.tracks[track.index], in: movie, grid: TickGrid(ticksPerSecond: timescale),
          marksOf: FileBytes(file))
        laid[track.index] = try packets(of: probe, bounds)
      }
      try bounds.checkTime()
      return laid
    } catch {
      throw MediaError(any: error)
    }
  }

  /// The number of packets processed between two checks of the time.
  private static let stride = 65_536

  private static func packets(
    of probe: ISOTrackProbe, _ bounds: ReadingBounds
  ) throws(MediaError) -> [TimelinePacket] {
    guard let times = probe.times, let timeline = probe.timeline else { return [] }
    let table = probe.table
    var packets: [TimelinePacket] = []
    for position in 0..<times.sampleCount {
      if position % stride == 0 { try bounds.checkTime() }
      let index = times.present?[position] ?? position
      let tick = table.presentationTime(index)
      let length = table.duration(index)
      guard let start = timeline.extendedTime(of: tick),
        let duration = try? probe.grid.duration(ofTicks: length),
        let end = try? start.advanced(by: duration)
      else { continue }
      // A packet that starts before the shown range may still be on screen, or partly audible.
      let isShown =
        timeline.time(of: tick) != nil
        || timeline.presentedRange(first: tick, end: tick &+ length).map { !$0.isEmpty } ?? false
      packets.append(
        TimelinePacket(
          start: start, end: end, byteCount: table.byteCount(index), isKey: table.isSync(index),
          isHidden: !isShown))
    }
    return packets
  }

  private static func scanned(
    _ file: InputFile, _ facts: MediaFacts, limits: Limits,
    deadline: ContinuousClock.Instant?, isCancelled: @escaping @Sendable () -> Bool
  ) throws(MediaError) -> [Int: [TimelinePacket]] {
    let wanted = Set(facts.tracks.filter(\.isPresented).map(\.index))
    var laid: [Int: [TimelinePacket]] = [:]
    do throws(LibavError) {
      try LibavLibrary.limitAllocations(to: limits.allocation)
      var demuxer = try Demuxer(
        file.media(of: facts), limits: limits.demuxer, deadline: deadline,
        isCancelled: isCancelled)
      demuxer.discard(allBut: wanted)
      while let packet = try demuxer.nextPacket() {
        guard wanted.contains(packet.stream), let grid = demuxer.tracks[packet.stream].grid,
          let tick = packet.pts ?? packet.dts, let start = try? grid.time(atTick: tick),
          let length = try? grid.duration(ofTicks: max(0, packet.duration)),
          let end = try? start.advanced(by: length)
        else { continue }
        laid[packet.stream, default: []].append(
          TimelinePacket(
            start: start, end: end, byteCount: packet.byteCount, isKey: packet.isKey))
      }
      return laid.merging(foreign(file, facts)) { $1 }
    } catch {
      throw MediaError(error)
    }
  }
}
