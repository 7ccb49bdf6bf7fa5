import CommandLineKit
import EditLists
import ExactTime
import MediaFacts

/// The requested parts, resolved on a file's timeline.
struct ResolvedParts {
  let ranges: [MediaTimeRange]
  /// What is left between removals but not written, since no frame begins in it.
  let frameless: [MediaTimeRange]
  let timecodes: CutTimecodes?
  /// What was looked for and found.
  let found: CutFindings?

  typealias Find =
    (_ media: DrawnMedia, _ options: FindOptions) throws(PlayedMedia.Failure) -> Findings

  /// - Parameters:
  ///   - facts: the file's facts, with keyframes if an endpoint refers to one.
  ///   - find: looks for what is to be removed.
  init(
    _ options: CutOptions, of media: any Cuttable, _ facts: MediaFacts, named name: String,
    find: Find
  ) throws(PlayedMedia.Failure) {
    let (parts, removals) = (options.parts, options.removals)
    let keepsFrames = options.keepsFrames(of: facts)
    let listed = Dictionary(grouping: options.edits.parts, by: \.isKept).mapValues { parts in
      parts.map(\.range)
    }
    let removesSome =
      !removals.isEmpty || listed[false] != nil || options.search?.removed.isEmpty == false
    let needsFrames =
      (removesSome || options.search != nil) && keepsFrames
      || (parts + removals).contains(where: \.namesFrames)
    let frames = needsFrames ? media.frameStarts : nil
    let first = try PlayedMedia(facts, location: name, part: parts[0], frames: frames)
    var wanted = [first.part]
    for part in parts.dropFirst() { wanted.append(try first.range(of: part)) }
    // A list of what is kept takes the place of typed parts.
    wanted = listed[true] ?? wanted
    var removed = listed[false] ?? []
    for part in removals { removed.append(try first.range(of: part)) }
    let search = try options.search.map { (search) throws(PlayedMedia.Failure) in
      try Self.found(
        search, in: wanted.compactMap { $0.intersection(first.bounds) }, of: options.file.bytes,
        first.facts, frames: keepsFrames ? frames : nil, find)
    }
    found = search
    removed += search?.removals ?? []
    if !removesSome {
      let isDivided = options.search?.makesFiles == true
      (ranges, frameless) = (isDivided ? search?.divided(wanted) ?? wanted : wanted, [])
    } else {
      let left: RemovedRanges
      do throws(TimeResolutionError) {
        left = try RemovedRanges(
          removed, from: wanted.compactMap { $0.intersection(first.bounds) },
          frames: keepsFrames ? frames : nil)
      } catch {
        throw PlayedMedia.Failure(message: "\(error)", status: .usage)
      }
      let isDivided = options.search?.makesFiles == true
      (ranges, frameless) = (
        isDivided ? search?.divided(left.kept) ?? left.kept : left.kept, left.frameless
      )
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

  /// - Throws: ``PlayedMedia/Failure``, also where only some of it can be looked for.
  private static func found(
    _ search: CutSearch, in parts: [MediaTimeRange], of path: [UInt8], _ facts: MediaFacts,
    frames: FrameStarts?, _ find: Find
  ) throws(PlayedMedia.Failure) -> CutFindings {
    guard let first = parts.first,
      let media = DrawnMedia(path, facts, part: parts.reduce(first) { $0.union($1) })
    else {
      throw PlayedMedia.Failure(message: "nothing is presented in the range", status: .usage)
    }
    let found = try find(media, search.options)
    if let lack = found.missing.first { throw lack.failure }
    do throws(ExactTimeError) {
      return try CutFindings(
        search: search, found: found, removals: search.removals(found, in: parts),
        splits: search.splits(found, frames: frames))
    } catch {
      throw PlayedMedia.Failure(message: "its times are out of range", status: .badData)
    }
  }
}
