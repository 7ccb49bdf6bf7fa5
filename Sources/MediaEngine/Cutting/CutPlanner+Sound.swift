#if FFmpeg
  import ExactTime
  import MediaFacts
  import Trimming

  extension CutPlanner {
    mutating func planAudio(
      _ index: Int, _ report: inout TrackPlan
    ) throws(ExactTimeError) {
      let track = source.tracks[index]
      let isExact =
        container.hidesSamples(of: track.facts.codec)
        && (!follows || container.isISO || AudioCut.isUncompressed(track.facts.codec))
      let range = MediaTimeRange(from: start, to: self.range.end) ?? self.range
      if let coding = try coding(of: index, isExact: isExact, range) {
        try planCoding(index, coding, range, &report)
        return
      }
      guard refusal == nil else { return }
      var cut = try planner(track, precision(of: track.facts.codec, isExact: isExact)).cut(range)
      // Players of fragments do not take an edit's end for the end of the sound.
      if request.isFragmented { try cut.endWithPacket(track.coded.grid) }
      guard !cut.copied.isEmpty else {
        report.dropped = "none of its sound lies in the range"
        dropped.append(report)
        return
      }
      // The first packet of Vorbis is not heard, but needed for the one behind it (Vorbis I, 4.3.8).
      if container == .ogg, track.facts.codec == "vorbis", !follows {
        cut.addLeadPacket(track.coded)
      }
      if [.matroska, .webm].contains(container), track.facts.codec == "vorbis", !follows {
        try cut.muteFirstPacket(track.coded)
      }
      // Readers do not recognise less, or find no times in it.
      if container == .adts || (container == .ogg && !isExact), cut.packetCount < 3 {
        refusal =
          refusal
          ?? CutError(
            .notCuttable,
            "the part holds \(cut.packetCount) packets of sound, too few for a \(container.endings) "
              + "file", hint: "Make it longer, or write .mka.")
      }
      if container == .avi {
        report.offset = MediaDuration(seconds: -(try cut.start.distance(from: .zero).seconds))
      }
      report.copiedBytes = cut.copied.reduce(0) {
        $0 + Int64(track.coded.packets[$1].byteCount)
      }
      if request.isFragmented { report.reasons.append("ends_with_packet") }
      if !isExact {
        let ends = cut.hiddenEnd > 0
        report.reasons.append(ends ? "begins_with_packet" : "whole_packets")
      }
      try add(index, cut, nil, &report)
    }

    private func precision(of codec: String, isExact: Bool) -> AudioPlanner.Precision {
      if isExact { return .sample }
      // The position of the last page says where Vorbis ends (Vorbis I, A.2).
      if container == .ogg, codec == "vorbis", !isJoined { return .packetAround }
      guard container == .avi else { return .packet }
      return isJoined ? .nearestPacket : .packetsInside
    }

    private mutating func add(
      _ index: Int, _ cut: AudioCut, _ coding: SoundCoding?, _ report: inout TrackPlan
    ) throws(ExactTimeError) {
      report.packets = cut.packetCount
      let shown = try MediaTimeRange(from: cut.start, length: cut.length)
      let begin = try start.advanced(by: cut.start.distance(from: .zero))
      report.source = try MediaTimeRange(from: begin, length: cut.length)
      planned.append(
        PlannedTrack(source: index, audio: cut, sound: coding, shown: shown, report: report))
    }

    /// To the sample, whatever the container's ticks are.
    private func exactCut(
      of index: Int, _ range: MediaTimeRange
    ) throws(ExactTimeError) -> AudioCut {
      try AudioPlanner(
        SoundMaking.counted(index, of: source),
        preroll: Self.preroll(source.tracks[index].facts.codec), precision: .sample
      ).cut(range)
    }

    private func planner(
      _ track: SourceTrack, _ precision: AudioPlanner.Precision
    ) -> AudioPlanner {
      AudioPlanner(
        track.coded, preroll: Self.preroll(track.facts.codec), precision: precision,
        beginsAtKey: ["ac4", "truehd", "mlp"].contains(track.facts.codec))
    }

    /// How a track is coded anew: as asked for, or since nothing is lost by it and a container that
    /// cannot hide samples would begin or end with other ones.
    private mutating func coding(
      of index: Int, isExact: Bool, _ range: MediaTimeRange
    ) throws(ExactTimeError) -> SoundCoding? {
      let track = source.tracks[index]
      let codec = track.facts.codec
      guard !AudioCut.isUncompressed(codec) else { return nil }
      let coding = SoundCoding(codec: codec, for: container).flatMap { $0.isAvailable ? $0 : nil }
      if request.audio == .reencode {
        if coding == nil {
          refusal = CutError(
            .codecMissing,
            "track \(track.facts.id) (\(codec)) cannot be encoded: there is no encoder for it",
            hint: "Use --audio copy: its packets are copied.")
        }
        return coding
      }
      guard SoundCoding.isLossless(codec), !isExact, !isJoined,
        [.flac, .ogg, .matroska].contains(container)
      else { return nil }
      let cut = try exactCut(of: index, range)
      return cut.hiddenStart > 0 || cut.hiddenEnd > 0 ? coding : nil
    }

    private mutating func planCoding(
      _ index: Int, _ coding: SoundCoding, _ range: MediaTimeRange, _ report: inout TrackPlan
    ) throws(ExactTimeError) {
      let cut = try exactCut(of: index, range)
      guard !cut.copied.isEmpty, cut.length.isPositive else {
        report.dropped = "none of its sound lies in the range"
        dropped.append(report)
        return
      }
      report.encoded = cut.packetCount
      report.reasons.append(request.audio == .reencode ? "asked_for" : "exact_to_the_sample")
      if [.mpegts, .adts, .avi].contains(container) {
        report.reasons.append("ends_with_packet")
      }
      try add(index, cut, coding, &report)
    }

    /// Packets that a decoder must have seen before it gives the right samples.
    static func preroll(_ codec: String) -> Int {
      switch codec {
      // An overlap with the block before.
      case "aac", "vorbis", "ac3", "eac3": 1
      // The overlap and the filter bank; the bit reservoir is seen to apart.
      case "mp3", "mp2", "mp1": 1
      // 80 ms (RFC 7845, 4.6), in packets of 20 ms.
      case "opus": 4
      default: 0
      }
    }
  }
#endif
