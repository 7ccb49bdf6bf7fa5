import ExactTime
package import MediaFacts

/// Notes on the oddities that a packet scan finds in one stream.
package enum ScanNotes {
  /// - Parameter stretches: the stretch of the file's clock that each epoch belongs to.
  package static func notes(of scan: StreamScan, stretches: [Int], _ facts: TrackFacts) -> [Note] {
    let id = facts.id
    var notes: [Note] = []
    let settings = Set(stretches).count - 1
    if settings > 0 {
      notes.append(
        Note(
          .timestampDiscontinuity, track: id,
          "The clock is reset \(Self.times(settings)); the segments are shown one after "
            + "another."))
    }
    let pauses = scan.pauses.count + scan.epochs.count - 1 - max(0, settings)
    if pauses > 0 {
      notes.append(
        Note(
          .timestampGap, track: id,
          "The track pauses \(Self.times(pauses)): nothing in it begins for over ten seconds."))
    }
    if scan.untimedCount > 0 {
      notes.append(
        Note(
          .timestampsMissing, track: id,
          "\(scan.untimedCount) of \(scan.packetCount) packets \(scan.untimedCount == 1 ? "lacks" : "lack") a PTS, which is derived from "
            + "neighboring packets."))
    }
    if scan.movedCount > 0 {
      notes.append(
        Note(
          .ptsContradictOrder, track: id,
          "The PTS of \(scan.movedCount) pictures contradict the order in which they are coded to be shown; they are "
            + "presented, and cut, in that order, at the same times."))
    }
    if scan.backwardCount > 0 {
      notes.append(
        Note(
          .dtsBackwards, track: id,
          "Decoding timestamps go backwards \(Self.times(scan.backwardCount))."))
    }
    if scan.overflowCount > 0 {
      notes.append(
        Note(
          .timestampsImpossible, track: id,
          scan.overflowCount == 1
            ? "One packet has an impossible time and is left out."
            : "\(scan.overflowCount) packets have impossible times and are left out."))
    }
    if let stray = StrayNote.note(
      of: scan.strays, scan.grid, isSound: !scan.isVideo, length: facts.durations.presented?.length,
      stated: scan.statedLength, track: id)
    {
      notes.append(stray)
    }
    return notes
      + TrackNotes.notes(
        of: facts, start: facts.durations.presented?.start,
        hasNegativeDTS: scan.epochs.contains(where: \.hasNegativeDTS),
        lacksLastDuration: scan.isVideo
          && scan.epochs.last.map { $0.lastDuration == 0 && $0.pts.count > $0.hiddenCount } == true)
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
