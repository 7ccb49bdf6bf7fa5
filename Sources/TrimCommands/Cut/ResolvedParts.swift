import ExactTime
import MediaFacts

/// The parts that were asked for, found on a file's timeline.
struct ResolvedParts {
  let ranges: [MediaTimeRange]
  let timecodes: CutTimecodes?

  /// - Parameter facts: those of the film, with the keyframes where one is named.
  init(
    _ parts: [PartExpression], of film: any CuttableFilm, _ facts: MediaFacts, named name: String
  ) throws(PlayFilm.Failure) {
    let frames = parts.contains(where: \.namesFrames) ? film.frameStarts : nil
    var ranges: [MediaTimeRange] = []
    var context: TimelineContext?
    for part in parts {
      let found = try PlayFilm(facts, location: name, part: part, frames: frames)
      ranges.append(found.part)
      context = found.context
    }
    // By the rate alone frames are known to a tick only.
    if frames == nil { context?.frames = nil }
    self.ranges = ranges
    timecodes = context.flatMap { CutTimecodes($0, typed: parts) }
  }
}
