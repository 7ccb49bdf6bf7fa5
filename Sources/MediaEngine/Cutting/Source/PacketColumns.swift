#if FFmpeg
  import Libav
  import MediaFacts
  import Trimming

  /// Collects the times of all packets of a scan, stream by stream.
  struct PacketColumns {
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

    /// Whether some packets have no PTS of their own.
    func isGuessed(ofStream stream: Int) -> Bool { columns[stream]?.unstamped.isEmpty == false }

    func obstacle(ofStream stream: Int) -> String? {
      guard let column = columns[stream] else { return "it has no packets" }
      if column.hasNoTime { return "some of its packets carry no time" }
      if column.runsBack { return "its clock is set back in the middle" }
      return nil
    }
  }
#endif
