import ExactTime
import MediaFacts

/// The requested parts, resolved on a file's timeline.
struct ResolvedParts {
  let ranges: [MediaTimeRange]
  let timecodes: CutTimecodes?

  /// - Parameter facts: the file's facts, with keyframes if an endpoint refers to one.
  init(
    _ parts: [PartExpression], of media: any Cuttable, _ facts: MediaFacts, named name: String
  ) throws(PlayedMedia.Failure) {
    let frames = parts.contains(where: \.namesFrames) ? media.frameStarts : nil
    var ranges: [MediaTimeRange] = []
    var context: TimelineContext?
    for part in parts {
      let found = try PlayedMedia(facts, location: name, part: part, frames: frames)
      ranges.append(found.part)
      context = found.context
    }
    // From the frame rate, frame times are only known to within a tick.
    if frames == nil { context?.frames = nil }
    self.ranges = ranges
    timecodes = context.flatMap { CutTimecodes($0, typed: parts) }
  }
}
