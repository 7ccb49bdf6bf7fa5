#if FFmpeg
  import Bitstreams
  import MediaFacts
  import Trimming

  /// Puts start codes before the units of H.264 that stand behind lengths, and the parameter sets
  /// before keyframes, where the container asks for that.
  struct StartCodeFraming {
    /// Behind start codes.
    let sets: [UInt8]
    private let framing: Framing

    /// `nil` where packets stay as they are.
    init?(of track: OutputTrack, _ source: any CutSource, _ container: OutputContainer) {
      let described = source.tracks[track.source]
      let configuration = track.configuration ?? described.configuration
      switch container.rules.startCodes {
      case .asTheyWere: return nil
      case .always: break
      case .withOwnSets where track.configuration == nil: return nil
      case .withOwnSets: break
      }
      guard described.facts.codec == "h264", case .lengthPrefixed = described.framing
      else { return nil }
      framing = described.framing
      let sets = H264Sets(configuration: configuration)
      self.sets = Framing.annexB.pack(sets.sequenceUnits + sets.pictureUnits)
    }

    func packet(_ bytes: [UInt8], isKey: Bool) -> [UInt8] {
      var units = NALUnits(bytes: bytes[...], framing: framing).map { Array($0) }
      guard isKey else { return Framing.annexB.pack(units) }
      // A delimiter comes first (ITU-T H.264, 7.4.1.2.3).
      var first: [[UInt8]] = []
      if let unit = units.first?.first, unit & 0x1F == 9 { first = [units.removeFirst()] }
      return Framing.annexB.pack(first) + sets + Framing.annexB.pack(units)
    }
  }
#endif
