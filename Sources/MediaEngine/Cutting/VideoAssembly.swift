#if FFmpeg
  import ExactTime
  import Libav
  import MediaFacts
  import Trimming

  /// Makes the packets of one video track after its plan.
  struct VideoAssembly {
    let source: any CutSource
    let index: Int
    let spool: PayloadSpool
    /// Ticks by which pictures are decoded ahead, at least.
    let delay: Int64
    let limits: Limits
    let isCancelled: @Sendable () -> Bool

    /// - Parameters:
    ///   - encodes: how to make pictures anew; `nil` where the plan encodes none.
    func packets(
      _ cut: VideoCut, encodes choice: EncoderChoice?, joiner: inout any EdgeJoiner
    ) throws(CutError) -> ContiguousArray<OutputPacket> {
      var result: ContiguousArray<OutputPacket> = []
      result.reserveCapacity(cut.frameCount)
      var replacements: [Int: OutputPacket] = [:]
      let packets = source.tracks[index].coded.packets
      if cut.encodedCount > 0 {
        guard let choice else {
          throw CutError(
            .codecMissing, "there is no encoder for \(source.tracks[index].facts.codec)",
            hint: "Cut at keyframes with --mode copy.")
        }
        let head = EdgeEncoder.Run(
          places: cut.head + cut.replaced.sorted { packets[$0].pts < packets[$1].pts },
          intra: Set(cut.replaced), source: cut.headSource)
        let replaced = Set(cut.replaced)
        try encode(head, choice, &joiner) { packet in
          if replaced.contains(packet.place) {
            replacements[packet.place] = packet
          } else {
            result.append(packet)
          }
        }
        try append(cut, replacements, &joiner, to: &result)
        let tail = EdgeEncoder.Run(places: cut.tail, source: cut.tailSource)
        try encode(tail, choice, &joiner) { packet in result.append(packet) }
      } else {
        try append(cut, [:], &joiner, to: &result)
      }
      result.stampDecoding(delay: delay, pace: pace(of: result))
      return result
    }

    private func pace(of result: ContiguousArray<OutputPacket>) -> Int64? {
      let places = result.map(\.place)
      guard let first = places.min(), let last = places.max(), last > first else { return nil }
      let packets = source.tracks[index].coded.packets
      let pace = packets[first + 1].dts &- packets[first].dts
      let isEven = (first..<last).allSatisfy { packets[$0 + 1].dts &- packets[$0].dts == pace }
      return isEven && pace > 0 ? pace : nil
    }

    private func encode(
      _ run: EdgeEncoder.Run, _ choice: EncoderChoice, _ joiner: inout any EdgeJoiner,
      _ take: (OutputPacket) -> Void
    ) throws(CutError) {
      guard !run.places.isEmpty else { return }
      let track = source.tracks[index]
      let encoder = EdgeEncoder(
        source: source, track: index, settings: choice.settings(track.facts.video),
        limits: limits, isCancelled: isCancelled)
      var isFirst = true
      try encoder.encode(run) { (picture, configuration) throws(CutError) in
        let role: PictureRole =
          run.intra.contains(picture.place)
          ? .replacing(place: picture.place)
          : isFirst || picture.packet.isKey ? .first : .following
        isFirst = false
        let bytes = try joiner.encoded(
          picture.packet.bytes, configuration: configuration, as: role)
        let slot = try spool.add(bytes)
        let packet = track.coded.packets[picture.place]
        take(
          OutputPacket(
            pts: packet.pts, dts: 0, duration: packet.duration, isKey: role == .first,
            byteCount: bytes.count, payload: .made(slot), place: picture.place))
      }
    }

    private func append(
      _ cut: VideoCut, _ replacements: [Int: OutputPacket], _ joiner: inout any EdgeJoiner,
      to result: inout ContiguousArray<OutputPacket>
    ) throws(CutError) {
      let left = Set(cut.left)
      let packets = source.tracks[index].coded.packets
      try source.prepare([index: [cut.copied]])
      for place in cut.copied {
        if left.contains(place) {
          if let packet = replacements[place] { result.append(packet) }
          continue
        }
        if isCancelled() { throw CutError(.cancelled, "it was cancelled") }
        let packet = packets[place]
        var output = OutputPacket(
          pts: packet.pts, dts: 0, duration: packet.duration, isKey: packet.isKey,
          byteCount: packet.byteCount, payload: .source(place: place), place: place)
        let changed = try joiner.copied(
          { () throws(CutError) in try source.bytes(ofTrack: index, place) },
          isEntry: place == cut.copied.lowerBound)
        if let changed {
          output.byteCount = changed.count
          output.payload = .made(try spool.add(changed))
        }
        result.append(output)
      }
    }
  }
#endif
