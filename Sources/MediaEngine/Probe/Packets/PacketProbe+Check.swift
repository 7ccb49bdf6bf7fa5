#if FFmpeg
  import ExactTime
  import MediaFacts

  extension PacketProbe {
    /// Holds what the sample tables of a film said against its packets.
    ///
    /// The packets' times are the media's own; the film's edit lists are laid over them here, as
    /// they were over the table. Where the two agree, the answer now stands on packets; where they
    /// do not, the packets' answer is taken and a note says so.
    func check(_ facts: inout MediaFacts, timelines: [Int: EditedTimeline]) {
      var presented: [PresentedTrack] = []
      for position in facts.tracks.indices {
        let track = facts.tracks[position]
        guard track.isPresented, let tabled = track.durations.presented else { continue }
        guard let scan = scan(ofStream: track.index), let epoch = scan.epochs.first,
          let timeline = timelines[track.index],
          let found = range(of: epoch, scan, timeline),
          let length = try? found.checkedLength()
        else {
          facts.notes.append(
            Note("packets-unread", track: track.id, "No packet of this track could be read."))
          continue
        }
        facts.tracks[position].sampleCount = scan.packetCount
        var fact = tabled
        fact.source = .packets
        if let tolerance = track.frameLength, length.isFurther(than: tolerance, from: tabled.length)
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
          presented.append(PresentedTrack(trackID: track.id, ranges: [range]))
        }
      }
      facts.damage += corruption
      facts.depth = .packets
      guard let range = FileRange(presented) else { return }
      facts.durations.presented = DurationFact(
        length: range.length, start: range.start, source: .packets, trackID: range.trackID)
    }

    private func range(
      of epoch: StreamScan.Epoch, _ scan: StreamScan, _ timeline: EditedTimeline
    ) -> MediaTimeRange? {
      let end = epoch.lastPTS + scan.displayTicks(ofLastFrameIn: epoch)
      return timeline.presentedRange(first: epoch.firstPTS, end: end)
    }
  }
#endif
