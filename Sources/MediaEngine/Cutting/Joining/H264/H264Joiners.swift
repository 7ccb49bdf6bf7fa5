#if FFmpeg
  import MediaFacts
  import Trimming

  extension Joiners {
    /// - Throws: ``CutError`` of code `notCuttable` where the source's slices and the encoder's
    ///   cannot stand under one parameter set.
    static func h264(
      _ index: Int, of source: any CutSource, encoding cut: VideoCut, besides others: Bool
    ) throws(CutError) -> any EdgeJoiner {
      let track = source.tracks[index]
      let framing = track.framing
      var sets = H264Sets(configuration: track.configuration)
      if let first = cut.copied.first ?? track.coded.packets.indices.first {
        // Sets in the stream go before those of the header, which may be missing.
        try source.prepare([index: [first..<first + 1, 0..<1]])
        for place in Set([0, first]) {
          let packet = try source.bytes(ofTrack: index, place)
          sets.add(NALUnits(bytes: packet[...], framing: framing))
        }
      }
      guard cut.copiedCount > 0 || others else {
        return H264OwnJoiner(source: sets, framing: framing)
      }
      guard let sequence = sets.sequences.last, sets.sequences.count == 1 else {
        throw unjoinable("it has \(sets.sequences.count) sequence parameter sets")
      }
      guard sequence.orderType != 1 else {
        throw unjoinable("its order of pictures is of type 1")
      }
      let entry = try entry(index, of: source, cut, sets, framing)
      return H264Joiner(source: sets, sequence: sequence, framing: framing, entry: entry)
    }

    private static func unjoinable(_ reason: String) -> CutError {
      CutError(
        .notCuttable, "its H.264 cannot be joined with frames coded anew: \(reason)",
        hint: "Use --mode reencode, or --mode copy to cut at keyframes.")
    }

    private static func entry(
      _ index: Int, of source: any CutSource, _ cut: VideoCut, _ sets: H264Sets, _ framing: Framing
    ) throws(CutError) -> H264Joiner.Entry {
      var entry = H264Joiner.Entry()
      guard cut.copiedCount > 0 else { return entry }
      guard let first = cut.copied.first,
        let (header, payload) = try firstSlice(first, index, source, sets, framing)
      else { throw unjoinable("its first slice is not understood") }
      entry.slice = (header, payload)
      entry.canBecomeIDR = try isFrameOfISlices(first, index, source, sets, framing)
      entry.replacedOrder = cut.left
      entry.isIDR = header.isIDR
      entry.instantID = header.instantID
      entry.frameNumber = header.frameNumber
      var orders: [UInt32] = [header.orderLow]
      let replaced = Set(cut.replaced)
      try source.prepare([index: cut.left.map { $0..<$0 + 1 }])
      for place in cut.left {
        guard let (slice, payload) = try firstSlice(place, index, source, sets, framing) else {
          throw unjoinable("a slice is not understood")
        }
        if replaced.contains(place) {
          entry.replaced[place] = (slice, payload)
          orders.append(slice.orderLow)
        } else if slice.referenceLevel > 0 {
          entry.leavesGaps = true
        }
      }
      // The least, seen from the entry's: lsb wraps around.
      let bits = UInt32(sets.sequences.last?.orderBits ?? 4)
      let half = Int64(1) << Int64(bits - 1)
      entry.order =
        orders.min { first, second in
          func distance(_ order: UInt32) -> Int64 {
            let raw = (Int64(order) - Int64(header.orderLow)) & (half * 2 - 1)
            return raw >= half ? raw - half * 2 : raw
          }
          return distance(first) < distance(second)
        } ?? header.orderLow
      return entry
    }

    private static func isFrameOfISlices(
      _ place: Int, _ index: Int, _ source: any CutSource, _ sets: H264Sets, _ framing: Framing
    ) throws(CutError) -> Bool {
      let packet = try source.bytes(ofTrack: index, place)
      for unit in NALUnits(bytes: packet[...], framing: framing) {
        guard let first = unit.first, (1...5).contains(first & 0x1F) else { continue }
        let payload = NALEscaping.unescaped(unit.dropFirst())
        guard let header = H264SliceHeader(unit, payload: payload, sets: sets.sets),
          header.sliceType % 5 == 2, !header.isField, header.referenceLevel > 0
        else { return false }
      }
      return true
    }

    private static func firstSlice(
      _ place: Int, _ index: Int, _ source: any CutSource, _ sets: H264Sets, _ framing: Framing
    ) throws(CutError) -> (H264SliceHeader, [UInt8])? {
      let packet = try source.bytes(ofTrack: index, place)
      for unit in NALUnits(bytes: packet[...], framing: framing) {
        guard let first = unit.first, [1, 5].contains(first & 0x1F) else { continue }
        let payload = NALEscaping.unescaped(unit.dropFirst())
        return H264SliceHeader(unit, payload: payload, sets: sets.sets).map { ($0, payload) }
      }
      return nil
    }
  }
#endif
