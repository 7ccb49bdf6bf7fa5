import ExactTime
package import MediaFacts

/// Adds the facts of streams that follow one another in one file.
package enum ChainedFacts {
  /// Appends what is shown after it.
  ///
  /// A track goes on in the next of its kind; one without a predecessor is a new track.
  package static func append(_ next: MediaFacts, to facts: inout MediaFacts) {
    var free = Set(facts.tracks.indices)
    var numbers: [Int: Int] = [:]
    for track in next.tracks {
      if let place = facts.tracks.indices.first(where: {
        free.contains($0) && facts.tracks[$0].kind == track.kind
      }) {
        free.remove(place)
        numbers[track.id] = facts.tracks[place].id
        join(track, to: &facts.tracks[place])
      } else {
        var added = track
        added.index = facts.tracks.count
        added.id = (facts.tracks.map(\.id).max() ?? 0) + 1
        numbers[track.id] = added.id
        added.durations.presented?.start = nil
        added.durations.decoded?.start = nil
        facts.tracks.append(added)
      }
    }
    for kind in [DurationKind.presented, .decoded] {
      facts.durations[kind] = sum(facts.durations[kind], next.durations[kind])
    }
    for var note in next.notes where !Disagreements.identifiers.contains(note.id) {
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

  private static func join(_ next: TrackFacts, to track: inout TrackFacts) {
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
