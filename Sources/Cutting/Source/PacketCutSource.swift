import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Probing
import Trimming

/// A file that FFmpeg demuxes: one scan collects its times, others read what is needed.
final class PacketCutSource: StoringSource {
  let file: InputFile
  let facts: MediaFacts
  private(set) var tracks: [SourceTrack] = []
  let zero: MediaTime
  /// The facts along an ordered edition; `nil` where there is none to follow.
  let followed: MediaFacts?
  var shownChapters: [ChapterFacts] { followed?.chapters ?? facts.chapters }

  private let part: (any ByteInput)?
  /// What is read of a file of which only some parts are; `nil` where all is.
  private let partly: PartlyReadMatroska?
  var voids: [Range<Int64>] { partly?.voids ?? [] }
  /// The packets that were not read, by track: the first number and place of each run, and its length.
  private var unread: [Int: [(number: Int, place: Int, count: Int)]] = [:]
  /// Whether something was asked about a packet that was not read: what was answered is then worthless.
  private(set) var isIncomplete = false
  private let limits: Limits
  private let isCancelled: @Sendable () -> Bool
  let demuxer: Demuxer
  private let accesses: [Int: [Int: RandomAccessKind]]
  /// Numbers of packets that belong to the frame begun by the previous packet, by track; `nil`
  /// where every packet is a frame.
  private var secondFields: [Int: Set<Int>] = [:]
  /// Numbers of packets without a visible picture, by track.
  private var empties: [Int: Set<Int>] = [:]
  /// How samples are changed for any container, by track.
  private var reframings: [Int: any SampleReframing] = [:]
  /// Packets as they are in the file.
  let store = PacketStore(PayloadSpool())
  /// What MP4 requires, once requested.
  var counted: (tracks: [SourceTrack], framings: [Int: ISOFraming])?

