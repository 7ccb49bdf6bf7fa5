import Bitstreams
import ISOMedia
import MediaFacts

extension ISOSampleReader {
  /// The most bytes: a larger sample contains a picture, or unrelated messages.
  private static var mostBytes: Int { 12 }

  /// Whether a sample contains no picture, only an end of sequence or stream, a delimiter or
  /// filler.
  ///
  /// Muxers give such samples their own time; what is on screen stays there.
  package func showsNothing(_ index: Int) -> Bool {
    guard (1...Self.mostBytes).contains(table.byteCount(index)), !track.isEncrypted,
      let bytes = bytes(ofSample: index, atMost: Self.mostBytes)
    else { return false }
    var count = 0
    for unit in NALUnits(bytes: bytes[...], framing: framing) {
      guard let first = unit.first else { continue }
      // ITU-T H.264, table 7-1; H.265, table 7-1: parameter sets, delimiters, ends, filler,
      // messages.
      switch codecName {
      case .h264: guard (6...12).contains(first & 0x1F) else { return false }
      case .hevc: guard (32...40).contains(first >> 1 & 0x3F) else { return false }
      default: return false
      }
      count += 1
    }
    return count > 0
  }

  /// The PTS of samples without a picture, empty samples included; none where all samples are
  /// empty.
  package func pictureless(_ times: ISOMediaTimes) -> Set<Int64> {
    let hasUnits = codecName.usesNALUnits
    var empty: Set<Int64> = []
    var filled = 0
    for place in times.pts.indices {
      let index = times.present?[place] ?? place
      if table.byteCount(index) > 0 { filled += 1 }
      if table.byteCount(index) == 0 || hasUnits && showsNothing(index) {
        empty.insert(times.pts[place])
      }
    }
    return filled > 0 ? empty : []
  }
}
