import ExactTime
import MediaEngine
import MediaFacts

/// The part of a film that stands behind its name, as in `clip.mp4#t=1,3`, as far as the film goes.
struct NamedPart: Sendable, Equatable {
  /// Counted from the first presented sample.
  var start: MediaTime
  /// Zero for a part that lies outside the film.
  var length: MediaDuration

  /// `nil` where it is not known what the film presents.
  init?(_ part: PartExpression, of facts: MediaFacts) {
    guard let length = facts.durations.presented?.length,
      let whole = MediaTimeRange(from: .zero, to: MediaTime(seconds: length.seconds))
    else { return nil }
    let context = TimelineContext(presented: whole)
    start = (try? part.from?.resolve(in: context)) ?? whole.start
    var end = whole.end
    if case .to(let time) = part.end {
      end = min((try? time.resolve(in: context)) ?? end, whole.end)
    }
    self.length = start < end ? ((try? end.distance(from: start)) ?? .zero) : .zero
  }

  var end: MediaTime? { try? start.advanced(by: length) }
}

extension MediaFacts {
  /// The same, as if a file held only that part of what it presents.
  func reduced(to part: NamedPart) -> MediaFacts {
    guard var fact = durations.presented else { return self }
    var facts = self
    fact.start = fact.start.flatMap {
      try? $0.advanced(by: MediaDuration(seconds: part.start.seconds))
    }
    fact.length = part.length
    facts.durations.presented = fact
    return facts
  }
}
