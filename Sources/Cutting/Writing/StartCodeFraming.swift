#if FFmpeg
  import Bitstreams
  import MediaFacts
  import Trimming

  /// Puts start codes before the units of H.264 that stand behind lengths, and the parameter sets
  /// before keyframes: readers of AVI know nothing else under its name for H.264.
  struct StartCodeFraming {
    /// Behind start codes.
    let sets: [UInt8]
    private let framing: Framing

    /// `nil` where packets stay as they are.
    init?(of track: OutputTrack, _ source: any CutSource, _ container: OutputContainer) {
      let described = source.tracks[track.source]
      let configuration = track.configuration ?? described.configuration
      guard container == .avi, described.facts.codec == "h264",
        case .lengthPrefixed = described.framing
      else { return nil }
      framing = described.framing
      let sets = H264Sets(configuration: configuration)
      self.sets = Framing.annexB.pack(sets.sequenceUnits + sets.pictureUnits)
    }

    func packet(_ bytes: [UInt8], isKey: Bool) -> [UInt8] {
      let units = NALUnits(bytes: bytes[...], framing: framing).map { Array($0) }
      return (isKey ? sets : []) + Framing.annexB.pack(units)
    }
  }
#endif
