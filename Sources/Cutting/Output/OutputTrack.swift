import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// One packet of the output.
struct OutputPacket {
  enum Payload: Equatable {
    /// As it is in the source.
    case source(place: Int)
    /// Encoded here, or changed.
    case made(PayloadSpool.Slot)
  }

  /// Ticks of the source track.
  var pts: Int64
  var dts: Int64
  var duration: Int64
  var isKey: Bool
  var byteCount: Int
  var payload: Payload
  /// The source packet whose frame or audio this is.
  var place: Int
  /// Copied with a changed number in its header, or with data it needs from earlier packets: its
  /// content is the source's.
  var isRenumbered = false
  /// A source picture copied as coded, even if its slice numbers changed.
  var isCopiedPicture = false
  /// The re-encoded alpha channel.
  var madeAlpha: PayloadSpool.Slot?
  /// Of the frame that was encoded here.
  var means: LumaMeans?
  /// Silence was appended to its content, to fill a gap that the source states.
  var isFilled = false
  /// Why a re-encoded packet does not show the source's frame as it was meant to be.
  var fault: CutDamage.Kind?
}

extension OutputPacket {
  /// The source packet that it is a copy of, if any.
  var copied: Int? {
    if case .source(let place) = payload { return place }
    return isCopiedPicture ? place : nil
  }

  /// Its content.
  func bytes(
    of source: any CutSource, track: Int, _ spool: PayloadSpool
  ) throws(MediaError) -> [UInt8] {
    switch payload {
    case .source(let place): try source.bytes(ofTrack: track, place)
    case .made(let slot): try spool.bytes(at: slot)
    }
  }

  /// Its alpha channel; `nil` if it has none.
  func alpha(
    of source: any CutSource, track: Int, _ spool: PayloadSpool
  ) throws(MediaError) -> [UInt8]? {
    if let copied { return try source.alpha(ofTrack: track, copied) }
    guard let madeAlpha else { return nil }
    return try spool.bytes(at: madeAlpha)
  }
}

/// One track of the output: its packets in decode order, on the source track's ticks.
struct OutputTrack {
  /// Its index among the source's tracks.
  var source: Int
  var packets: ContiguousArray<OutputPacket> = []
  /// Replaces the source's codec configuration, where it differs.
  var configuration: [UInt8]?
  var video: VideoCut?
  var audio: AudioCut?
  /// The source tick that is the output's zero; fractional if IN falls between two ticks.
  var zero: Rational
  /// The time grid of its ticks.
  var grid: TickGrid
  /// Re-encoded audio.
  var made: MadeAudio?
  /// Subtitles that were converted.
  var text: MadeText?
  /// The first tick that is shown; `nil` where that is the first packet's.
  var firstShown: Int64?
  /// Where it begins and ends on the output's timeline.
  var shown: MediaTimeRange
  /// Parameter sets are in its samples, since later sets replace earlier ones.
  var keepsSets = false
  /// Captions in the pictures of the source have no place in its codec.
  var losesCaptions = false
  /// The audio, or timed metadata, of each part, if several are concatenated; empty for a plain
  /// cut.
  var sounds: [Sound] = []

  /// Whether it is video or audio, rather than data presented with them.
  var isMedia: Bool { video != nil || audio != nil }

  /// Whether its samples are longer than they are shown: those of timed metadata keep their
  /// durations.
  var keepsLengths: Bool { !isMedia && firstShown != nil }

  /// The codec of its packets.
  func codec(in source: any CutSource) -> Codec {
    made?.codec ?? text?.codec ?? source.tracks[self.source].facts.codec
  }

  struct Sound {
    /// The part's first packet.
    var first: Int
    /// Ticks at its start that are decoded but not heard.
    var hiddenStart: Int64
    /// When it is heard on the output's timeline.
    var shown: MediaTimeRange
  }
}
