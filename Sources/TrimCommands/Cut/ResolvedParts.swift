import CommandLineKit
import EditLists
import ExactTime
import Isolation
import MediaFacts

/// The requested parts, resolved on a file's timeline.
struct ResolvedParts {
  let ranges: [MediaTimeRange]
  /// What is left between removals but not written, since no frame begins in it.
  let frameless: [MediaTimeRange]
  let timecodes: CutTimecodes?

  /// - Parameter facts: the file's facts, with keyframes if an endpoint refers to one.
  init(
    _ options: CutOptions, of media: any Cuttable, _ facts: MediaFacts, named name: String
  ) throws(PlayedMedia.Failure) {
    let (parts, removals) = (options.parts, options.removals)
    let keepsFrames = options.keepsFrames(of: facts)
    let listed = Dictionary(grouping: options.edits.parts, by: \.isKept).mapValues { parts in
      parts.map(\.range)
    }
    let removesSome = !removals.isEmpty || listed[false] != nil
    let needsFrames =
      removesSome && keepsFrames || (parts + removals).contains(where: \.namesFrames)
    let frames = needsFrames ? media.frameStarts : nil
    let first = try PlayedMedia(facts, location: name, part: parts[0], frames: frames)
    var wanted = [first.part]
    for part in parts.dropFirst() { wanted.append(try first.range(of: part)) }
    // A list of what is kept takes the place of typed parts.
    wanted = listed[true] ?? wanted
    var removed = listed[false] ?? []
    for part in removals { removed.append(try first.range(of: part)) }
    if !removesSome {
      (ranges, frameless) = (wanted, [])
    } else {
      let left: RemovedRanges
      do throws(TimeResolutionError) {
        left = try RemovedRanges(
          removed, from: wanted.compactMap { $0.intersection(first.bounds) },
          frames: keepsFrames ? frames : nil)
      } catch {
        throw PlayedMedia.Failure(message: "\(error)", status: .usage)
      }
      (ranges, frameless) = (left.kept, left.frameless)
      guard !ranges.isEmpty else {
        throw PlayedMedia.Failure(
          message: "nothing is left: all of it is removed", status: .usage)
      }
    }
    var context = first.context
    // From the frame rate, frame times are only known to within a tick.
    if frames == nil { context.frames = nil }
    timecodes = CutTimecodes(context, typed: parts + removals)
  }
}
