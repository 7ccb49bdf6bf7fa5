#if FFmpeg
  import ExactTime
  import MediaFacts

  extension PacketProbe {
    /// Holds what the sample tables of a film said against its packets.
    ///
    /// The packets' times are the media's own; the film's edit lists are laid over them here, as
    /// they were over the table. Where the two agree, the answer now stands on packets; where they
    /// do not, the packets' answer is taken and a note says so.
    func check(_ facts: inout MediaFacts, timelines: [Int: TrackTimeline]) {
      var presented: [PresentedTrack] = []
      for position in facts.tracks.indices {
        let track = facts.tracks[position]
        guard track.isPresented, let tabled = track.durations.presented else { continue }
        guard let scan = scan(ofStream: track.index), let epoch = scan.epochs.first,
          let timeline = timelines[track.index]
        else {
          facts.notes.append(
            Note("packets-unread", track: track.id, "No packet of this track could be read."))
          continue
        }
        facts.tracks[position].sampleCount = scan.packetCount
        var fact = tabled
        fact.source = .packets
        if let found = disagreement(epoch, scan, timeline, track),
          let length = try? found.checkedLength()
        {
          facts.notes.append(
            Note(
              "packets-differ", track: track.id,
              "The sample table gives \(Disagreements.text(tabled.length)), the packets "
                + "\(Disagreements.text(length))."))
          fact.length = length
          fact.start = found.start
        }
        facts.tracks[position].durations.presented = fact
        if let range = fact.start.flatMap({ try? MediaTimeRange(from: $0, length: fact.length) }) {
          presented.append(PresentedTrack(trackID: track.id, range: range))
        }
      }
      facts.damage += corruption
      facts.depth = .packets
      guard let range = FileRange(presented) else { return }
      facts.durations.presented = DurationFact(
        length: range.length, start: range.start, source: .packets, trackID: range.trackID)
    }

    /// What the packets present, where that is not what the table said: `nil` when both cover the
    /// same media within a frame.
    private func disagreement(
      _ epoch: StreamScan.Epoch, _ scan: StreamScan, _ timeline: TrackTimeline,
      _ track: TrackFacts
    ) -> MediaTimeRange? {
      let end = epoch.lastPTS + scan.mediaTicks(ofLastPacketIn: epoch)
      guard let frame = track.frameLength,
        let tolerance = try? timeline.edits.grid.ticks(of: frame, rounding: .up),
        (end &- timeline.mediaEnd).magnitude > tolerance.magnitude
          || (epoch.firstPTS &- timeline.mediaStart).magnitude > tolerance.magnitude
      else { return nil }
      return timeline.edits.presentedRange(first: epoch.firstPTS, end: end)
    }
  }
#endif
