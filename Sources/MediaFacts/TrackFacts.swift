public import ExactTime

/// Everything known about one track.
public struct TrackFacts: Hashable, Sendable, Codable {
  /// The container's identifier where it has one (`track_ID` of MP4, PID of MPEG-TS), else the
  /// position counted from 1.
  public var id: Int
  /// The position in the file, from 0.
  public var index: Int
  /// What the samples are: video, audio, subtitles or something else.
  public var kind: TrackKind
  /// FFmpeg's short codec name (`h264`, `aac`), or the four characters of an unknown one.
  public var codec: Codec
  /// The sample entry type or codec tag as stored (`avc1`, `hev1`, `mp4a`), where the container has
  /// one.
  public var codecTag: String?
  /// The coding profile, as FFmpeg names it (`High`, `Main 10`, `LC`); `nil` when not known.
  public var profile: String?
  /// The coding level as the standard writes it (`4.0`); `nil` when not known or the codec has
  /// none.
  public var level: String?
  /// The language as stored in the file: ISO 639-2/T (`eng`) or BCP 47 (`en-US`); `nil` when
  /// unstated.
  public var language: String?
  /// The track's own name; `nil` where the container gives none.
  public var title: String?
  /// The dispositions `default`, `forced`, `attached_pic`, …: sorted, as FFmpeg names them.
  public var dispositions: [String]
  /// The track's metadata, except what has a property here, such as the language.
  public var tags: [Tag]
  /// True when the samples are encrypted: such a track is listed, never decoded.
  public var isEncrypted: Bool
  /// The tick grid of the track's timestamps.
  public var grid: TickGrid?
  /// The track's five durations; the presented one covers what this track alone shows or plays.
  public var durations: Durations
  /// Number of coded samples (packets); `nil` when not counted.
  public var sampleCount: Int?
  /// Number of video frames that are presented; `nil` for audio or when not counted.
  public var frameCount: Int?
  /// Bits per second: the samples' bytes over the presented length, or what the stream states;
  /// `nil` when neither is known.
  public var bitRate: Int64?
  /// Video properties, also of cover art; `nil` for other tracks.
  public var video: VideoFacts?
  /// Audio properties; `nil` for other tracks.
  public var audio: AudioFacts?
  /// The edit list as stored, in order (ISO/IEC 14496-12, 8.6.6); empty when there is none.
  public var edits: [EditFacts]
  /// Start timecode, such as `01:00:00:00`, of a timecode track or tag.
  public var timecode: String?
  /// Frames per second of that timecode, where it states its own rate.
  public var timecodeRate: Rational?
  /// When its first label begins on the file's timeline, where it has its own position there.
  public var timecodeStart: MediaTime?
  /// Later resets of the timecode, in order; empty where it counts on to the end.
  public var laterTimecodes: [LaterTimecode]
  /// Keyframes in presentation order; empty when not asked for or not known.
  public var keyframes: [KeyframeFacts]
  /// Every frame that is shown, in presentation order; empty when not asked for or not known.
  public var shownFrames: [ShownFrame]
  /// Statistics of the groups of pictures; `nil` for audio or when not known.
  public var gops: GOPFacts?

  /// Creates a track about which nothing else is known; `id` is the container's, `index` counts
  /// from 0.
  public init(id: Int, index: Int, kind: TrackKind, codec: Codec) {
    self.id = id
    self.index = index
    self.kind = kind
    self.codec = codec
    dispositions = []
    tags = []
    isEncrypted = false
    durations = Durations()
    edits = []
    laterTimecodes = []
    keyframes = []
    shownFrames = []
  }

  /// True for a still picture attached to an audio file: it has no timing of its own.
  public var isCoverArt: Bool { dispositions.contains("attached_pic") }

  /// True for tracks that count toward the file's presented range: audio and video, not cover art.
  public var isPresented: Bool { (kind == .video || kind == .audio) && !isCoverArt }
}

/// A point at which a timecode is reset.
public struct LaterTimecode: Hashable, Sendable, Codable {
  /// The label that begins there, such as `01:00:00:00`.
  public var timecode: String
  /// When that label begins, on the file's timeline.
  public var start: MediaTime

  /// Creates a point at which a label begins.
  public init(timecode: String, start: MediaTime) {
    self.timecode = timecode
    self.start = start
  }
}

/// One frame as a player shows it.
public struct ShownFrame: Hashable, Sendable, Codable {
  /// On the file's timeline.
  public var time: MediaTime
  /// How long it is shown: until the next frame, or until the track ends.
  public var duration: MediaDuration

