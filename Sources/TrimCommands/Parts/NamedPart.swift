import ExactTime
import MediaEngine
import MediaFacts

/// The part of a file given after its name, as in `clip.mp4#t=1,3`, clamped to the file.
struct NamedPart: Sendable, Equatable {
  /// The start, counted from the first presented sample.
  var start: MediaTime
  /// The length; zero for a part outside the file.
  var length: MediaDuration

  /// Returns `nil` if the file's presented range is not known.
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
  /// The facts as if the file presented only that part.
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
