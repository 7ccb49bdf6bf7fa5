#if FFmpeg
  import ExactTime
  import Libav
  import MediaFacts
  import Trimming

  /// A film that FFmpeg demuxes: one scan finds out its times, another fetches what is needed.
  final class PacketCutSource: CutSource {
    let file: InputFile
    private(set) var facts: MediaFacts
    private(set) var tracks: [SourceTrack] = []
    let zero: MediaTime

    private let limits: Limits
    private let isCancelled: @Sendable () -> Bool
    private let demuxer: Demuxer
    private var accesses: [Int: [Int: RandomAccessKind]] = [:]
    private var spool: PayloadSpool?
    private var areTimesCounted = false
    private var slots: [Int: [Int: PayloadSpool.Slot]] = [:]

    init(
      _ file: InputFile, limits: Limits, isCancelled: @escaping @Sendable () -> Bool,
      progress: (ProbeProgress) -> Bool
    ) throws(CutError) {
      self.file = file
      self.limits = limits
      self.isCancelled = isCancelled
      var demuxer = try Self.open(file, limits, isCancelled)
      let described = demuxer.tracks
      var scan = PacketColumns(described)
      var probe = PacketProbe(demuxer, file: file, wantsKeyframes: false)
      do {
        try probe.scan(
          &demuxer, observer: { packet, demuxer in scan.add(packet, demuxer) },
          progress: progress)
      } catch {
        throw CutError(error)
      }
      self.demuxer = demuxer
      let facts = probe.finished()
      self.facts = facts
      zero = facts.durations.presented?.start ?? .zero
      accesses = scan.accesses
      for track in described where facts.tracks.indices.contains(track.index) {
        guard let grid = track.grid else { continue }
        let packets = scan.packets(ofStream: track.index)
        let coded = CodedTrack(
          index: track.index, kind: facts.tracks[track.index].kind, codec: track.codec,
          grid: grid, origin: try Self.origin(zero), visible: Int64.min / 4..<Int64.max / 4,
          packets: packets)
        tracks.append(
          SourceTrack(
            facts: facts.tracks[track.index], coded: coded, stream: track.index,
            configuration: track.extradata, obstacle: scan.obstacle(ofStream: track.index)))
      }
    }

    private static func origin(_ zero: MediaTime) throws(CutError) -> MediaTime {
      do {
        return try MediaTime.zero.moved(back: zero.distance(from: .zero))
      } catch {
        throw CutError.beyondNumbers
      }
    }

    private static func open(
      _ file: InputFile, _ limits: Limits, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(CutError) -> Demuxer {
      do {
        try LibavLibrary.limitAllocations(to: limits.allocation)
        return try Demuxer(file, limits: limits.demuxer, isCancelled: isCancelled)
      } catch {
        throw CutError(error)
      }
    }

    var isFramedAsISO: Bool { ["matroska", "webm"].contains(facts.container.format) }

    func countTimes() {
      guard !areTimesCounted else { return }
      areTimesCounted = true
      for place in tracks.indices {
        let track = tracks[place]
        var counted: CodedTrack?
        if track.facts.kind == .video, let rate = track.facts.video?.nominalFrameRate {
          counted = track.coded.counted(framesPerSecond: rate)
        } else if track.facts.kind == .audio, let rate = track.facts.audio?.sampleRate {
          let rate = track.facts.codec == "opus" ? 48000 : rate
          counted =
            track.coded.counted(samplesPerSecond: rate)
            ?? track.coded.restated(on: TickGrid(ticksPerSecond: Int64(max(1, rate))))
        }
        if let counted {
          tracks[place].roundedBy = try? track.coded.grid.duration(ofTicks: 1)
          tracks[place].coded = counted
        }
      }
    }

    func prepare(_ needed: [Int: [Range<Int>]]) throws(CutError) {
      var wanted: [Int: Set<Int>] = [:]
      for (stream, ranges) in needed {
        let places = Set(ranges.joined()).subtracting(slots[stream, default: [:]].keys)
        if !places.isEmpty { wanted[stream] = places }
      }
      guard !wanted.isEmpty else { return }
      let spool: PayloadSpool
      if let kept = self.spool { spool = kept } else { spool = try PayloadSpool() }
      self.spool = spool
      var demuxer = try Self.open(file, limits, isCancelled)
      var places: [Int: Int] = [:]
      var left = wanted.values.reduce(0) { $0 + $1.count }
      do {
        while left > 0, let packet = try demuxer.nextPacket() {
          let place = places[packet.stream, default: 0]
          places[packet.stream] = place + 1
          guard wanted[packet.stream]?.contains(place) == true else { continue }
          left -= 1
          let bytes = demuxer.withPacketBytes { Array($0) }
          slots[packet.stream, default: [:]][place] = try spool.add(bytes)
        }
      } catch let error as LibavError {
        throw CutError(error)
      } catch let error as CutError {
        throw error
      } catch {
        throw CutError(.internalError, "\(error)")
      }
    }

    func bytes(ofTrack track: Int, _ place: Int) throws(CutError) -> [UInt8] {
      guard let slot = slots[track]?[place], let spool else {
        throw CutError(
          .inputChanged, "packet \(place) of stream \(track) is no longer where it was",
          hint: "Something changed the file while it was read; try again.")
      }
      return try spool.bytes(at: slot)
    }

    func access(ofTrack track: Int, _ place: Int) -> RandomAccessKind {
      accesses[track]?[place] ?? .unknown
    }

    func withDemuxer<Result>(
      _ body: (borrowing Demuxer) throws(CutError) -> Result
    ) throws(CutError) -> Result {
      try body(demuxer)
    }
  }

  /// Collects the times of all packets of a scan, stream by stream.
  private struct PacketColumns {
    private struct Column {
      var packets: ContiguousArray<CodedPacket> = []
      /// Places of packets without a PTS.
      var unstamped: [Int] = []
      var hasNoTime = false
      var lastDTS: Int64?
      var runsBack = false
    }

    private let tracks: [LibavTrack]
    private var columns: [Int: Column] = [:]
    private(set) var accesses: [Int: [Int: RandomAccessKind]] = [:]

    init(_ tracks: [LibavTrack]) { self.tracks = tracks }

    mutating func add(_ packet: PacketFacts, _ demuxer: borrowing Demuxer) {
      var column = columns[packet.stream] ?? Column()
      columns[packet.stream] = nil
      defer { columns[packet.stream] = column }
      let place = column.packets.count
      if packet.pts == nil { column.unstamped.append(place) }
      if packet.pts == nil, packet.dts == nil { column.hasNoTime = true }
      if let dts = packet.dts {
        if let last = column.lastDTS, dts < last { column.runsBack = true }
        column.lastDTS = dts
      }
      column.packets.append(
        CodedPacket(
          pts: packet.pts ?? packet.dts ?? 0, dts: packet.dts ?? packet.pts ?? 0,
          duration: packet.duration, byteCount: packet.byteCount, isKey: packet.isKey))
      let track = tracks[packet.stream]
      guard track.kind == .video, packet.isKey else { return }
      let framing = Framing(codec: track.codec, configuration: track.extradata)
      accesses[packet.stream, default: [:]][place] = demuxer.withPacketBytes { bytes in
        for limit in [4096, 65536] {
          let start = Array(bytes.prefix(limit))
          let access = RandomAccess.classify(codec: track.codec, start[...], framing: framing)
          if access != .unknown || bytes.count <= limit { return access }
        }
        return .unknown
      }
    }

    /// The packets of a stream, each with a PTS.
    ///
    /// AVI stores none: a picture that waits for others is shown when the next that waits is
    /// decoded, which is when a decoder with a delay of one lets it go.
    func packets(ofStream stream: Int) -> ContiguousArray<CodedPacket> {
      guard let column = columns[stream] else { return [] }
      var packets = column.packets
      if tracks[stream].codec == "vorbis" { Self.closeBlocks(&packets) }
      guard !column.unstamped.isEmpty, column.unstamped.count < packets.count else {
        return packets
      }
      for (place, next) in zip(column.unstamped, column.unstamped.dropFirst()) {
        packets[place].pts = packets[next].dts
      }
      if let last = column.unstamped.last, let end = packets.last {
        packets[last].pts = end.dts &+ max(1, end.duration)
      }
      return packets
    }

    /// How long a block of Vorbis lasts depends on the one before (Vorbis I, 4.3.8), which is not
    /// known where a page of Ogg begins: such a block begins where the one before ends.
    private static func closeBlocks(_ packets: inout ContiguousArray<CodedPacket>) {
      for place in packets.indices.dropFirst() {
        let gap = packets[place].pts &- packets[place - 1].pts &- packets[place - 1].duration
        guard gap > 0, packets[place].duration &+ gap <= 4096 else { continue }
        packets[place].pts -= gap
        packets[place].dts = packets[place].pts
        packets[place].duration += gap
      }
    }

    func obstacle(ofStream stream: Int) -> String? {
      guard let column = columns[stream] else { return "it has no packets" }
      if column.hasNoTime { return "some of its packets carry no time" }
      if column.runsBack { return "its clock is set back in the middle" }
      return nil
    }
  }
#endif
