import ExactTime
package import MediaFacts

/// Combines the facts of consecutive streams in one file.
package enum ChainedFacts {
  /// Appends the facts of what is shown next.
  ///
  /// A track continues in the next one of the same kind; one without a predecessor is a new track.
  package static func append(_ next: MediaFacts, to facts: inout MediaFacts) {
    let shift = shift(of: next, behind: facts)
    var free = Set(facts.tracks.indices)
    var numbers: [Int: Int] = [:]
    for var track in next.tracks {
      if let shift { place(&track, later: shift) }
      if let place = facts.tracks.indices.first(where: {
        free.contains($0) && facts.tracks[$0].kind == track.kind
      }) {
        free.remove(place)
        numbers[track.id] = facts.tracks[place].id
        join(track, to: &facts.tracks[place])
      } else {
        let id = (facts.tracks.map(\.id).max() ?? 0) + 1
        numbers[track.id] = id
        track.index = facts.tracks.count
        track.id = id
        track.durations.presented?.start = nil
        track.durations.decoded?.start = nil
        facts.tracks.append(track)
      }
    }
    for kind in [DurationKind.presented, .decoded] {
      facts.durations[kind] = sum(facts.durations[kind], next.durations[kind])
    }
    for var note in next.notes where !ofOwnClock.contains(note.id) {
      note.trackID = note.trackID.flatMap { numbers[$0] }
      if !facts.notes.contains(where: { $0.id == note.id && $0.trackID == note.trackID }) {
        facts.notes.append(note)
      }
    }
    for var damage in next.damage {
      damage.trackID = damage.trackID.flatMap { numbers[$0] }
      facts.damage.append(damage)
    }
  }

  /// Notes about a duration or clock that does not apply to the whole file.
  private static let ofOwnClock = Disagreements.identifiers.union([
    .startsLate, .startsBeforeZero,
  ])

  /// How far the next part is shifted on the whole file's timeline: to the end of the previous
  /// parts.
  private static func shift(of next: MediaFacts, behind facts: MediaFacts) -> MediaDuration? {
    guard let end = facts.durations.presented?.end else { return nil }
    return try? end.distance(from: next.durations.presented?.start ?? .zero)
  }

  private static func place(_ track: inout TrackFacts, later shift: MediaDuration) {
    track.shownFrames = track.shownFrames.compactMap { frame in
      (try? frame.time.advanced(by: shift)).map { ShownFrame(time: $0, duration: frame.duration) }
    }
    track.keyframes = track.keyframes.compactMap { key in
      guard let time = try? key.time.advanced(by: shift) else { return nil }
      var key = key
      key.time = time
      return key
    }
  }

  /// Makes byte offsets relative to the start of the file instead of the start of a part.
  package static func move(_ facts: inout MediaFacts, by bytes: Int64) {
    for place in facts.tracks.indices {
      for key in facts.tracks[place].keyframes.indices {
        facts.tracks[place].keyframes[key].byteOffset? += bytes
      }
    }
    for place in facts.damage.indices { facts.damage[place].byteOffset? += bytes }
  }

  private static func join(_ next: TrackFacts, to track: inout TrackFacts) {
    track.shownFrames += next.shownFrames
    let before = track.frameCount ?? 0
    track.keyframes += next.keyframes.map { key in
      var key = key
      key.frame = key.frame.map { $0 + before }
      return key
    }
    var groups = GOPSummary()
    for gops in [track.gops, next.gops] {
      var more = GOPSummary()
      more.gops = gops
      groups.append(more)
    }
    track.gops = groups.gops
    for kind in [DurationKind.presented, .decoded] {
      track.durations[kind] = sum(track.durations[kind], next.durations[kind])
    }
    track.sampleCount = sum(track.sampleCount, next.sampleCount)
    track.frameCount = sum(track.frameCount, next.frameCount)
    guard var audio = track.audio, let more = next.audio else { return }
    audio.priming = sum(audio.priming, more.priming)
    audio.padding = sum(audio.padding, more.padding)
    track.audio = audio
  }

  private static func sum(_ first: Int?, _ second: Int?) -> Int? {
    guard let first else { return second }
    return first + (second ?? 0)
  }

  private static func sum(_ first: DurationFact?, _ second: DurationFact?) -> DurationFact? {
    guard var first else { return second }
    guard let second else { return first }
    guard let length = try? first.length.adding(second.length) else { return nil }
    first.length = length
    if second.source == .estimate { first.source = .estimate }
    return first
  }
}
