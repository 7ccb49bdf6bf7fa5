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
    var timecodes: CutTimecodes?
    for part in parts {
      let found = try PlayFilm(facts, location: name, part: part, frames: frames)
      ranges.append(found.part)
      // Without them labels would be counted by the rate, which is right up to a tick alone.
      if frames != nil || found.context.timecodeClock != nil {
        timecodes = CutTimecodes(found.context, typed: parts)
      }
    }
    self.ranges = ranges
    self.timecodes = timecodes
  }
}