  /// - Parameters:
  ///   - part: the part of the file that is read; all of it where `nil`.
  ///   - partly: what is read of the file, where that is not all.
  ///   - link: what Ogg pages state about the streams in that part.
  ///   - begin: when its first presented sample is shown.
  init(
    _ file: InputFile, reading part: (any ByteInput)? = nil, partly: PartlyReadMatroska? = nil,
    of link: OggChain.Link? = nil, startingAt begin: MediaTime = .zero, limits: Limits,
    isCancelled: @escaping @Sendable () -> Bool,
    progress: (ProbeProgress) -> Bool
  ) throws(MediaError) {
    self.file = file
    self.part = part
    self.partly = partly
    self.limits = limits
    self.isCancelled = isCancelled
    var demuxer = try Self.open(file, part, partly, limits, isCancelled)
    let described = demuxer.tracks
    var scan = PacketColumns(described, format: demuxer.formatName)
    let link = part == nil ? OggChain(file)?.onlyRun : link
    var probe = PacketProbe(demuxer, file: file, wantsKeyframes: false, link: link)
    probe.unread = partly?.unread
    try probe.scan(
      &demuxer, observer: { packet, demuxer in scan.add(packet, demuxer) },
      passing: { packets, stream in scan.pass(packets, of: stream) }, progress: progress)
    scan.dropUnneededClocks()
    let isMatroska = demuxer.rules.isMatroska
    self.demuxer = demuxer
    let facts = probe.finished()
    self.facts = facts
    followed = part == nil ? probe.following(facts) : nil
    zero = try Self.zero(facts.durations.presented?.start ?? .zero, shownAt: begin)
    accesses = scan.accesses
    for track in described where facts.tracks.indices.contains(track.index) {
      scan.fill(track.index, probe.filled[track.index, default: [:]])
      scan.restoreDTS(track.index, ofPackets: probe.strayPackets(ofStream: track.index))
      scan.unmark(track.index, probe.wholePackets(ofStream: track.index))
      do throws(ExactTimeError) {
        try scan.unroll(track.index, probe.clockSteps(ofStream: track.index))
      } catch {
        throw MediaError.beyondNumbers
      }
      unread[track.index] = scan.unread(ofStream: track.index)
      guard let grid = scan.grid(ofStream: track.index) else { continue }
      var packets = scan.packets(ofStream: track.index)
      if let end = facts.tracks[track.index].durations.presented?.end,
        let tick = try? grid.tick(of: end, rounding: .nearest)
      {
        packets.endLast(at: tick)
      }
      let end = facts.durations.presented?.end.flatMap {
        try? grid.tick(of: $0, rounding: .nearest)
      }
      if SubtitleCodec.standsUntilNext(track.codec) {
        packets = scan.standing(packets, ofStream: track.index, until: end)
      } else if SubtitleCodec.mayLackLength(track.codec) {
        packets.standUntilNext(or: end)
      }
      if let repeats = probe.repeats[track.index] { packets.holdLast(for: 1 &+ repeats) }
      let start = facts.tracks[track.index].durations.presented?.start
      let first = start.flatMap { try? grid.tick(of: $0, rounding: .nearest) }
      secondFields[track.index] = scan.secondFields(ofStream: track.index)
      empties[track.index] = scan.empties(ofStream: track.index)
      let samples = track.kind == .audio ? scan.samples(ofStream: track.index) : []
      var coded = CodedTrack(
        index: track.index, kind: facts.tracks[track.index].kind, codec: track.codec,
        grid: grid, origin: try Self.origin(zero),
        visible: scan.visible(ofStream: track.index, from: first), packets: packets)
      // The unheard part of the last packet is not available to a cut either.
      if track.kind == .audio, scan.hidesEnd(ofStream: track.index),
        (try? probe.clockSteps(ofStream: track.index).isEmpty) == true,
        let end = facts.tracks[track.index].durations.presented?.end,
        let tick = try? grid.tick(of: end, rounding: .nearest)
      {
        coded.visible = min(coded.visible.lowerBound, tick)..<tick
        if track.codec != .vorbis {
          coded.lengthenLast(samples: samples.last, of: track.sampleRate)
        }
      }
      // Uncompressed audio can be cut between any two samples: their count gives the time,
      // whatever the container's ticks are.
      if AudioCodec.sampleSize(of: track.codec) != nil, let rate = track.sampleRate {
        coded = coded.counted(samplesPerSecond: rate, lengths: samples) ?? coded
      } else if scan.isBare, track.kind == .audio, let rate = track.sampleRate {
        coded = coded.laidEndToEnd(samplesPerSecond: rate, lengths: samples) ?? coded
      }
      let sets = scan.startCodes[track.index]
      let reframing =
        scan.channels[track.index] ?? (sets == nil ? Self.reframing(of: track) : nil)
      reframings[track.index] = reframing
      tracks.append(
        SourceTrack(
          facts: facts.tracks[track.index], coded: coded, stream: track.index,
          configuration: sets ?? reframing?.configuration ?? track.extradata,
          hasAlpha: PictureLayer.isAlphaAnnounced(track),
          attachedByteCount: track.kind == .attachment
            ? track.extradataByteCount : track.coverByteCount,
          isReframed: sets != nil || reframing != nil,
          statedFrameRate: isMatroska ? track.averageFrameRate : nil,
          codecDelay: isMatroska && track.initialPadding > 0 ? track.initialPadding : nil,
          sampleCounts: samples,
          blockByteCount: AudioCodec.hasBlocks(track.codec) && track.blockByteCount > 0
            ? track.blockByteCount : nil,
          corrupt: scan.corruptPlaces(ofStream: track.index),
          strays: scan.places(of: probe.strays[track.index, default: [:]], track.index),
          overlaps: scan.overlaps(ofStream: track.index),
          descriptions: scan.descriptions(ofStream: track.index),
          obstacle: Self.obstacle(
            to: track, reported: facts.tracks[track.index],
            isWhole: facts.damage.isEmpty, scan)))
    }
  }

  private static func obstacle(
    to track: LibavTrack, reported: TrackFacts, isWhole: Bool, _ scan: PacketColumns
  ) -> String? {
    if track.kind == .attachment {
      // It has both in Matroska (RFC 9559, 5.1.6.1); APE tags state neither.
      let isNamed = ["filename", "mimetype"].allSatisfy { name in
        reported.tags.contains { $0.key.lowercased() == name }
      }
      return isNamed ? nil : "it has no file name or MIME type"
    }
    // Tracks that are read natively but unknown to FFmpeg are reported and not cut.
    if !track.isDecodable, reported.codec != track.codec {
      return "this version of FFmpeg does not support \(reported.codec) in its container"
    }
    if reported.isEncrypted { return "it is encrypted" }
    return scan.obstacle(ofStream: track.index, isWhole: isWhole)
  }

  private static func zero(
    _ start: MediaTime, shownAt begin: MediaTime
  ) throws(MediaError) -> MediaTime {
    do {
      return try start.moved(back: begin.distance(from: .zero))
    } catch {
      throw MediaError.beyondNumbers
    }
  }

  private static func origin(_ zero: MediaTime) throws(MediaError) -> MediaTime {
    do {
      return try MediaTime.zero.moved(back: zero.distance(from: .zero))
    } catch {
      throw MediaError.beyondNumbers
    }
  }

