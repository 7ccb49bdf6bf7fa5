import ExactTime
import MediaFacts

/// The oddities that a scan of packets finds in one stream.
enum ScanNotes {
  static func notes(of scan: StreamScan, _ facts: TrackFacts) -> [Note] {
    let id = facts.id
    var notes: [Note] = []
    if scan.epochs.count > 1 {
      notes.append(
        Note(
          "timestamp-discontinuity", track: id,
          "The clock is set anew \(scan.epochs.count - 1) times; the stretches between are shown "
            + "one after another."))
    }
    if scan.untimedCount > 0 {
      notes.append(
        Note(
          "timestamps-missing", track: id,
          "\(scan.untimedCount) of \(scan.packetCount) packets have no PTS; their times follow "
            + "from the packets before them."))
    }
    if scan.backwardCount > 0 {
      notes.append(
        Note(
          "dts-backwards", track: id,
          "Decoding time stamps go backwards \(scan.backwardCount) times."))
    }
    if scan.overflowCount > 0 {
      notes.append(
        Note(
          "timestamps-impossible", track: id,
          "\(scan.overflowCount) packets have times that cannot be, and are left out."))
    }
    return notes
      + TrackNotes.notes(
        of: facts, start: facts.durations.presented?.start,
        hasNegativeDTS: scan.epochs.contains(where: \.hasNegativeDTS),
        lacksLastDuration: scan.isVideo && scan.epochs.last?.lastDuration == 0)
  }
}
