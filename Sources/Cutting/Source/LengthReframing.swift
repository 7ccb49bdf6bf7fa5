import Bitstreams

/// Gives samples whose units stand behind lengths of one, two or three bytes lengths of four.
///
/// A picture that is re-encoded may be longer than two bytes can say, and all samples of a track have
/// lengths of one size (ISO 14496-15, 5.3.3.1.2, lengthSizeMinusOne).
struct LengthReframing: SampleReframing {
  /// As the source has its samples.
  let stated: Framing
  /// avcC or hvcC that says four bytes.
  let configuration: [UInt8]

  /// `nil` where the lengths have four bytes, or there are none.
  init?(codec: String, configuration: [UInt8]) {
    let framing = Framing(codec: codec, configuration: configuration)
    guard case .lengthPrefixed(let size) = framing, size != 4 else { return nil }
    stated = framing
    var copy = configuration
    copy[codec == "h264" ? 4 : 21] |= 3
    self.configuration = copy
  }

  func sample(_ bytes: [UInt8]) -> [UInt8] {
    let units = NALUnits(bytes: bytes[...], framing: stated).map { Array($0) }
    return units.isEmpty ? bytes : Framing.lengthPrefixed(4).pack(units)
  }
}
