public import ExactTime

/// What becomes of one part of a source: what an executor follows.
public struct PartPlan: Sendable, Hashable, Codable {
  /// Which of the sources it is a part of.
  public var source: Int
  /// What was asked for.
  public var requested: MediaTimeRange
  /// The requested range with its ends where a cut can be: at a frame that was meant, or at a keyframe.
  public var range: MediaTimeRange
  /// The instant of the source that is the part's zero in the output: IN, or earlier by the offset at
  /// which the container makes video begin.
  public var start: MediaTime
  /// From the part's zero to where the next part would begin.
  public var length: MediaDuration
  /// What becomes of each track that is written, in the order of the output.
  public var tracks: [Track]

  /// What becomes of one track: copied and encoded frames, packets of sound, or what is clipped.
  public struct Track: Sendable, Hashable, Codable {
    /// Its place among the source's tracks.
    public var source: Int
    /// Which frames are copied and which re-encoded; `nil` unless it is a video track.
    public var video: VideoCut?
    /// Which packets of sound are copied; `nil` unless it is an audio track.
    public var audio: AudioCut?
    /// The sound is decoded and encoded; packets are copied otherwise.
    public var encodesSound = false
    /// The codec that the sound is encoded into, by FFmpeg's name; `nil` for its own.
    public var soundCodec: String?
    /// Packets of subtitles, in ascending order.
    public var clipped: [Int] = []
    /// The codec that subtitles become, by FFmpeg's name; `nil` for their own.
    public var textCodec: String?
    /// Where the track begins and ends on the part's timeline.
    public var shown: MediaTimeRange
    /// The same on the source's timeline, before any offset was applied.
    public var heard: MediaTimeRange

    /// Creates the plan of a track of which nothing is copied or encoded yet.
    public init(source: Int, shown: MediaTimeRange, heard: MediaTimeRange) {
      self.source = source
      self.shown = shown
      self.heard = heard
    }
  }
}

extension PartPlan.Track {
  private enum CodingKeys: String, CodingKey {
    case source, video, audio, encodesSound, soundCodec, clipped, textCodec, shown, heard
  }

  /// Reads what ``encode(to:)`` writes; absent members mean nothing encoded and nothing clipped.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    source = try container.decode(Int.self, forKey: .source)
    video = try container.decodeIfPresent(VideoCut.self, forKey: .video)
    audio = try container.decodeIfPresent(AudioCut.self, forKey: .audio)
    encodesSound = try container.decodeIfPresent(Bool.self, forKey: .encodesSound) ?? false
    soundCodec = try container.decodeIfPresent(String.self, forKey: .soundCodec)
    clipped = try container.decodeIfPresent(PlaceRuns.self, forKey: .clipped)?.places ?? []
    textCodec = try container.decodeIfPresent(String.self, forKey: .textCodec)
    shown = try container.decode(MediaTimeRange.self, forKey: .shown)
    heard = try container.decode(MediaTimeRange.self, forKey: .heard)
  }

  /// Writes the plan with packets as runs of places, and leaves out what is empty.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(source, forKey: .source)
    try container.encodeIfPresent(video, forKey: .video)
    try container.encodeIfPresent(audio, forKey: .audio)
    if encodesSound { try container.encode(true, forKey: .encodesSound) }
    try container.encodeIfPresent(soundCodec, forKey: .soundCodec)
    if !clipped.isEmpty { try container.encode(PlaceRuns(clipped), forKey: .clipped) }
    try container.encodeIfPresent(textCodec, forKey: .textCodec)
    try container.encode(shown, forKey: .shown)
    try container.encode(heard, forKey: .heard)
  }
}
