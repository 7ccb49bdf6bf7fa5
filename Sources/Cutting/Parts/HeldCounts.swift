#if FFmpeg
  import Bitstreams
  import MediaFacts

  /// The order counts of pictures of HEVC that a decoder may still hold behind a part.
  struct HeldCounts {
    let source: any CutSource
    let spool: PayloadSpool

    /// How many pictures a decoder may hold (ITU-T H.265, A.4.2).
    private static let held = 16

    /// The lowest bits of the counts, by the track of the source.
    func counts(behind part: [OutputTrack]) throws(CutError) -> [Int: Set<UInt32>] {
      var result: [Int: Set<UInt32>] = [:]
      for track in part where track.video != nil {
        guard source.tracks[track.source].facts.codec == "hevc" else { continue }
        result[track.source] = try counts(of: track)
      }
      return result
    }

    private func counts(of track: OutputTrack) throws(CutError) -> Set<UInt32> {
      let stated = source.tracks[track.source]
      var counts = HEVCOrderCounts()
      counts.add(HEVCSets(configuration: track.configuration ?? stated.configuration))
      let held = track.packets.suffix(Self.held)
      try source.prepare([track.source: held.map { $0.place..<$0.place + 1 } + [0..<1]])
      var packets: [[UInt8]] = []
      if stated.configuration.isEmpty {
        packets.append(try source.bytes(ofTrack: track.source, 0))
        // The sets of encoded pictures stand before the first of them.
        if let first = track.packets.last(where: { $0.isKey && $0.isMade }) {
          packets.append(try first.bytes(of: source, track: track.source, spool))
        }
      }
      for packet in packets {
        for unit in NALUnits(bytes: packet[...], framing: stated.framing) { counts.add(unit) }
      }
      var result: Set<UInt32> = []
      for packet in held {
        let bytes = try packet.bytes(of: source, track: track.source, spool)
        for unit in NALUnits(bytes: bytes[...], framing: stated.framing) {
          counts.add(unit)
          guard HEVCOrderCounts.isSlice(unit) else { continue }
          if let count = counts.count(of: unit) { result.insert(count) }
          break
        }
      }
      return result
    }
  }
#endif
