public import ExactTime
import MediaFacts

/// What a cut will do, before anything is written: all that it takes to execute, judge, draw and
/// prove it.
///
/// A plain value: it can be stored, sent to another machine and executed there.
public struct CutPlan: Sendable, Hashable, Codable {
  /// What it is a plan for, in the order of the request's sources.
  public var sources: [SourceIdentity]
  /// The container of the output, as its name or the request says.
  public var container: OutputContainer
  /// What was asked for, and how the written file is to be verified.
  public var request: CutRequest
  /// In the order in which they are shown.
  public var parts: [PartPlan]
  /// Where the written file begins and ends on its own timeline: how long it is presented.
  public var written: MediaTimeRange
  /// What becomes of each track of the sources, in all parts.
  public var tracks: [TrackPlan]

  /// Creates a plan from parts that were planned before; nothing is checked here.
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

  /// What was asked for: from the earliest to the latest instant of all parts.
  public var requested: MediaTimeRange {
    let ranges = parts.map(\.requested)
    return ranges.dropFirst().reduce(ranges.first ?? written) { $0.union($1) }
  }

  /// How long the written file is presented.
  public var length: MediaDuration { written.length }
  /// Frames of all video tracks that are re-encoded.
  public var encodedFrames: Int { pictures.reduce(0) { $0 + $1.encoded } }
  /// Frames of all video tracks in the output, copied and re-encoded.
  public var frames: Int { pictures.reduce(0) { $0 + $1.packets } }
  private var pictures: [TrackPlan] { tracks.filter { $0.kind == .video && !$0.isCover } }
  /// Pictures of the cover that go along: their places among the tracks of a probe.
  public var covers: [Int] { tracks.filter { $0.isCover && $0.dropped == nil }.map(\.index) }
  /// Bytes that are copied as they are.
  public var copiedBytes: Int64 { tracks.reduce(0) { $0 + $1.copiedBytes } }
  /// About how large the file will be: what is copied, and what encoders usually make of the rest.
  public var estimatedBytes: Int64 {
    tracks.reduce(0) { $0 + $1.copiedBytes + $1.estimatedBytes }
  }
}
