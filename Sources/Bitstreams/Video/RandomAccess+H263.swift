import MediaFacts

extension RandomAccess {
  /// Classifies a picture of H.263 or of a codec derived from it: an INTRA picture needs nothing
  /// before it, and neither does what follows it.
  static func h263(codec: Codec, _ bytes: ArraySlice<UInt8>) -> RandomAccessKind {
    var reader = BitReader(bytes)
    let isIntra: Bool? =
      switch codec {
      case .h263: itu(&reader)
      case .flv1: sorenson(&reader)
      case .wmv2: reader.flag().map { !$0 }
      // The header begins with two bits of picture type; only version 1 has a start code.
      default: reader.read(2).map { $0 == 0 }
      }
    return isIntra.map { $0 ? .intra : .flaggedOnly } ?? .unknown
  }

  /// ITU-T H.263, 5.1: PSC, TR, PTYPE, and PLUSPTYPE where the source format is 7.
  private static func itu(_ reader: inout BitReader) -> Bool? {
    guard reader.read(22) == 0b10_0000, reader.skip(8 + 5), let format = reader.read(3) else {
      return nil
    }
    guard format == 7 else { return reader.flag().map { !$0 } }
    guard let extends = reader.read(3), extends < 2, reader.skip(extends == 1 ? 18 : 0) else {
      return nil
    }
    return reader.read(3).map { $0 == 0 }
  }

  /// Whether a picture of H.263 has PLUSPTYPE (ITU-T H.263, 5.1.4), as all of H.263+ do.
  package static func isExtendedH263(_ bytes: ArraySlice<UInt8>) -> Bool {
    var reader = BitReader(bytes)
    return reader.read(22) == 0b10_0000 && reader.skip(8 + 5) && reader.read(3) == 7
  }

  /// SWF File Format Specification 19, "Sorenson H.263 Bitstream Format".
  private static func sorenson(_ reader: inout BitReader) -> Bool? {
    guard reader.read(17) == 1, reader.skip(5 + 8), let size = reader.read(3),
      reader.skip(size == 0 ? 16 : size == 1 ? 32 : 0)
    else { return nil }
    return reader.read(2).map { $0 == 0 }
  }
}