  private static func open(
    _ file: InputFile, _ part: (any ByteInput)?, _ partly: PartlyReadMatroska?, _ limits: Limits,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(MediaError) -> Demuxer {
    do throws(LibavError) {
      try LibavLibrary.limitAllocations(to: limits.allocation)
      do throws(LibavError) {
        var bounds = limits.demuxer
        if let partly { bounds.probeBytes = min(bounds.probeBytes, partly.probedBytes) }
        var demuxer = try Demuxer(
          part ?? partly?.input ?? file.readable, limits: bounds, isCancelled: isCancelled)
        demuxer.readsBlocks = true
        return demuxer
      } catch {
        // Garbage may precede the first frame of an MP3.
        guard MediaError(error).code == .notMedia,
          let start = MPEGAudioSearch.firstFrame(in: file), start > 0
        else { throw error }
        return try Demuxer(
          ShiftedInput(file, by: start), limits: limits.demuxer, isCancelled: isCancelled)
      }
    } catch {
      throw MediaError(cutting: error)
    }
  }

  /// Reads packets in one pass over the file.
  ///
  /// - Parameter take: takes each: its track, its place, its bytes, and its alpha channel, if it has one.
  func read(
    _ wanted: [Int: Set<Int>],
    _ take: (Int, Int, [UInt8], _ alpha: [UInt8]?) throws(MediaError) -> Void
  ) throws(MediaError) {
    for (stream, places) in wanted where places.contains(where: { isUnread($0, stream) }) {
      isIncomplete = true
      throw MediaError(
        .internalError, "packets of stream \(stream) were requested that were not read")
    }
    var demuxer = try Self.open(file, part, partly, limits, isCancelled)
    var numbers: [Int: Int] = [:]
    var places: [Int: Int] = [:]
    var unpackings: [Int: MPEG4Unpacking] = [:]
    for track in tracks
    where PictureClock.unpacks(track.facts.codec, in: facts.container.format) {
      unpackings[track.stream] = MPEG4Unpacking(configuration: track.configuration)
    }
    // First fields, until it is known whether a second one follows.
    var waiting: [Int: (place: Int, bytes: [UInt8])] = [:]
    var frames = MPEGFrames(demuxer)
    var left = wanted.values.reduce(0) { $0 + $1.count }
    func keep(_ stream: Int, _ place: Int, _ bytes: [UInt8]) throws(MediaError) {
      left -= 1
      try take(
        stream, place, reframings[stream]?.sample(bytes) ?? bytes,
        tracks[stream].hasAlpha ? demuxer.packetAlpha : nil)
    }
    do {
      while left > 0, var packet = try demuxer.nextPacket() {
        frames?.trim(&packet, &demuxer)
        let stream = packet.stream
        var number = numbers[stream, default: 0]
        if let passed = unread[stream]?.first(where: { $0.number == number })?.count {
          number += passed
          places[stream, default: 0] += passed
        }
        numbers[stream] = number + 1
        let unpacked = demuxer.withPacketBytes { bytes in
          unpackings[stream]?.add(Array(bytes))
        }
        if empties[stream]?.contains(number) == true { continue }
        let isSecond = secondFields[stream]?.contains(number) == true
        let place = isSecond ? places[stream, default: 1] - 1 : places[stream, default: 0]
        if !isSecond {
          places[stream] = place + 1
          if let first = waiting.removeValue(forKey: stream) {
            try keep(stream, first.place, first.bytes)
          }
        }
        guard wanted[stream]?.contains(place) == true else { continue }
        let bytes = unpacked ?? demuxer.withPacketBytes { Array($0) }
        if isSecond {
          waiting[stream]?.bytes += bytes
        } else if secondFields[stream] != nil {
          waiting[stream] = (place, bytes)
        } else {
          try keep(stream, place, bytes)
        }
      }
      for (stream, field) in waiting { try keep(stream, field.place, field.bytes) }
    } catch let error as LibavError {
      throw MediaError(cutting: error)
    } catch {
      throw MediaError(any: error)
    }
  }

  func prepare(_ needed: [Int: [Range<Int>]]) throws(MediaError) {
    try store.add(needed, of: self) { $2 }
  }

  func cover(ofTrack index: Int) throws(MediaError) -> [UInt8] {
    try withDemuxer { (demuxer) throws(MediaError) in
      demuxer.cover(ofStream: demuxer.tracks[index].index)
    }
  }

  /// Whether a packet was not read.
  private func isUnread(_ place: Int, _ stream: Int) -> Bool {
    unread[stream]?.contains { ($0.place..<$0.place + $0.count).contains(place) } == true
  }

  func access(ofTrack track: Int, _ place: Int) -> RandomAccessKind {
    if isUnread(place, tracks[track].stream) { isIncomplete = true }
    return accesses[track]?[place] ?? .unknown
  }

  func share(_ spool: PayloadSpool) { store.share(spool) }

  func withDemuxer<Result>(
    _ body: (borrowing Demuxer) throws(MediaError) -> Result
  ) throws(MediaError) -> Result {
    try body(demuxer)
  }
}
