#if FFmpeg
  import ExactTime
  import MediaFacts
  import Trimming

  /// One packet of the output.
  struct OutputPacket {
    enum Payload: Equatable {
      /// As it stands in the source.
      case source(place: Int)
      /// Made here, or changed.
      case made(PayloadSpool.Slot)
    }

    /// Ticks of the source track.
    var pts: Int64
    var dts: Int64
    var duration: Int64
    var isKey: Bool
    var byteCount: Int
    var payload: Payload
    /// The packet of the source whose frame or sound this is.
    var place: Int
    /// Copied with another number in its header, or with what it needs of packets before it: what it
    /// holds is the source's.
    var isRenumbered = false
    /// A picture of the source as it is coded there, whatever numbers its slices now have.
    var isCopiedPicture = false
    /// The alpha channel that was re-encoded with it.
    var madeAlpha: PayloadSpool.Slot?
    /// Silence was put behind what it holds, where the source states that nothing is heard.
    var isFilled = false
  }

  extension OutputPacket {
    /// The packet of the source that it is, if it is one.
    var copied: Int? {
      if case .source(let place) = payload { return place }
      return isCopiedPicture ? place : nil
    }

    /// Its content, of a track of the source.
    func bytes(
      of source: any CutSource, track: Int, _ spool: PayloadSpool
    ) throws(CutError) -> [UInt8] {
      switch payload {
      case .source(let place): try source.bytes(ofTrack: track, place)
      case .made(let slot): try spool.bytes(at: slot)
      }
    }

    /// The alpha channel beside it; `nil` where there is none.
    func alpha(
      of source: any CutSource, track: Int, _ spool: PayloadSpool
    ) throws(CutError) -> [UInt8]? {
      if let copied { return try source.alpha(ofTrack: track, copied) }
      guard let madeAlpha else { return nil }
      return try spool.bytes(at: madeAlpha)
    }
  }

  /// One track of the output: its packets in decode order, on the source track's ticks.
  struct OutputTrack {
    /// Its place among the source's tracks.
    var source: Int
    var packets: ContiguousArray<OutputPacket> = []
    /// In place of the source's codec configuration, where it differs.
    var configuration: [UInt8]?
    var video: VideoCut?
    var audio: AudioCut?
    /// The tick of the source that is the output's zero; between two ticks where IN is.
    var zero: Rational
    /// What its ticks are.
    var grid: TickGrid
    /// Sound that was re-encoded.
    var made: MadeSound?
    /// Subtitles that were converted.
    var text: MadeText?
    /// The first tick that is shown; `nil` where that is the first packet's.
    var firstShown: Int64?
    /// Where it begins and ends on the output's timeline.
    var shown: MediaTimeRange
    /// Parameter sets stand in its samples, since one takes the place of another.
    var keepsSets = false
    /// The sound of each part, where several stand one behind the other; empty for a plain cut.
    var sounds: [Sound] = []

    /// Pictures or sound, and not what is shown or told beside them.
    var isMedia: Bool { video != nil || audio != nil }

    /// What its packets are coded in.
    func codec(in source: any CutSource) -> String {
      made?.codec ?? text?.codec ?? source.tracks[self.source].facts.codec
    }

    struct Sound {
      /// The part's first packet.
      var first: Int
      /// Ticks of it that are decoded and not heard.
      var hiddenStart: Int64
      /// When it is heard on the output's timeline.
      var shown: MediaTimeRange
    }
  }
#endif
