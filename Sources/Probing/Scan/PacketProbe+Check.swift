import ExactTime
package import MediaFacts

extension PacketProbe {
  /// Compares the results from a file's sample tables with its packets.
  ///
  /// The packets have media times; the file's edit lists are applied to them here, as they were
  /// to the table. Where the two agree, the result is now based on packets; where they do not,
  /// the packets' result is used and a note reports it.
  package func check(_ facts: inout MediaFacts, timelines: [Int: TrackTimeline]) {
    var presented: [PresentedTrack] = []
    for position in facts.tracks.indices {
      let track = facts.tracks[position]
      guard track.isPresented, let tabled = track.durations.presented else { continue }
      guard let scan = scan(ofStream: track.index), let epoch = scan.epochs.first,
        let timeline = timelines[track.index]
      else {
        facts.notes.append(
          Note(.packetsUnread, track: track.id, "No packet of this track could be read."))
        continue
      }
      var fact = tabled
      var found = disagreement(epoch, scan, timeline, track)
      // Frames that cannot be decoded for lack of earlier frames are left out of both.
      if let range = found, range.start == tabled.start,
        (try? range.checkedLength()) == tabled.length
      {
        found = nil
      }
      if found != nil, timeline.hasHugeDurations {
        facts.notes.append(
          Note(
            .packetsUnread, track: track.id,
            "FFmpeg does not read durations of 2^31 ticks or more; the sample table is used "
              + "instead."))
      } else if found != nil, scan.packetCount < timeline.sampleCount {
        facts.notes.append(
          Note(
            .packetsUnread, track: track.id,
            "FFmpeg reads \(scan.packetCount) of its \(timeline.sampleCount) packets"
              + (endReason.map { " (\($0))" } ?? "") + "; the sample table is used instead."))
      } else {
        facts.tracks[position].sampleCount = scan.packetCount
        fact.source = .packets
      }
      if fact.source == .packets, let found, let length = try? found.checkedLength() {
        facts.notes.append(
          Note(
            .packetsDiffer, track: track.id,
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
      length: range.length, start: range.start,
      source: facts.tracks.first { $0.id == range.trackID }?.durations.presented?.source
        ?? .packets, trackID: range.trackID)
    facts.refreshDurationNotes()
  }

  /// What the packets present, where it differs from the table; `nil` when both cover the same
  /// media within a frame.
  private func disagreement(
    _ epoch: StreamScan.Epoch, _ scan: StreamScan, _ timeline: TrackTimeline,
    _ track: TrackFacts
  ) -> MediaTimeRange? {
    guard let frame = track.frameLength,
      let tolerance = try? timeline.edits.grid.ticks(of: frame, rounding: .up)
    else { return nil }
    // One packet may contain many samples of the table (PCM, AMR).
    let ownEnd = epoch.lastPTS &+ scan.mediaTicks(ofLastPacketIn: epoch)
    let isSeparate =
      scan.isVideo || (ownEnd &- timeline.mediaEnd).magnitude > tolerance.magnitude
      || (epoch.firstPTS &- timeline.mediaStart).magnitude > tolerance.magnitude
    guard isSeparate,
      (epoch.lastPTS &- timeline.mediaLast).magnitude > tolerance.magnitude
        || (epoch.firstPTS &- timeline.mediaStart).magnitude > tolerance.magnitude
    else { return nil }
    let shifts = [
      epoch.firstPTS &- timeline.mediaStart, epoch.lastPTS &- timeline.mediaLast,
    ]
    // Composition offsets are signed (ISO 14496-12, 8.6.1.3).
    guard timeline.mostShift == 0 || !shifts.allSatisfy((0...timeline.mostShift).contains) else {
      return nil
    }
    // The last duration is taken from the table: FFmpeg makes up what it does not read.
    let end = epoch.lastPTS &+ (timeline.mediaEnd &- timeline.mediaLast)
    return timeline.edits.presentedRange(first: epoch.firstPTS, end: end)
  }
}
