import ExactTime
import MediaFacts

/// The requested parts, resolved on a file's timeline.
struct ResolvedParts {
  let ranges: [MediaTimeRange]
  let timecodes: CutTimecodes?

  /// - Parameter facts: the file's facts, with keyframes if an endpoint refers to one.
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
    // From the frame rate, frame times are only known to within a tick.
    if frames == nil { context?.frames = nil }
    self.ranges = ranges
    timecodes = context.flatMap { CutTimecodes($0, typed: parts) }
  }
}
