package import ExactTime
package import MediaFacts

/// The durations of the file as a whole, from those of its tracks.
package enum FileDurations {
  package static func of(
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

extension TrackFacts {
  /// The duration of one frame: the tolerance within which two durations agree.
  package var frameLength: MediaDuration? {
    if let rate = video?.averageFrameRate ?? video?.nominalFrameRate, rate.isPositive,
      let frame = try? Rational.one.divided(by: rate)
    {
      return MediaDuration(seconds: frame)
    }
    if kind == .video { return durations.presented?.length }
    // An AAC frame, the longest in common use.
    guard let rate = audio?.sampleRate, rate > 0 else { return nil }
    return MediaDuration(1024, Int64(rate))
  }
}

extension MediaFacts {
  /// The tolerance for the file as a whole: a video frame, else a frame of the deciding track.
  private var frameLength: MediaDuration {
    let shown = tracks.filter(\.isPresented)
    let pictures = shown.filter { $0.kind == .video }.compactMap(\.frameLength)
    let decisive = shown.first { $0.id == durations.presented?.trackID }?.frameLength
    return pictures.max() ?? decisive ?? .zero
  }

  /// Fills in what follows from the rest: the bit rate and the notes on durations that disagree.
  ///
  /// - Parameter isLookedFor: whether the presented duration was sought; where it was not, no note
  /// mentions it.
  package mutating func finish(isLookedFor: Bool = true) {
    if let byteCount, let length = durations.presented?.length {
      container.bitRate = BitRate.of(bytes: byteCount, over: length)
    }
    if isLookedFor { addDurationNotes() }
  }

  private mutating func addDurationNotes() {
    notes += Disagreements.notes(for: durations, frame: frameLength, track: nil)
    for track in tracks where track.isPresented {
      notes += Disagreements.notes(
        for: track.durations, frame: track.frameLength ?? frameLength, track: track.id)
    }
  }

  /// Compares the durations again, after a deeper probe has changed one.
  package mutating func refreshDurationNotes() {
    notes.removeAll { Disagreements.identifiers.contains($0.id) }
    if let byteCount, let length = durations.presented?.length {
      container.bitRate = BitRate.of(bytes: byteCount, over: length)
    }
    addDurationNotes()
  }

  /// Adds the notes on a decode that found a duration other than the presented one.
  package mutating func finishDecoded() {
    notes += Disagreements.decodedNote(for: durations, frame: frameLength, track: nil)
    for track in tracks where track.isPresented {
      notes += Disagreements.decodedNote(
        for: track.durations, frame: track.frameLength ?? frameLength, track: track.id)
    }
  }
}
