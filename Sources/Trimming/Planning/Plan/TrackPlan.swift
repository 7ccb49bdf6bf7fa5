public import ExactTime
public import MediaFacts

/// What becomes of one track, in figures and segments.
public struct TrackPlan: Sendable, Hashable, Codable {
  /// The position in the source, from 0.
  public var index: Int
  /// The container's own identifier of the track, else its position counted from 1.
  public var id: Int
  /// What the samples are: video, sound or something that is clipped.
  public var kind: TrackKind
  /// FFmpeg's short name of the codec in the source.
  public var codec: String
  /// True for a picture of the cover, which goes with any part of a file; it has one packet, and no times.
  public var isCover: Bool {
    get { cover == true }
    set { cover = newValue ? true : nil }
  }
  /// Absent from plans of before.
  private var cover: Bool?
  /// Packets in the output; for video its frames, and of text that is converted those of the source.
  public var packets = 0
  /// Those of them that are re-encoded.
  public var encoded = 0
  /// What they become, by FFmpeg's name, where that is another codec.
  public var encodedAs: String?
  /// Frames re-encoded before the copied run.
  public var encodedHead = 0
  /// Frames re-encoded after the copied run; all of them where nothing is copied.
  public var encodedTail = 0
  /// Bytes of the packets that are copied as they are.
  public var copiedBytes: Int64 = 0
  /// About what encoders make of the rest.
  public var estimatedBytes: Int64 = 0
  /// Frames in the file that an edit list hides.
  public var hidden = 0
  /// Sound in the file that lies outside the range: decoded, and not heard.
  public var hiddenLength = MediaDuration.zero
  /// GOPs of the source of which frames are re-encoded.
  public var touchedGroups = 0
  /// The exact instants of the source at which its first frame or sample is shown and its last one
  /// ends; `nil` for a track that is not written.
  public var source: MediaTimeRange?
  /// How much later the sound is heard against the video than in the source, negative for earlier;
  /// `nil` where the container keeps them exactly in sync.
  public var offset: MediaDuration?
  /// Its segments, in the order in which they are shown: without a gap, from where the track begins in
  /// a part to where it ends.
  public var segments: [Segment] = []
  /// What is not copied or not exact, and why: stable words, such as `no_random_access_point`; empty
  /// where all is as it should be.
  public var reasons: [String] = []
  /// Why it is not in the output; `nil` when it is.
  public var dropped: String?

  /// Creates the plan of a track of which nothing is written yet.
  public init(index: Int, id: Int, kind: TrackKind, codec: String) {
    self.index = index
    self.id = id
    self.kind = kind
    self.codec = codec
  }

  /// A part of a track all of whose frames or packets are treated alike.
  public struct Segment: Sendable, Hashable, Codable {
    /// What becomes of every frame or packet of a segment.
    public enum Treatment: String, Sendable, Hashable, Codable, CaseIterable {
      /// Copied as it is, or decoded and re-encoded.
      case copied, encoded
      /// In the file, and not shown.
      case hidden
    }

    /// What becomes of all of its frames or packets.
    public var treatment: Treatment
    /// The part it belongs to, from 0.
    public var part: Int
    /// On the source's timeline.
    public var source: MediaTimeRange
    /// How many frames or packets; one that lies in two segments counts for the first.
    public var packets: Int

    /// Creates a segment; the range is on the source's timeline.
    public init(_ treatment: Treatment, part: Int, source: MediaTimeRange, packets: Int) {
      self.treatment = treatment
      self.part = part
      self.source = source
      self.packets = packets
    }
  }

  /// The instants of the source at which re-encoded frames meet copied ones.
  public var seams: [MediaTime] {
    let shown = segments.filter { $0.treatment != .hidden }
    return zip(shown, shown.dropFirst()).compactMap { before, behind in
      before.part == behind.part && before.treatment != behind.treatment
        ? behind.source.start : nil
    }
  }
}

extension TrackPlan {
  /// With what becomes of the same track in a part behind this one.
  func joined(with other: TrackPlan) -> TrackPlan {
    guard dropped == nil else { return other }
    guard other.dropped == nil else { return self }
    var result = self
    result.packets += other.packets
    result.encoded += other.encoded
    result.encodedHead += other.encodedHead
    result.encodedTail += other.encodedTail
    result.copiedBytes += other.copiedBytes
    result.estimatedBytes += other.estimatedBytes
    result.hidden += other.hidden
    result.hiddenLength = (try? hiddenLength.adding(other.hiddenLength)) ?? hiddenLength
    result.touchedGroups += other.touchedGroups
    if let more = other.source { result.source = result.source?.union(more) ?? more }
    result.segments += other.segments
    result.reasons += other.reasons.filter { !reasons.contains($0) }
    return result
  }
}
