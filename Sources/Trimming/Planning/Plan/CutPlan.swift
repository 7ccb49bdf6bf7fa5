public import ExactTime
import MediaFacts

/// What a cut will do, before anything is written: all that is needed to execute, evaluate, draw
/// and verify it.
///
/// It is a plain value: it can be stored, sent to another machine and executed there.
public struct CutPlan: Sendable, Hashable, Codable {
  /// The sources that the plan is for, in the order of the request.
  public var sources: [SourceIdentity]
  /// The container of the output, from its name or the request.
  public var container: OutputContainer
  /// The request, and how the written file is to be verified.
  public var request: CutRequest
  /// The parts, in the order in which they are shown.
  public var parts: [PartPlan]
  /// Where the written file begins and ends on its own timeline: how long it is presented.
  public var written: MediaTimeRange
  /// What happens to each track of the sources, across all parts.
  public var tracks: [TrackPlan]
  /// What the source's header holds that the output will not, as far as known without writing it; `nil`
  /// where the source was not examined.
  public var leftOut: [LeftOut]?
  /// When the source and the output were recorded; `nil` where the source does not state it.
  public var creation: CreationTime?

  /// Creates a plan from parts that are already planned; nothing is checked here.
  public init(
    sources: [SourceIdentity], container: OutputContainer, request: CutRequest, parts: [PartPlan],
    written: MediaTimeRange, tracks: [TrackPlan]
  ) {
    self.sources = sources
    self.container = container
    self.request = request
    self.parts = parts
    self.written = written
    self.tracks = tracks
  }

  /// The requested range, from the earliest to the latest instant of all parts.
  public var requested: MediaTimeRange {
    let ranges = shownParts.map(\.requested)
    return ranges.dropFirst().reduce(ranges.first ?? written) { $0.union($1) }
  }

  /// The parts, with their times along the ordered edition that the source plays, where there is one.
  public var shownParts: [PartPlan] {
    zip(parts, request.parts).map { part, asked in
      guard let lead = asked.lead, var shown = try? part.moved(back: lead) else { return part }
      if let beyond = asked.beyond, let end = try? shown.requested.end.advanced(by: beyond) {
        shown.requested = MediaTimeRange(from: shown.requested.start, to: end) ?? shown.requested
      }
      return shown
    }
  }

  /// How long the written file is presented.
  public var length: MediaDuration { written.length }
  /// Frames of all video tracks that are re-encoded.
  public var encodedFrames: Int { pictures.reduce(0) { $0 + $1.encoded } }
  /// Frames of all video tracks in the output, copied and re-encoded.
  public var frames: Int { pictures.reduce(0) { $0 + $1.packets } }
  private var pictures: [TrackPlan] { tracks.filter { $0.kind == .video && !$0.isCover } }
  /// Covers that are kept: their indices among the tracks of a probe.
  public var covers: [Int] { tracks.filter { $0.isCover && $0.dropped == nil }.map(\.index) }
  /// Bytes that are copied as they are.
  public var copiedBytes: Int64 { tracks.reduce(0) { $0 + $1.copiedBytes } }
  /// The approximate file size: copied bytes plus what encoders usually produce for the rest.
  public var estimatedBytes: Int64 {
    tracks.reduce(0) { $0 + $1.copiedBytes + $1.estimatedBytes }
  }
}
