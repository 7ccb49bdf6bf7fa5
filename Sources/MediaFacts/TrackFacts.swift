public import ExactTime

/// Everything that is known of one track.
public struct TrackFacts: Hashable, Sendable, Codable {
  /// The container's own identifier where it has one (`track_ID` of MP4, PID of MPEG-TS), else the
  /// position counted from 1.
  public var id: Int
  /// The position in the file, from 0.
  public var index: Int
  /// What the samples are: video, sound, text or something else.
  public var kind: TrackKind
  /// FFmpeg's short codec name (`h264`, `aac`), or the four characters of an unknown one.
  public var codec: String
  /// The sample entry or tag as stored (`avc1`, `hev1`, `mp4a`), where the container has one.
  public var codecTag: String?
  /// The coding profile, as FFmpeg names it (`High`, `Main 10`, `LC`); `nil` when not known.
  public var profile: String?
  /// The coding level as the standard writes it (`4.0`); `nil` when not known or the codec has
  /// none.
  public var level: String?
  /// The language as the file holds it: ISO 639-2/T (`eng`) or BCP 47 (`en-US`); `nil` when
  /// unstated.
  public var language: String?
  /// The track's own name; `nil` where the container gives none.
  public var title: String?
  /// `default`, `forced`, `attached_pic`, …: sorted, as FFmpeg names them.
  public var dispositions: [String]
  /// The track's own metadata, without what has a property here, such as the language.
  public var tags: [Tag]
  /// True when the samples are encrypted: such a track is listed, never decoded.
  public var isEncrypted: Bool
  /// The grid of the track's own time stamps.
  public var grid: TickGrid?
  /// The track's five durations; the presented one is what the track alone shows or plays.
  public var durations: Durations
  /// Number of coded samples (packets); `nil` when not counted.
  public var sampleCount: Int?
  /// Number of video frames that are presented; `nil` for sound or when not counted.
  public var frameCount: Int?
  /// Bits per second: the samples' bytes over the presented length, or what the stream states;
  /// `nil` when neither is known.
  public var bitRate: Int64?
  /// What only video has, cover art included; `nil` for other tracks.
  public var video: VideoFacts?
  /// What only sound has; `nil` for other tracks.
  public var audio: AudioFacts?
  /// The edit list as stored, in order (ISO/IEC 14496-12, 8.6.6); empty when there is none.
  public var edits: [EditFacts]
  /// Start timecode, such as `01:00:00:00`, of a timecode track or tag.
  public var timecode: String?
  /// How many frames of that timecode there are a second, where it states a rate of its own.
  public var timecodeRate: Rational?
  /// When its first label begins, on the file's timeline, where it has a place of its own there.
  public var timecodeStart: MediaTime?
  /// Where it is reset after that, in order; empty where it runs on to the end.
  public var laterTimecodes: [LaterTimecode]
  /// Keyframes in presentation order; empty when not asked for or not known.
  public var keyframes: [KeyframeFacts]
  /// Every frame that is shown, in presentation order; empty when not asked for or not known.
  public var shownFrames: [ShownFrame]
  /// Statistics of the groups of pictures; `nil` for sound or when not known.
  public var gops: GOPFacts?

  /// Creates a track of which nothing else is known; `id` is the container's, `index` counts from
  /// 0.
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
    laterTimecodes = []
    keyframes = []
    shownFrames = []
  }

  /// True for a still picture attached to sound: it has no time of its own.
  public var isCoverArt: Bool { dispositions.contains("attached_pic") }

  /// True for the tracks whose union is the file's presented range: sound and video, not cover art.
  public var isPresented: Bool { (kind == .video || kind == .audio) && !isCoverArt }
}

/// An instant at which a timecode is reset.
public struct LaterTimecode: Hashable, Sendable, Codable {
  /// The label from there on, such as `01:00:00:00`.
  public var timecode: String
  /// When that label begins, on the file's timeline.
  public var start: MediaTime

  /// Creates an instant at which a label begins.
  public init(timecode: String, start: MediaTime) {
    self.timecode = timecode
    self.start = start
  }
}

