public import ExactTime

/// Everything that is known of one track.
public struct TrackFacts: Hashable, Sendable, Codable {
  /// The container's own identifier where it has one (MP4 track_ID, Matroska TrackNumber, TS PID),
  /// else the position counted from 1.
  public var id: Int
  /// The position in the file, from 0.
  public var index: Int
  public var kind: TrackKind
  /// FFmpeg's short codec name (`h264`, `aac`), or the four characters of an unknown one.
  public var codec: String
  /// The sample entry or tag as stored (`avc1`, `hev1`, `mp4a`), where the container has one.
  public var codecTag: String?
  public var profile: String?
  public var level: String?
  public var language: String?
  public var title: String?
  /// `default`, `forced`, `attached_pic`, …: sorted, as FFmpeg names them.
  public var dispositions: [String]
  public var tags: [Tag]
  /// True when the samples are encrypted: named, never decoded.
  public var isEncrypted: Bool
  /// The grid of the track's own time stamps.
  public var grid: TickGrid?
  public var durations: Durations
  /// Number of coded samples (packets); `nil` when not counted.
  public var sampleCount: Int?
  /// Number of frames that are presented (pictures) ; `nil` for sound or when not counted.
  public var frameCount: Int?
  public var bitRate: Int64?
  public var video: VideoFacts?
  public var audio: AudioFacts?
  /// The edit list as stored, in order (ISO 14496-12, 8.6.6); empty when there is none.
  public var edits: [EditFacts]
  /// Start timecode, such as `01:00:00:00`, of a timecode track or tag.
  public var timecode: String?
  /// Keyframes in presentation order; empty when not asked for or not known.
  public var keyframes: [KeyframeFacts]
  /// Every frame that is shown, in presentation order; empty when not asked for or not known.
  public var shownFrames: [ShownFrame]
  /// Statistics of the groups of pictures; `nil` for sound or when not known.
  public var gops: GOPFacts?

  public init(id: Int, index: Int, kind: TrackKind, codec: String) {
    self.id = id
    self.index = index
    self.kind = kind
    self.codec = codec
    dispositions = []
    tags = []
    isEncrypted = false
    durations = Durations()
    edits = []
    keyframes = []
    shownFrames = []
  }

  /// True for a still picture attached to sound: it has no time of its own.
  public var isCoverArt: Bool { dispositions.contains("attached_pic") }

  /// True for the tracks whose union is the file's presented range: sound and moving pictures.
  public var isPresented: Bool { (kind == .video || kind == .audio) && !isCoverArt }
}

/// One frame as a player shows it.
public struct ShownFrame: Hashable, Sendable, Codable {
  /// On the file's timeline.
  public var time: MediaTime
  /// Until the next frame, or until the track ends.
  public var duration: MediaDuration

  public init(time: MediaTime, duration: MediaDuration) {
    self.time = time
    self.duration = duration
  }
}

public enum TrackKind: String, Hashable, Sendable, Codable, CaseIterable {
  case video, audio, subtitle, timecode, data, attachment
}

public struct VideoFacts: Hashable, Sendable, Codable {
  /// Coded size in pixels, before aspect ratio and rotation.
  public var width: Int
  public var height: Int
  /// Width of a pixel over its height; `nil` when not stated.
  public var sampleAspectRatio: Rational?
  /// Clockwise degrees a player turns the picture by: 0, 90, 180 or 270, or another angle rounded.
  public var rotation: Int
  /// True where the display matrix also mirrors.
  public var isMirrored: Bool
  public var pixelFormat: String?
  public var bitDepth: Int?
  /// `bt709`, `bt2020`, …: FFmpeg's names; `nil` when not stated.
  public var colorPrimaries: String?
  public var colorTransfer: String?
  public var colorMatrix: String?
  /// `tv` (limited) or `pc` (full).
  public var colorRange: String?
  /// What is stated of the picture's light; `nil` where nothing is.
  public var hdr: HDRFacts?
  /// `progressive`, `tt`, `bb`, `tb`, `bt`; `nil` when not stated.
  public var fieldOrder: String?
  /// Frames a second as stated or as the constant spacing gives; `nil` when unknown.
  public var nominalFrameRate: Rational?
  /// Frames over presented length.
  public var averageFrameRate: Rational?
  /// True when every frame is shown for the same time, false for VFR, `nil` when not known.
  public var isConstantFrameRate: Bool?

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
    rotation = 0
    isMirrored = false
  }
}

public struct AudioFacts: Hashable, Sendable, Codable {
  /// Samples a second; zero is never stored, unknown is `nil`.
  public var sampleRate: Int?
  public var channels: Int?
  /// `mono`, `stereo`, `5.1` and so on.
  public var channelLayout: String?
  public var sampleFormat: String?
  /// Samples before the first presented one that a decoder yields and a player drops.
  public var priming: Int?
  /// Samples after the last presented one that a player drops.
  public var padding: Int?

  public init(sampleRate: Int? = nil, channels: Int? = nil, channelLayout: String? = nil) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.channelLayout = channelLayout
  }
}

/// One entry of an edit list.
public struct EditFacts: Hashable, Sendable, Codable {
  /// How long it lasts on the movie's timeline; `nil` for "to the end" (a zero in a fragmented film).
  public var length: MediaDuration?
  /// Where in the track it starts; `nil` for an empty edit, which shows nothing.
  public var mediaStart: MediaTime?
  /// Playback rate; 1 in all sane files, 0 for a dwell.
  public var rate: Rational

  public init(length: MediaDuration?, mediaStart: MediaTime?, rate: Rational) {
    self.length = length
    self.mediaStart = mediaStart
    self.rate = rate
  }
}
