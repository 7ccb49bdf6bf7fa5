#if FFmpeg
  import ExactTime
  import MediaFacts
  import Trimming

  extension CutPlanner {
    mutating func planVideo(
      _ index: Int, _ report: inout TrackPlan
    ) throws(ExactTimeError) {
      let track = source.tracks[index]
      let range = try track.coded.ticks(of: self.range)
      let source = source
      let planner = VideoPlanner(
        track.coded.packets, leadingPictures: track.facts.codec == "h264" ? .inPlace : .inHead,
        needsHead: follows && track.facts.codec == "h264",
        access: { place in
          let access = source.access(ofTrack: index, place)
          // Such a picture of HEVC begins no coded video sequence.
          return access == .recoveryPoint && track.facts.codec == "hevc" ? .flaggedOnly : access
        })
      let cut =
        switch request.mode {
        case .reencode: planner.encoded(range, because: .asked)
        case .editList: planner.hiding(range)
        case .smart, .copy: planner.smart(range)
        }
      if request.mode == .copy, cut.encodedCount > 0 {
        refusal =
          refusal
          ?? CutError(
            .notCuttable,
            "track \(track.facts.id) (\(track.facts.codec)) has no keyframes around the range "
              + "between which it could be copied", hint: "Use --mode smart.")
        return
      }
      guard cut.frameCount > 0 else {
        report.dropped = "no frame of it begins in the range"
        dropped.append(report)
        return
      }
      report.packets = cut.frameCount
      report.encoded = cut.encodedCount
      report.hidden = cut.hidden.count
      report.encodedHead = cut.head.count + cut.replaced.count
      report.encodedTail = cut.tail.count
      let left = Set(cut.left)
      report.copiedBytes = cut.copied.lazy.filter { !left.contains($0) }
        .reduce(0) { $0 + Int64(track.coded.packets[$1].byteCount) }
      if let reason = cut.reason { report.reasons.append(reason.rawValue) }
      let shown = try shownRange(of: cut, track.coded, range)
      report.source = shown
      var encoder = EncoderChoice(
        codec: track.facts.codec, video: track.facts.video, configuration: track.configuration)
      // Where the source's decoder need not wait, it loses a picture to one that must.
      if encoder?.announcesReordering == true,
        !track.coded.packets.contains(where: { $0.pts != $0.dts })
      {
        encoder?.announcesReordering = false
      }
      planned.append(
        PlannedTrack(
          source: index, video: cut, encoder: encoder, shown: try relative(shown), report: report))
    }

    /// From the first frame's PTS to the end of the last one, on the source's timeline.
    private func shownRange(
      of cut: VideoCut, _ track: CodedTrack, _ range: Range<Int64>
    ) throws(ExactTimeError) -> MediaTimeRange {
      var (first, last, end) = (Int64.max, Int64.min, Int64.min)
      for place in cut.head + cut.replaced + Array(cut.copied) + cut.tail {
        let packet = track.packets[place]
        guard range.contains(packet.pts) else { continue }
        first = min(first, packet.pts)
        if packet.pts > last { (last, end) = (packet.pts, packet.pts &+ packet.duration) }
      }
      if end == last {
        // Without a duration it lasts as long as the frame before.
        let before = track.packets.lazy.map(\.pts).filter { $0 < last }.max() ?? last
        end = last &+ (last - before)
      }
      let from = try track.time(atTick: first)
      var to = try track.time(atTick: end)
      if container.clipsPictures { to = min(to, self.range.end) }
      return MediaTimeRange(from: from, to: max(from, to)) ?? self.part
    }
  }
#endif
