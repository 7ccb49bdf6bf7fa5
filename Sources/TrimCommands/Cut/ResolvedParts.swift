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
  /// What was looked for and found.
  let found: CutFindings?

  /// The edges of chosen cues.
  let edges: QuietEdges?

  /// - Parameters:
  ///   - facts: the file's facts, with keyframes if an endpoint refers to one.
  ///   - engine: looks for what is to be removed, and for quiet edges.
  ///   - deadline: for looking; `nil` for the usual time.
  init(
    _ options: CutOptions, of media: any Cuttable, _ facts: MediaFacts, named name: String,
    with engine: EnginePort, deadline: ContinuousClock.Instant?,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(PlayedMedia.Failure) {
    let (parts, removals) = (options.parts, options.removals)
    let keepsFrames = options.keepsFrames(of: facts)
    func drawn(_ part: MediaTimeRange? = nil) throws(PlayedMedia.Failure) -> DrawnMedia {
      guard var media = DrawnMedia(options.file.bytes, facts.withoutFrames, part: part) else {
        throw PlayedMedia.Failure(message: "nothing is presented", status: .badData)
      }
      media.deadline = deadline ?? media.deadline
      return media
    }
    edges = try options.cues.map { (cues) throws(PlayedMedia.Failure) in
      try QuietEdges(options.edits.parts) { (times) throws(PlayedMedia.Failure) in
        // Without audio, the edges stay.
        guard facts.tracks.contains(where: { $0.kind == .audio && $0.isPresented }) else {
          return times
        }
        return try engine.quietestInstants(
          near: times, in: drawn(), within: cues.tolerance, isCancelled: isCancelled)
      }
    }
    let listed = Dictionary(grouping: edges?.parts ?? options.edits.parts, by: \.isKept).mapValues {
      parts in
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
      let parts = wanted.compactMap { $0.intersection(first.bounds) }
      guard let hull = parts.first.map({ parts.reduce($0) { $0.union($1) } }) else {
        throw PlayedMedia.Failure(message: "nothing is presented in the range", status: .usage)
      }
      let found = try engine.findings(
        in: drawn(hull), options: search.options, isCancelled: isCancelled)
      return try Self.found(search, found, in: parts, frames: keepsFrames ? frames : nil)
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
    _ search: CutSearch, _ found: Findings, in parts: [MediaTimeRange], frames: FrameStarts?
  ) throws(PlayedMedia.Failure) -> CutFindings {
    if let lack = found.missing.first { throw lack.failure }
    do throws(ExactTimeError) {
      return try CutFindings(
        search: search, found: found, removals: search.removals(found, in: parts),
        splits: search.splits(found, in: parts, frames: frames))
    } catch {
      throw PlayedMedia.Failure(message: "its times are out of range", status: .badData)
    }
  }
}

extension MediaFacts {
  /// Without the list of frames, which may be long.
  fileprivate var withoutFrames: MediaFacts {
    var facts = self
    for place in facts.tracks.indices { facts.tracks[place].shownFrames = [] }
    return facts
  }
}
