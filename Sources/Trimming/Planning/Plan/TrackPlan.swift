public import ExactTime
public import MediaFacts

/// What happens to one track, in figures and segments.
public struct TrackPlan: Sendable, Hashable, Codable {
  /// The position in the source, from 0.
  public var index: Int
  /// The container's identifier of the track, or its position counted from 1.
  public var id: Int
  /// The kind of samples: video, audio or something that is clipped.
  public var kind: TrackKind
  /// FFmpeg's short name of the codec in the source.
  public var codec: Codec
  /// True for cover art, which is kept with any part of a file; it has one packet and no times.
  public var isCover: Bool {
    get { cover == true }
    set { cover = newValue ? true : nil }
  }
  /// Absent from older plans.
  private var cover: Bool?
  /// Packets in the output; frames for video, and source packets for converted text.
  public var packets = 0
  /// The number of those that are re-encoded.
  public var encoded = 0
  /// The codec they are converted to, by FFmpeg's name, where it differs.
  public var encodedAs: Codec?
  /// Frames re-encoded before the copied run.
  public var encodedHead = 0
  /// Frames re-encoded after the copied run; all of them where nothing is copied.
  public var encodedTail = 0
  /// Bytes of the packets that are copied unchanged.
  public var copiedBytes: Int64 = 0
  /// The approximate size of the re-encoded rest, in bytes.
  public var estimatedBytes: Int64 = 0
  /// Frames in the file that an edit list hides.
  public var hidden = 0
  /// Audio in the file that lies outside the range: decoded, but not heard.
  public var hiddenLength = MediaDuration.zero
  /// The instant of the source from which on copied HE-AAC has its upper band; `nil` where that is at its first
  /// packet, or where no header has been found.
  ///
  /// It is later where no earlier packet of the output has the header that a decoder needs for it (ISO
  /// 14496-3, 4.4.2.8).
  public var fullBandFrom: MediaTime?
  /// The number of source GOPs with re-encoded frames.
  public var touchedGroups = 0
  /// The exact instants of the source at which its first frame or sample is shown and its last one
  /// ends; `nil` for a track that is not written.
  public var source: MediaTimeRange?
  /// How much later the audio plays relative to the video than in the source, negative for earlier;
  /// `nil` where the container keeps them exactly in sync.
  public var offset: MediaDuration?
  /// Its segments, in the order in which they are shown: without a gap, from where the track begins in
  /// a part to where it ends.
  public var segments: [Segment] = []
  /// Why something is not copied or not exact; empty where nothing deviates.
  public var reasons: [Reason] = []
  /// Why the track is not in the output; `nil` when it is.
  public var dropped: String?

  /// What ``dropped`` says of a track that the request leaves out.
  public static let notSelected = "it was not selected"

  /// Creates the plan of a track with nothing written yet.
  public init(index: Int, id: Int, kind: TrackKind, codec: Codec) {
    self.index = index
    self.id = id
    self.kind = kind
    self.codec = codec
  }

  /// A section of a track whose frames or packets are all treated alike.
  public struct Segment: Sendable, Hashable, Codable {
    /// How the frames or packets of a segment are treated.
    public enum Treatment: String, Sendable, Hashable, Codable, CaseIterable {
      /// Copied as it is, or decoded and re-encoded.
      case copied, encoded
      /// In the file, but not shown.
      case hidden
    }

    /// How all of its frames or packets are treated.
    public var treatment: Treatment
    /// The part it belongs to, from 0.
    public var part: Int
    /// Its range on the source's timeline.
    public var source: MediaTimeRange
    /// The number of frames or packets; one that lies in two segments counts for the first.
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
  /// Merged with the plan of the same track in a later part.
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
    result.fullBandFrom = fullBandFrom ?? other.fullBandFrom
    result.touchedGroups += other.touchedGroups
    if let more = other.source { result.source = result.source?.union(more) ?? more }
    result.segments += other.segments
    result.reasons += other.reasons.filter { !reasons.contains($0) }
    return result
  }
}
