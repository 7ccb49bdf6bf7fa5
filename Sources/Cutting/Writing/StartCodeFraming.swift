#if FFmpeg
  import Bitstreams
  import MediaFacts
  import Trimming

  /// Puts start codes before the units of H.264 that stand behind lengths, and the parameter sets
  /// before keyframes, where the container asks for that; and makes each packet of HEVC an access unit.
  struct StartCodeFraming {
    /// Behind start codes; `nil` where the stream has its own.
    let sets: [UInt8]?
    private let framing: Framing

    /// `nil` where packets stay as they are.
    init?(of track: OutputTrack, _ source: any CutSource, _ container: OutputContainer) {
      let described = source.tracks[track.source]
      let configuration = track.configuration ?? described.configuration
      let rule = container.rules.startCodes
      if described.facts.codec == "hevc", rule != .asTheyWere, described.framing == .annexB {
        framing = .annexB
        sets = nil
        return
      }
      switch rule {
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
      guard let sets else { return Self.accessUnit(bytes) }
      var units = NALUnits(bytes: bytes[...], framing: framing).map { Array($0) }
      guard isKey else { return Framing.annexB.pack(units) }
      // A delimiter comes first (ITU-T H.264, 7.4.1.2.3).
      var first: [[UInt8]] = []
      if let unit = units.first?.first, unit & 0x1F == 9 { first = [units.removeFirst()] }
      return Framing.annexB.pack(first) + sets + Framing.annexB.pack(units)
    }

    /// The packet with the zero byte that an access unit begins with (ITU-T H.265, B.2.2).
    ///
    /// FFmpeg parts access units of HEVC behind that byte, so that it ends the packet before. GStreamer
    /// takes a unit for one that begins in that packet then, and shows it at its time.
    private static func accessUnit(_ bytes: [UInt8]) -> [UInt8] {
      // The last byte of a unit is not zero (7.4.2.1).
      guard bytes.last == 0 || bytes.starts(with: [0, 0, 1]) else { return bytes }
      guard let end = bytes.lastIndex(where: { $0 != 0 }) else { return bytes }
      let unit = bytes[...end]
      return (unit.starts(with: [0, 0, 1]) ? [0] : []) + unit
    }
  }
#endif
