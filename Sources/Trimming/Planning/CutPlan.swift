public import ExactTime
public import MediaFacts

/// What a cut will do, track by track, before anything is written.
public struct CutPlan: Sendable, Hashable {
  /// What was asked for, counted from the film's first presented sample; from the earliest to the
  /// latest instant of several parts.
  public var requested: MediaTimeRange
  /// The parts that were asked for, in the order in which they are shown.
  public var parts: [MediaTimeRange]
  /// Where the written film begins and ends on its own timeline: how long it is presented.
  public var written: MediaTimeRange
  public var tracks: [TrackPlan]

  public init(
    requested: MediaTimeRange, parts: [MediaTimeRange], written: MediaTimeRange,
    tracks: [TrackPlan]
  ) {
    self.requested = requested
    self.parts = parts
    self.written = written
    self.tracks = tracks
  }

  public var length: MediaDuration { written.length }
  /// Frames of all video tracks that lose quality.
  public var encodedFrames: Int {
    tracks.filter { $0.kind == .video }.reduce(0) { $0 + $1.encoded }
  }
  public var frames: Int { tracks.filter { $0.kind == .video }.reduce(0) { $0 + $1.packets } }
  /// Bytes that are copied as they are.
  public var copiedBytes: Int64 { tracks.reduce(0) { $0 + $1.copiedBytes } }
}

/// What becomes of one track.
public struct TrackPlan: Sendable, Hashable {
  /// The position in the source, from 0.
  public var index: Int
  public var id: Int
  public var kind: TrackKind
  public var codec: String
  /// Packets in the output; frames, for pictures.
  public var packets = 0
  /// Those of them that are coded anew.
  public var encoded = 0
  /// Coded anew before and behind the copied run.
  public var encodedHead = 0
  public var encodedTail = 0
  public var copiedBytes: Int64 = 0
  /// Frames in the file that an edit list hides.
  public var hidden = 0
  /// The exact instants of the source at which its first frame or sample is shown and its last one
  /// ends; `nil` for a track that is not written.
  public var source: MediaTimeRange?
  /// How much later than its pictures sound is heard, where the container cannot say it exactly.
  public var offset: MediaDuration?
  /// Stable words, such as `no_random_access_point`; empty where all went as it should.
  public var reasons: [String] = []
  /// Why it is not in the output; `nil` when it is.
  public var dropped: String?

  public init(index: Int, id: Int, kind: TrackKind, codec: String) {
    self.index = index
    self.id = id
    self.kind = kind
    self.codec = codec
  }
}
