#if FFmpeg
  import Bitstreams
  import MediaFacts

  /// What a transport stream's muxer takes and no reader of ours finds again.
  enum TransportFit {
    static func isLost(_ track: SourceTrack) -> Bool {
      switch track.facts.codec {
      case "opus":
        // Its descriptor there has numbers for the layouts of Vorbis, and for no other.
        return track.configuration.count > 18 && track.configuration[18] > 1
      case "hevc":
        // Layers besides the pictures (alpha, depth) would be taken for pictures of their own.
        let sets = HEVCSets(configuration: track.configuration)
        return (sets.units[HEVCSets.video] ?? []).contains { layers(of: $0) > 1 }
      default: return false
      }
    }

    /// vps_max_layers_minus1 (ITU-T H.265, 7.3.2.1), and one.
    private static func layers(of unit: [UInt8]) -> Int {
      guard unit.count > 3 else { return 1 }
      return Int(unit[2] & 3) << 4 + Int(unit[3] >> 4) + 1
    }
  }
#endif
