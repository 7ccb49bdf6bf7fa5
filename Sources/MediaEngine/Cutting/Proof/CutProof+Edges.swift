#if FFmpeg
  import Libav
  import MediaFacts
  import Trimming

  extension CutProof {
    /// Decodes what was coded anew, and the first frames behind each seam.
    func checkEdges(_ written: any CutSource, _ index: Int) throws(CutError) {
      let packets = tracks[index].packets
      guard isFull || packets.contains(where: \.isMade) else { return }
      for range in isFull ? [packets.indices] : edges(of: packets) {
        try decode(written, index, range)
      }
    }

    /// Runs of packets to decode: each begins where a decoder can enter.
    private func edges(of packets: ContiguousArray<OutputPacket>) -> [Range<Int>] {
      let behind = 8
      var edges: [Range<Int>] = []
      var place = 0
      while place < packets.count {
        guard packets[place].isMade else {
          place += 1
          continue
        }
        var start = place
        while start > 0, !packets[start].isKey { start -= 1 }
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

    private func decode(
      _ written: any CutSource, _ index: Int, _ range: Range<Int>
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
      try written.prepare([index: [range]])
      var frames = 0
      var isDamaged = false
      func drain() {
        while true {
          switch decoder.value.receive() {
          case .frame(let facts):
            frames += 1
            isDamaged = isDamaged || facts.isDamaged
          case .failed: isDamaged = true
          case .needsInput, .ended: return
          }
        }
      }
      for place in range {
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
      guard frames == range.count, !isDamaged, warnings.count == 0 else {
        let words = warnings.lines.first.map { " (\($0))" } ?? ""
        throw CutError(
          .verificationFailed,
          "the written file differs from its plan: of packets \(range.lowerBound) to "
            + "\(range.upperBound - 1) of track \(index + 1), \(frames) of \(range.count) decode"
            + (isDamaged ? ", some with errors" : "") + words,
          hint: "Nothing was published. --keep-failed keeps the file; please report this.")
      }
    }
  }

  extension OutputPacket {
    var isMade: Bool {
      if case .made = payload { return true }
      return false
    }
  }
#endif
