#if FFmpeg
  import Bitstreams
  import MediaFacts

  /// What a transport stream's muxer takes and no reader of ours finds again.
  enum TransportFit {
    static func isLost(_ track: SourceTrack) -> Bool {
      switch track.facts.codec {
      case "opus":
        return isForeign(track.configuration)
      case "hevc":
        // Layers besides the pictures (alpha, depth) would be taken for pictures of their own.
        return track.hasSecondLayer
      default: return false
      }
    }

    /// Its descriptor there has a number for each layout of Vorbis (RFC 7845, 5.1.1.2) with as many
    /// pairs of channels in a stream as can be, and for no other.
    private static func isForeign(_ head: [UInt8]) -> Bool {
      guard head.count > 18 else { return false }
      let (channels, family) = (Int(head[9]), head[18])
      if family != 1 { return family > 1 }
      let streams: [(count: UInt8, coupled: UInt8)] = [
        (1, 0), (1, 1), (2, 1), (2, 2), (3, 2), (4, 2), (4, 3), (5, 3),
      ]
      guard head.count > 20, (1...streams.count).contains(channels) else { return true }
      return (head[19], head[20]) != streams[channels - 1]
    }
  }
#endif
