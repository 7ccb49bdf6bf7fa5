import Bitstreams
import MediaFacts

/// What a transport stream's muxer accepts and our readers cannot recover.
enum TransportFit {
  static func isLost(_ track: SourceTrack) -> Bool {
    switch track.facts.codec {
    case .opus:
      return isForeign(track.configuration)
    case .hevc:
      // Layers other than the base layer (alpha, depth) would be taken for separate pictures.
      return track.hasSecondLayer
    default: return false
    }
  }

  /// Whether its descriptor cannot express the channel mapping: it only has numbers for Vorbis
  /// layouts (RFC 7845, 5.1.1.2) with the maximum number of coupled pairs per stream.
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
