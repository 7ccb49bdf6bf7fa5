import ExactTime
import MediaFacts
import MediaFiles
import Trimming

/// Silence in uncompressed audio, where samples have no timestamps.
extension AudioAssembly {
  /// Inserts silence where the source states a gap: MP4 samples that are not grouped in packets
  /// have no timestamps.
  func fillGaps(_ packets: inout ContiguousArray<OutputPacket>) throws(MediaError) {
    let (codec, grid) = (source.tracks[index].facts.codec, source.tracks[index].coded.grid)
    guard let most = try? grid.ticks(of: AudioCodec.longestFilledGap, rounding: .down) else {
      return
    }
    for place in packets.indices.dropLast() {
      let length = packets[place + 1].pts - packets[place].pts
      guard length > 0, length < most, let size = samples.sampleSize(of: packets[place])
      else { continue }
      let lack = Int(length) - packets[place].byteCount / size
      guard lack > 0 else { continue }
      let filled =
        try packets[place].bytes(of: source, track: index, spool)
        + [UInt8](repeating: Self.silence(of: codec), count: lack * size)
      packets[place].duration = length
      packets[place].byteCount = filled.count
      packets[place].payload = .made(try spool.add(filled))
      packets[place].isRenumbered = true
      packets[place].isFilled = true
    }
  }

  /// The byte that silent samples consist of (ITU-T G.711, tables 1a and 2a).
  static func silence(of codec: Codec) -> UInt8 {
    switch codec {
    case .pcmMuLaw: 0xFF
    case .pcmALaw: 0xD5
    case .pcmU8: 0x80
    default: 0
    }
  }
}
