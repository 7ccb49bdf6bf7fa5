public import ExactTime

/// A file's own timecode: the label of its first frame.
public enum SourceTimecode {
  /// The label stated by a video track, else by a timecode track, else by a tag of the file; `nil`
  /// where none of them is a valid label.
  public static func start(of facts: MediaFacts) -> TimecodeLabel? {
    let tags = facts.tags.filter { $0.key.lowercased() == "timecode" }.map(\.value)
    let texts = tracks(of: facts).compactMap(\.timecode) + tags
    return texts.lazy.compactMap { TimecodeLabel(stored: $0) }.first
  }

  /// The clock of that timecode, on the file's timeline; `nil` where it states no rate and labels
  /// the frames directly.
  public static func clock(of facts: MediaFacts) -> TimecodeClock? {
    let labelled = tracks(of: facts).first { track in
      track.timecode.flatMap { TimecodeLabel(stored: $0) } != nil
    }
    guard let track = labelled, let rate = track.timecodeRate, let start = track.timecodeStart,
      let label = track.timecode.flatMap({ TimecodeLabel(stored: $0) }),
      let counting = try? TimecodeRate(framesPerSecond: rate, isDropFrame: label.isDropFrame),
      let first = try? Timecode(label, rate: counting)
    else { return nil }
    let later = track.laterTimecodes.compactMap { later -> TimecodeClock.Stretch? in
      guard let label = TimecodeLabel(stored: later.timecode),
        let first = try? Timecode(label, rate: counting)
      else { return nil }
      return TimecodeClock.Stretch(first: first, start: later.start)
    }
    return TimecodeClock(first: first, start: start, later: later)
  }

  private static func tracks(of facts: MediaFacts) -> [TrackFacts] {
    facts.tracks.filter { $0.kind == .video && $0.isPresented }
      + facts.tracks.filter { $0.kind == .timecode }
  }
}
