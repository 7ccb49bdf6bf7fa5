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
    if let priming = facts.audio?.priming {
      notes.append(
        Note(
          "audio-priming", track: id,
          "The first \(priming) samples are the encoder's priming and are not presented."))
    }
    if let padding = facts.audio?.padding {
      notes.append(
        Note(
          "audio-padding", track: id,
          "The last \(padding) samples are padding and are not presented."))
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
    if scan.isVideo, let epoch = scan.epochs.last, epoch.lastDuration == 0 {
      notes.append(
        Note(
          "last-duration-missing", track: id,
          "The last frame has no duration; it is shown as long as the one before it."))
    }
    if scan.epochs.contains(where: \.hasNegativeDTS) {
      notes.append(Note("negative-dts", track: id, "Decoding time stamps begin below zero."))
    }
    if facts.video?.isConstantFrameRate == false {
      notes.append(
        Note("variable-frame-rate", track: id, "Frames are not equally spaced (VFR)."))
    }
    if let gops = facts.gops, gops.openCount > 0 {
      notes.append(
        Note(
          "open-gop", track: id,
          "\(gops.openCount) of \(gops.count) groups of pictures are open: frames shown before "
            + "their keyframe need the group before."))
    }
    if let start = facts.durations.presented?.start, start != .zero {
      notes.append(StartNote.note(start, track: id))
    }
    return notes
  }
}
