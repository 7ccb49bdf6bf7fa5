public import ExactTime
public import MediaFacts

/// How one part of a source is cut: the instructions for an executor.
public struct PartPlan: Sendable, Hashable, Codable {
  /// The index of its source.
  public var source: Int
  /// The requested range.
  public var requested: MediaTimeRange
  /// The requested range with its ends moved to possible cut points: the intended frame, or a keyframe.
  public var range: MediaTimeRange
  /// The source time that becomes the part's zero in the output: IN, or earlier by the offset at which video
  /// begins in the container.
  public var start: MediaTime
  /// From the part's zero to where the next part would begin.
  public var length: MediaDuration
  /// The plan of each written track, in output order.
  public var tracks: [Track]

  /// How one track is cut: copied and encoded frames, audio packets, or clipped packets.
  public struct Track: Sendable, Hashable, Codable {
    /// Its index among the source's tracks.
    public var source: Int
    /// Which frames are copied and which re-encoded; `nil` unless it is a video track.
    public var video: VideoCut?
    /// How pictures that are re-encoded for it differ from those of the leading source.
    public var difference: String?
    /// Which audio packets are copied; `nil` unless it is an audio track.
    public var audio: AudioCut?
    /// The audio is decoded and re-encoded; otherwise packets are copied.
    public var encodesSound = false
    /// The codec for the re-encoded audio, by FFmpeg's name; `nil` for the source's codec.
    public var soundCodec: Codec?
    /// Packets of subtitles, in ascending order.
    public var clipped: [Int] = []
    /// The codec that subtitles are converted to, by FFmpeg's name; `nil` for the source's codec.
    public var textCodec: Codec?
    /// Where the track begins and ends on the part's timeline.
    public var outputRange: MediaTimeRange
    /// The same on the source's timeline, before any offset was applied.
    public var sourceRange: MediaTimeRange

    /// Creates the plan of a track with nothing copied or encoded yet.
    public init(source: Int, outputRange: MediaTimeRange, sourceRange: MediaTimeRange) {
      self.source = source
      self.outputRange = outputRange
      self.sourceRange = sourceRange
    }
  }
}

extension PartPlan.Track {
  private enum CodingKeys: String, CodingKey {
    case source, video, difference, audio, encodesSound, soundCodec, clipped, textCodec
    case outputRange = "shown"
    case sourceRange = "heard"
  }

  /// Reads what ``encode(to:)`` writes; absent members mean nothing encoded and nothing clipped.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    source = try container.decode(Int.self, forKey: .source)
    video = try container.decodeIfPresent(VideoCut.self, forKey: .video)
    difference = try container.decodeIfPresent(String.self, forKey: .difference)
    audio = try container.decodeIfPresent(AudioCut.self, forKey: .audio)
    encodesSound = try container.decodeIfPresent(Bool.self, forKey: .encodesSound) ?? false
    soundCodec = try container.decodeIfPresent(Codec.self, forKey: .soundCodec)
    clipped = try container.decodeIfPresent(PlaceRuns.self, forKey: .clipped)?.places ?? []
    textCodec = try container.decodeIfPresent(Codec.self, forKey: .textCodec)
    outputRange = try container.decode(MediaTimeRange.self, forKey: .outputRange)
    sourceRange = try container.decode(MediaTimeRange.self, forKey: .sourceRange)
  }

  /// Writes the plan with packets as runs of indices, and omits empty members.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(source, forKey: .source)
    try container.encodeIfPresent(video, forKey: .video)
    try container.encodeIfPresent(difference, forKey: .difference)
    try container.encodeIfPresent(audio, forKey: .audio)
    if encodesSound { try container.encode(true, forKey: .encodesSound) }
    try container.encodeIfPresent(soundCodec, forKey: .soundCodec)
    if !clipped.isEmpty { try container.encode(PlaceRuns(clipped), forKey: .clipped) }
    try container.encodeIfPresent(textCodec, forKey: .textCodec)
    try container.encode(outputRange, forKey: .outputRange)
    try container.encode(sourceRange, forKey: .sourceRange)
  }
}

extension PartPlan {
  /// The same part with all but the times of its tracks moved.
  func moved(back distance: MediaDuration) throws(ExactTimeError) -> PartPlan {
    var part = self
    part.requested = try requested.moved(back: distance)
    part.range = try range.moved(back: distance)
    part.start = try start.moved(back: distance)
    return part
  }
}

extension MediaTimeRange {
  fileprivate func moved(back distance: MediaDuration) throws(ExactTimeError) -> MediaTimeRange {
    try MediaTimeRange(from: start.moved(back: distance), length: checkedLength())
  }
}
