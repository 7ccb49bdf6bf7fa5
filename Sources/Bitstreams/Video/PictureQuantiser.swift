package import MediaFacts

/// Reads the quantiser of a picture of MPEG-4 part 2, of H.263 or of a codec derived from it.
package struct PictureQuantiser {
  /// The codecs that it reads.
  private static let codecs: Set<Codec> = [.h263, .flv1, .msmpeg4v2, .msmpeg4v3, .wmv1, .mpeg4]

  private let codec: Codec
  private let timeBits: Int
  private let isInterlaced: Bool

  /// `nil` for other codecs, and for MPEG-4 with sprites or complexity estimation.
  ///
  /// - Parameter configuration: of MPEG-4, the video object layer.
  package init?(codec: Codec, configuration: [UInt8]) {
    self.codec = codec
    guard Self.codecs.contains(self.codec) else { return nil }
    guard self.codec == .mpeg4 else {
      (timeBits, isInterlaced) = (0, false)
      return
    }
    guard let layer = MPEG4Layer(configuration[...]), layer.hasDataPartitions != nil,
      let isProgressive = layer.header.isProgressive
    else { return nil }
    (timeBits, isInterlaced) = (layer.timeBits, !isProgressive)
  }

  /// From 1, the finest, to 31; `nil` for a picture that is not coded or uses a mode that is not
  /// read here.
  package func quantiser(of picture: [UInt8]) -> Int? {
    var reader = BitReader(picture)
    let value: UInt32? =
      switch codec {
      case .h263: Self.itu(&reader)
      case .flv1: Self.sorenson(&reader)
      case .mpeg4: visual(picture)
      // Two bits of picture type.
      default: reader.skip(2) ? reader.read(5) : nil
      }
    return value.flatMap { $0 > 0 ? Int($0) : nil }
  }

  /// ITU-T H.263, 5.1.1 to 5.1.19.
  private static func itu(_ reader: inout BitReader) -> UInt32? {
    guard reader.read(22) == 0b10_0000, reader.skip(8 + 5), let format = reader.read(3) else {
      return nil
    }
    if format < 7 { return reader.skip(5) ? reader.read(5) : nil }
    // Without OPPTYPE, the modes of an earlier picture apply.
    guard reader.read(3) == 1, let size = reader.read(3), let hasOwnClock = reader.flag(),
      let hasLongVectors = reader.flag(), reader.skip(4), let hasSlices = reader.flag(),
      let selectsReference = reader.flag(), !selectsReference, reader.skip(7),
      let type = reader.read(3), type < 2, reader.skip(6), let isMultipoint = reader.flag(),
      reader.skip(isMultipoint ? 2 : 0)
    else { return nil }
    if size == 6 {
      guard let aspect = reader.read(4), reader.skip(19 + (aspect == 15 ? 16 : 0)) else {
        return nil
      }
    }
    guard reader.skip(hasOwnClock ? 8 + 2 : 0) else { return nil }
    if hasLongVectors {
      guard let isLimited = reader.flag(), reader.skip(isLimited ? 0 : 1) else { return nil }
    }
    return reader.skip(hasSlices ? 2 : 0) ? reader.read(5) : nil
  }

  /// SWF File Format Specification 19, "Sorenson H.263 Bitstream Format".
  private static func sorenson(_ reader: inout BitReader) -> UInt32? {
    guard reader.read(17) == 1, reader.skip(5 + 8), let size = reader.read(3),
      reader.skip(size == 0 ? 16 : size == 1 ? 32 : 0), reader.skip(2 + 1)
    else { return nil }
    return reader.read(5)
  }

  /// ISO 14496-2, 6.2.5, for rectangular objects.
  private func visual(_ picture: [UInt8]) -> UInt32? {
    for unit in NALUnits(bytes: picture[...], framing: .annexB) where unit.first == 0xB6 {
      var reader = BitReader(unit.dropFirst().prefix(64))
      guard let type = reader.read(2), type < 3 else { return nil }
      // modulo_time_base: a one for every whole second.
      while let more = reader.flag(), more {}
      guard reader.skip(1 + timeBits + 1), reader.flag() == true,
        reader.skip((type == 1 ? 1 : 0) + 3 + (isInterlaced ? 2 : 0))
      else { return nil }
      return reader.read(5)
    }
    return nil
  }
}
