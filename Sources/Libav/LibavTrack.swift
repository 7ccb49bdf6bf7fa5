package import ExactTime
package import MediaFacts

/// One stream as FFmpeg describes it, copied: nothing in it points into FFmpeg's memory.
package struct LibavTrack: Sendable {
  package enum Kind: Sendable, Hashable { case video, audio, subtitle, data, attachment }

  package var index: Int
  package var id: Int
  package var kind: Kind
  package var codec: Codec
  package var codecTag: UInt32
  /// True when a decoder of the allow-list is in this build.
  package var isDecodable = false
  package var profile: String?
  package var level: Int?
  package var bitRate: Int64?
  package var grid: TickGrid?
  package var startTick: Int64?
  package var durationTicks: Int64?
  package var frameCount: Int64?
  package var dispositions: [String] = []
  package var tags: [(key: String, value: String)] = []
  package var extradata: [UInt8] = []
  /// The full size of the extradata in bytes: the kept copy is bounded.
  package var extradataByteCount = 0
  /// The size of the cover picture, which is not a timed packet; zero for all other streams.
  package var coverByteCount = 0
  package var isEncrypted = false

  /// The size stated by the container, before any picture was read; `nil` where it states none.
  package var statedSize: (width: Int, height: Int)?
  package var width = 0
  package var height = 0
  package var sampleAspectRatio: Rational?
  package var pixelFormat: String?
  package var bitDepth: Int?
  package var colorPrimaries: String?
  package var colorTransfer: String?
  package var colorMatrix: String?
  package var colorRange: String?
  package var fieldOrder: String?
  package var reorderedFrames = 0
  package var realFrameRate: Rational?
  package var averageFrameRate: Rational?
  /// Clockwise degrees, 0 up to 359.
  package var rotation = 0
  package var isMirrored = false

  /// Ten fractions of the mastering display: x and y of red, green, blue and white, then minimum
  /// and maximum luminance; empty where the container states none.
  package var masteringDisplay: [Rational?] = []
  package var contentLight: (maximum: Int, average: Int)?
  /// The fields of the Dolby Vision configuration, a byte each; empty without one.
  package var dolbyVision: [UInt8] = []

  package var sampleRate: Int?
  package var channels: Int?
  package var channelLayout: String?
  package var sampleFormat: String?
  package var initialPadding = 0
  package var trailingPadding = 0
  package var frameSize = 0
  /// The size in bytes of a block, all channels together, in codecs with fixed-size blocks; else
  /// zero.
  package var blockByteCount = 0

  package var isCoverArt: Bool { dispositions.contains("attached_pic") }
}

/// A chapter as FFmpeg describes it.
package struct LibavChapter: Sendable {
  package var start: MediaTime?
  package var end: MediaTime?
  package var title: String?
}