/// One frame as a player shows it.
public struct ShownFrame: Hashable, Sendable, Codable {
  /// On the file's timeline.
  public var time: MediaTime
  /// Until the next frame, or until the track ends.
  public var duration: MediaDuration

  /// Creates a frame; `time` in seconds on the file's timeline.
  public init(time: MediaTime, duration: MediaDuration) {
    self.time = time
    self.duration = duration
  }
}

/// What the samples of a track hold; `timecode` is QuickTime's `tmcd`, `attachment` a file such as
/// a font, `data` everything that no other kind names.
public enum TrackKind: String, Hashable, Sendable, Codable, CaseIterable {
  case video, audio, subtitle, timecode, data, attachment
}

/// What is known of the frames of one video track.
public struct VideoFacts: Hashable, Sendable, Codable {
  /// Width in pixels, after the coded cropping and before aspect ratio and rotation.
  public var width: Int
  /// Height in pixels, after the coded cropping and before aspect ratio and rotation.
  public var height: Int
  /// Width of a pixel over its height; `nil` when not stated.
  public var sampleAspectRatio: Rational?
  /// Clockwise degrees by which a player turns the frame: 0, 90, 180 or 270, or another angle
  /// rounded to a whole degree.
  public var rotation: Int
  /// True where the display matrix also mirrors.
  public var isMirrored: Bool
  /// The layout of samples in memory, as FFmpeg names it (`yuv420p10le`); `nil` when not known.
  public var pixelFormat: String?
  /// Bits of one luma sample, such as 8 or 10; `nil` when not known.
  public var bitDepth: Int?
  /// The colour primaries, as FFmpeg names them (`bt709`, `bt2020`); `nil` when not stated.
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
  /// Frames per second as stated, or as the constant spacing gives; `nil` when unknown.
  public var nominalFrameRate: Rational?
  /// Frames per second from the first frame to the end of the last; `nil` when unknown.
  public var averageFrameRate: Rational?
  /// True when every frame is shown for the same time, false for VFR, `nil` when not known.
  public var isConstantFrameRate: Bool?

  /// Creates facts of which only the size is known, in pixels, neither rotated nor mirrored.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
    rotation = 0
    isMirrored = false
  }
}

/// What is known of the sound of one track.
public struct AudioFacts: Hashable, Sendable, Codable {
  /// Samples per second, never 0; `nil` when not known.
  public var sampleRate: Int?
  /// How many channels a decoder yields; `nil` when not known.
  public var channels: Int?
  /// FFmpeg's name of the layout: `mono`, `stereo`, `5.1`; `nil` when not known.
  public var channelLayout: String?
  /// How a decoder stores one sample, as FFmpeg names it (`fltp`, `s16`); `nil` when not known.
  public var sampleFormat: String?
  /// Samples before the first presented one that a decoder yields and a player drops; `nil` when
  /// there are none or it is not known.
  public var priming: Int?
  /// Samples after the last presented one that a player drops; `nil` when there are none or it is
  /// not known.
  public var padding: Int?

  /// Creates facts of one sound track; `sampleRate` in samples per second.
  public init(sampleRate: Int? = nil, channels: Int? = nil, channelLayout: String? = nil) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.channelLayout = channelLayout
  }
}

/// One entry of an edit list.
public struct EditFacts: Hashable, Sendable, Codable {
  /// How long it lasts on the movie's timeline; `nil` for "to the end" (0 in a fragmented file).
  public var length: MediaDuration?
  /// Where in the track it starts; `nil` for an empty edit, which shows nothing.
  public var mediaStart: MediaTime?
  /// Playback rate: 1 in nearly every file, 0 for a dwell, which holds one frame.
  public var rate: Rational

  /// Creates an entry; the length is in seconds, not in the movie header's ticks.
  public init(length: MediaDuration?, mediaStart: MediaTime?, rate: Rational) {
    self.length = length
    self.mediaStart = mediaStart
    self.rate = rate
  }
}
