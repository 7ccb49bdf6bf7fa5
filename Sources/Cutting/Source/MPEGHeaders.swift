import Bitstreams
import MediaFacts
import MediaFiles
import Trimming

/// Sequence-level headers of MPEG-1, MPEG-2 and MPEG-4 part 2.
enum MPEGHeaders {
  /// - Parameter codec: FFmpeg's name.
  static func inFront(of packet: [UInt8], codec: Codec) -> [UInt8] {
    // The start codes of a GOP and of a picture (ISO 13818-2, table 6-1; ISO 14496-2, table 6-3).
    let codes: [UInt8] = codec == .mpeg4 ? [0xB3, 0xB6] : [0xB8, 0x00]
    let end = StartCodes.first(in: packet) { codes.contains($0) } ?? 0
    return Array(packet[..<end])
  }
}

extension CutSource {
  /// The headers of a track: from its configuration or, if that is empty, from its first packet.
  func headers(ofTrack index: Int) throws(MediaError) -> [UInt8] {
    let track = tracks[index]
    if !track.configuration.isEmpty { return track.configuration }
    guard let first = track.describedAt ?? track.coded.packets.indices.first else { return [] }
    return MPEGHeaders.inFront(
      of: try bytes(ofTrack: index, first), codec: track.facts.codec)
  }
}
