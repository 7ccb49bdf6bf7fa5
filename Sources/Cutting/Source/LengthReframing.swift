import Bitstreams
import MediaFacts

/// Converts samples with NAL unit lengths of one, two or three bytes to lengths of four.
///
/// A re-encoded picture may be too large for a two-byte length, and all samples of a track have the
/// same length size (ISO 14496-15, 5.3.3.1.2, lengthSizeMinusOne).
struct LengthReframing: SampleReframing {
  /// The framing of the source's samples.
  let stated: Framing
  /// avcC or hvcC with a length size of four bytes.
  let configuration: [UInt8]

  /// `nil` if the lengths already have four bytes, or there are none.
  init?(codec: Codec, configuration: [UInt8]) {
    let framing = Framing(codec: codec, configuration: configuration)
    guard case .lengthPrefixed(let size) = framing, size != 4 else { return nil }
    stated = framing
    var copy = configuration
    copy[codec == .h264 ? 4 : 21] |= 3
    self.configuration = copy
  }

  func sample(_ bytes: [UInt8]) -> [UInt8] {
    let units = NALUnits(bytes: bytes[...], framing: stated).map { Array($0) }
    return units.isEmpty ? bytes : Framing.lengthPrefixed(4).pack(units)
  }
}
