import ExactTime
import MediaFacts

/// The durations of the file as a whole, from those of its tracks.
enum FileDurations {
  static func of(
    _ tracks: [TrackFacts], declared: DurationFact?, presented: [PresentedTrack],
    source: DurationSource
  ) -> Durations {
    var durations = Durations()
    durations.declared = declared
    let shown = tracks.filter(\.isPresented)
    durations.track = longest(shown.compactMap(\.durations.track))
    durations.indexed = longest(shown.compactMap(\.durations.indexed))
    if let range = FileRange(presented) {
      durations.presented = DurationFact(
        length: range.length, start: range.start, source: source, trackID: range.trackID)
    }
    return durations
  }

  private static func longest(_ facts: [DurationFact]) -> DurationFact? {
    facts.max { $0.length < $1.length }
  }
}

extension MediaFacts {
  /// Fills in what follows from the rest: the bit rate and the notes on durations that disagree.
  ///
  /// - Parameter frameLengths: the length of one frame of each presented track.
  mutating func finish(frameLengths: [Int: MediaDuration]) {
    if let byteCount, let length = durations.presented?.length {
      container.bitRate = BitRate.of(bytes: byteCount, over: length)
    }
    let decisive = durations.presented?.trackID.flatMap { frameLengths[$0] }
    let frame =
      tracks.filter { $0.kind == .video && $0.isPresented }
      .compactMap { frameLengths[$0.id] }.max() ?? decisive ?? .zero
    notes += Disagreements.notes(for: durations, frame: frame, track: nil)
    for track in tracks where track.isPresented {
      notes += Disagreements.notes(
        for: track.durations, frame: frameLengths[track.id] ?? frame, track: track.id)
    }
  }
}
