#if FFmpeg
  import Libav
  import MediaFacts
  import Trimming

  extension CutProof {
    /// Packets to decode, and from which of them on to judge what comes out.
    private struct Edge {
      var entry: Int
      var judged: Range<Int>
    }

    /// Decodes what was coded anew, and the first frames behind each seam.
    func checkEdges(_ written: any CutSource, _ index: Int) throws(CutError) {
      let packets = tracks[index].packets
      guard isFull || packets.contains(where: \.isMade) else { return }
      for judged in isFull ? [packets.indices] : edges(of: packets) {
        let entry = entry(before: judged.lowerBound, written, index)
        try decode(written, index, Edge(entry: entry, judged: judged))
      }
    }

    /// Runs of packets to judge: each begins at a keyframe.
    private func edges(of packets: ContiguousArray<OutputPacket>) -> [Range<Int>] {
      let behind = 8
      var edges: [Range<Int>] = []
      var place = 0
      while place < packets.count {
        guard packets[place].isMade else {
          place += 1
          continue
        }
        let start = keyframe(atOrBefore: place, packets)
        while place < packets.count, packets[place].isMade { place += 1 }
        let end = min(packets.count, place + behind)
        if let last = edges.last, last.upperBound >= start {
          edges[edges.count - 1] = last.lowerBound..<max(end, last.upperBound)
        } else {
          edges.append(start..<end)
        }
      }
      return edges
    }

    private func keyframe(atOrBefore place: Int, _ packets: ContiguousArray<OutputPacket>) -> Int {
      var place = place
      while place > 0, !packets[place].isKey { place -= 1 }
      return place
    }

    /// What leads an open group is only right where the group before it was decoded.
    private func entry(before place: Int, _ written: any CutSource, _ index: Int) -> Int {
      guard place > 0 else { return place }
      switch written.access(ofTrack: index, place) {
      case .idr, .bla, .intra: return place
      case .cra, .recoveryPoint, .flaggedOnly, .unknown:
        return keyframe(atOrBefore: place - 1, tracks[index].packets)
      }
    }

    private func decode(
      _ written: any CutSource, _ index: Int, _ edge: Edge
    ) throws(CutError) {
      let found = written.tracks[index].coded.packets
      let limits = limits
      let stream = written.tracks[index].stream
      let warnings = LibavLog()
      let decoder = try written.withDemuxer { (demuxer) throws(CutError) -> DecoderBox in
        do throws(LibavError) {
          return DecoderBox(
            try demuxer.decoder(
              forStream: stream, threads: 1, limits: limits.demuxer, log: warnings))
        } catch {
          throw CutError(error)
        }
      }
      let range = edge.entry..<edge.judged.upperBound
      try written.prepare([index: [range]])
      var missing = Set(edge.judged.map { found[$0].pts })
      var excess = 0
      var isDamaged = false
      var ignored = 0
      func drain() {
        while true {
          switch decoder.value.receive() {
          case .frame(let facts):
            if let time = facts.time, missing.remove(time) != nil {
              isDamaged = isDamaged || facts.isDamaged
            } else if edge.entry == edge.judged.lowerBound {
              excess += 1
            }
          case .failed: isDamaged = true
          case .needsInput, .ended: return
          }
        }
      }
      for place in range {
        if place == edge.judged.lowerBound {
          (isDamaged, ignored) = (false, Self.troubles(in: warnings))
        }
        let bytes = try written.bytes(ofTrack: index, place)
        var result = try decoder.send(bytes, found[place])
        if result == .full {
          drain()
          result = try decoder.send(bytes, found[place])
        }
        if result == .refused { isDamaged = true }
        drain()
      }
      decoder.value.finish()
      drain()
      guard missing.isEmpty, excess == 0, !isDamaged, Self.troubles(in: warnings) == ignored else {
        let words = warnings.lines.last { !$0.contains(Self.learning) }.map { " (\($0))" } ?? ""
        let count = edge.judged.count
        throw CutError(
          .verificationFailed,
          "the written file differs from its plan: of packets \(edge.judged.lowerBound) to "
            + "\(edge.judged.upperBound - 1) of track \(index + 1), \(count - missing.count) of "
            + "\(count) decode" + (isDamaged ? ", some with errors" : "") + words,
          hint: "Nothing was published. --keep-failed keeps the file; please report this.")
      }
    }
  }

  extension CutProof {
    /// What a decoder says when neither the sequence set nor the container tells how far pictures are
    /// reordered: it finds out, and loses none.
    private static let learning = "Increasing reorder buffer"

    private static func troubles(in log: LibavLog) -> Int {
      log.count - log.lines.count { $0.contains(learning) }
    }
  }

  extension OutputPacket {
    var isMade: Bool {
      if case .made = payload { return true }
      return false
    }
  }
#endif
