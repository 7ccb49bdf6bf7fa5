import Bitstreams
import MediaFacts
import MediaFiles

/// The POC of HEVC pictures that a decoder may still hold at the end of a part.
struct HeldCounts {
  let source: any CutSource
  let spool: PayloadSpool

  /// The LSBs, by source track.
  func counts(behind part: [OutputTrack]) throws(MediaError) -> [Int: Set<UInt32>] {
    var result: [Int: Set<UInt32>] = [:]
    for track in part where track.video != nil {
      guard source.tracks[track.source].facts.codec == .hevc else { continue }
      result[track.source] = try counts(of: track)
    }
    return result
  }

  private func counts(of track: OutputTrack) throws(MediaError) -> Set<UInt32> {
    let stated = source.tracks[track.source]
    let held = track.packets.suffix(HEVCOrderCounts.held)
    try source.prepare([track.source: held.map { $0.place..<$0.place + 1 }])
    var counts = try source.orderCounts(ofTrack: track.source, track.configuration)
    // In a stream the sets of encoded pictures precede the first of them.
    if let first = track.packets.last(where: { $0.isKey && $0.isMade }) {
      let bytes = try first.bytes(of: source, track: track.source, spool)
      _ = counts.count(ofPicture: bytes, stated.framing)
    }
    var result: Set<UInt32> = []
    for packet in held {
      let bytes = try packet.bytes(of: source, track: track.source, spool)
      if let count = counts.count(ofPicture: bytes, stated.framing) { result.insert(count) }
    }
    return result
  }
}

extension CutSource {
  /// A reader for the POC of a track's pictures, with the parameter sets from its configuration,
  /// or if that is empty, from its first packet.
  func orderCounts(
    ofTrack index: Int, _ configuration: [UInt8]? = nil
  ) throws(MediaError) -> HEVCOrderCounts {
    let track = tracks[index]
    var counts = HEVCOrderCounts()
    counts.add(HEVCSets(configuration: configuration ?? track.configuration))
    if track.configuration.isEmpty {
      _ = counts.count(ofPicture: try bytes(ofTrack: index, 0), track.framing)
    }
    return counts
  }
}