  /// Creates a frame; `time` in seconds on the file's timeline.
  public init(time: MediaTime, duration: MediaDuration) {
    self.time = time
    self.duration = duration
  }
}

/// What the samples of a track contain; `timecode` is QuickTime's `tmcd`, `attachment` a file such
/// as a font, `data` everything else.
public enum TrackKind: String, Hashable, Sendable, Codable, CaseIterable {
  case video, audio, subtitle, timecode, data, attachment
}

/// What is known about one video track.
public struct VideoFacts: Hashable, Sendable, Codable {
  /// Width in pixels, after bitstream cropping and before aspect ratio and rotation.
  public var width: Int
  /// Height in pixels, after bitstream cropping and before aspect ratio and rotation.
  public var height: Int
  /// The width of a pixel divided by its height; `nil` when not stated.
  public var sampleAspectRatio: Rational?
  /// Clockwise rotation in degrees that a player applies: 0, 90, 180 or 270, or another angle
  /// rounded to a whole degree.
  public var rotation: Int
  /// True where the display matrix also mirrors.
  public var isMirrored: Bool
  /// The pixel format, as FFmpeg names it (`yuv420p10le`); `nil` when not known.
  public var pixelFormat: String?
  /// Bits per luma sample, such as 8 or 10; `nil` when not known.
  public var bitDepth: Int?
  /// The color primaries, as FFmpeg names them (`bt709`, `bt2020`); `nil` when not stated.
  public var colorPrimaries: String?
  /// The transfer characteristics: `smpte2084` is PQ, `arib-std-b67` is HLG; `nil` when not stated.
  public var colorTransfer: String?
  /// The matrix coefficients, such as `bt2020nc`; `nil` when not stated.
  public var colorMatrix: String?
  /// `tv` (limited range) or `pc` (full range); `nil` when not stated.
  public var colorRange: String?
  /// HDR metadata; `nil` where none is stated.
  public var hdr: HDRFacts?
  /// `progressive`, or for interlaced video the field stored first and the field shown first: `tt`,
  /// `bb`, `tb`, `bt` (`t` top, `b` bottom); `nil` when not stated.
  public var fieldOrder: String?
  /// Frames per second as stated, or from constant spacing; `nil` when unknown.
  public var nominalFrameRate: Rational?
  /// Frames per second from the first frame to the end of the last; `nil` when unknown.
  public var averageFrameRate: Rational?
  /// True when every frame has the same duration, false for VFR, `nil` when not known.
  public var isConstantFrameRate: Bool?

  /// Creates facts with only the size known, in pixels, neither rotated nor mirrored.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
    rotation = 0
    isMirrored = false
  }
}

/// What is known about one audio track.
public struct AudioFacts: Hashable, Sendable, Codable {
  /// Samples per second, never 0; `nil` when not known.
  public var sampleRate: Int?
  /// The number of channels in the decoded output; `nil` when not known.
  public var channels: Int?
  /// FFmpeg's name of the layout: `mono`, `stereo`, `5.1`; `nil` when not known.
  public var channelLayout: String?
  /// The decoder's output sample format, as FFmpeg names it (`fltp`, `s16`); `nil` when not known.
  public var sampleFormat: String?
  /// Decoded samples before the first presented one, which a player drops; `nil` when there are
  /// none or it is not known.
  public var priming: Int?
  /// Decoded samples after the last presented one, which a player drops; `nil` when there are none
  /// or it is not known.
  public var padding: Int?

  /// Creates facts of one audio track; `sampleRate` in samples per second.
  public init(sampleRate: Int? = nil, channels: Int? = nil, channelLayout: String? = nil) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.channelLayout = channelLayout
  }
}

/// One entry of an edit list.
public struct EditFacts: Hashable, Sendable, Codable {
  /// Its duration on the movie's timeline; `nil` for "to the end" (0 in a fragmented file).
  public var length: MediaDuration?
  /// The media time at which it starts; `nil` for an empty edit, which shows nothing.
  public var mediaStart: MediaTime?
  /// Playback rate: 1 in nearly every file, 0 for a dwell, which holds one
  /// frame.
  public var rate: Rational

  /// Creates an entry; the length is in seconds, not in the movie header's ticks.
  public init(length: MediaDuration?, mediaStart: MediaTime?, rate: Rational) {
    self.length = length
    self.mediaStart = mediaStart
    self.rate = rate
  }
}
