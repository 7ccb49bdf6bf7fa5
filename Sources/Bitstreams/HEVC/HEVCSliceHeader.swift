/// The header of a slice from the encoder of edges (ITU-T H.265, 7.3.6.1), which can be rewritten
/// for other parameter sets.
package struct HEVCSliceHeader {
  private let type: UInt8
  private let header: [UInt8]
  private let payload: [UInt8]
  private let isFirst: Bool
  private let dropsPrior: Bool
  private var address = (value: UInt32(0), bits: 0)
  private var sliceType: UInt32 = 0
  /// The range of st_ref_pic_set, and how many of its pictures are referenced.
  private var shortTerm = 0..<0
  private var referredTo = 0
  private var references: UInt32 = 1
  private var isChoosingOtherwise = false
  private var mergeCandidates: UInt32 = 0
  private var quantiser: Int32 = 0
  private var chromaOffsets: (Int32, Int32) = (0, 0)
  private var filtersAcross = true
  /// The entry points of rows, and the start of the slice data.
  private var entryPoints = 0..<0
  private var data = 0

  package static let instantTypes: ClosedRange<UInt8> = 19...20
  package static let entryTypes: ClosedRange<UInt8> = 16...23

  /// slice_type of P slices.
  private static let predicted: UInt32 = 1
  private static let intra: UInt32 = 2

  package var isInstant: Bool { Self.instantTypes.contains(type) }

  /// - Returns: `nil` for a slice that is not understood, or has features that edges are coded
  ///   without.
  package init?(_ unit: ArraySlice<UInt8>, _ sequence: HEVCSPS, _ picture: HEVCPPS) {
    type = HEVCSets.type(of: unit)
    header = Array(unit.prefix(2))
    payload = NALEscaping.unescaped(unit.dropFirst(2))
    var reader = SyntaxReader(payload)
    do {
      isFirst = try reader.flag()
      dropsPrior = Self.entryTypes.contains(type) ? try reader.flag() : false
      guard try reader.unsigned() == picture.id, !picture.hasDependentSlices, !picture.isWeighted,
        !picture.modifiesLists, !picture.hasOutputFlag, picture.extraBits == 0,
        !picture.overridesDeblocking, !picture.extendsHeaders,
        !sequence.hasLongTermPictures, !sequence.usesTemporalMotion, !sequence.usesSampleOffsets
      else { return nil }
      try readPlace(&reader, sequence)
      try readCoding(&reader, picture)
    } catch {
      return nil
    }
  }

  private mutating func readPlace(
    _ reader: inout SyntaxReader, _ sequence: HEVCSPS
  ) throws(SyntaxReader.NotUnderstood) {
    if !isFirst {
      address.bits = sequence.addressBits
      address.value = try reader.bits(address.bits)
    }
    sliceType = try reader.unsigned(upTo: 2)
    guard sliceType >= Self.predicted else { throw SyntaxReader.NotUnderstood() }
    guard !isInstant else { return }
    try reader.skip(sequence.orderBits)
    // The encoder of edges codes the set in the slice.
    guard try !reader.flag(), sequence.shortTermSets == 0 else {
      throw SyntaxReader.NotUnderstood()
    }
    let start = reader.position
    let count = try reader.unsigned(upTo: 16) + reader.unsigned(upTo: 16)
    for _ in 0..<count {
      _ = try reader.unsigned()
      if try reader.flag() { referredTo += 1 }
    }
    shortTerm = start..<reader.position
  }

  private mutating func readCoding(
    _ reader: inout SyntaxReader, _ picture: HEVCPPS
  ) throws(SyntaxReader.NotUnderstood) {
    if sliceType == Self.predicted {
      references = try reader.flag() ? reader.unsigned(upTo: 14) + 1 : picture.references.0
      if picture.initialisesChoosing { isChoosingOtherwise = try reader.flag() }
      mergeCandidates = try reader.unsigned(upTo: 4)
    }
    quantiser = try reader.signed() + picture.initialQuantiser
    if picture.hasChromaOffsets { chromaOffsets = try (reader.signed(), reader.signed()) }
    if picture.filtersAcrossSlices, !picture.coding.isDeblockingOff {
      filtersAcross = try reader.flag()
    }
    let start = reader.position
    if picture.coding.startsRowsApart {
      let count = try reader.unsigned(upTo: 8192)
      if count > 0 {
        let length = Int(try reader.unsigned(upTo: 31)) + 1
        for _ in 0..<count { try reader.skip(length) }
      }
    }
    entryPoints = start..<reader.position
    data = (reader.position / 8 + 1) * 8
  }

  /// The unit rewritten for other parameter sets with the same coding; `nil` where they cannot
  /// express its header.
  ///
  /// - Parameter order: the picture's POC; the SPS states how many of its low bits are written.
  package func unit(under sequence: HEVCSPS, _ picture: HEVCPPS, order: UInt32) -> [UInt8]? {
    let hasOffsets = chromaOffsets != (0, 0)
    guard !isChoosingOtherwise || picture.initialisesChoosing,
      !hasOffsets || picture.hasChromaOffsets
    else { return nil }
    var writer = BitWriter()
    writer.flag(isFirst)
    if Self.entryTypes.contains(type) { writer.flag(dropsPrior) }
    writer.exponentialGolomb(picture.id)
    if !isFirst {
      if picture.hasDependentSlices { writer.flag(false) }
      writer.write(address.value, bits: address.bits)
    }
    writer.write(0, bits: picture.extraBits)
    writer.exponentialGolomb(sliceType)
    if picture.hasOutputFlag { writer.flag(true) }
    if !isInstant { writePlace(&writer, sequence, order) }
    let hasChroma = sequence.coding.chromaFormat != 0
    if sequence.usesSampleOffsets { writer.write(0, bits: hasChroma ? 2 : 1) }
    if sliceType == Self.predicted { writePrediction(&writer, picture, hasChroma: hasChroma) }
    writer.signedExponentialGolomb(quantiser - picture.initialQuantiser)
    if picture.hasChromaOffsets {
      writer.signedExponentialGolomb(chromaOffsets.0)
      writer.signedExponentialGolomb(chromaOffsets.1)
    }
    if picture.overridesDeblocking { writer.flag(false) }
    if picture.filtersAcrossSlices, !picture.coding.isDeblockingOff { writer.flag(filtersAcross) }
    // They count only the bytes of the slice data, which are unchanged.
    writer.copy(payload, from: entryPoints.lowerBound, to: entryPoints.upperBound)
    if picture.extendsHeaders { writer.exponentialGolomb(0) }
    // byte_alignment
    writer.finish()
    writer.copy(payload, from: data, to: payload.count * 8)
    return header + NALEscaping.escaped(writer.bytes)
  }

  private func writePlace(_ writer: inout BitWriter, _ sequence: HEVCSPS, _ order: UInt32) {
    writer.write(order, bits: sequence.orderBits)
    writer.flag(false)
    // If the SPS has sets, this one could be predicted from one of them, but is not.
    if sequence.shortTermSets > 0 { writer.flag(false) }
    writer.copy(payload, from: shortTerm.lowerBound, to: shortTerm.upperBound)
    if sequence.hasLongTermPictures {
      if sequence.longTermCandidates > 0 { writer.exponentialGolomb(0) }
      writer.exponentialGolomb(0)
    }
    if sequence.usesTemporalMotion { writer.flag(false) }
  }

  private func writePrediction(_ writer: inout BitWriter, _ picture: HEVCPPS, hasChroma: Bool) {
    writer.flag(references != picture.references.0)
    if references != picture.references.0 { writer.exponentialGolomb(references - 1) }
    if picture.modifiesLists, referredTo > 1 { writer.flag(false) }
    if picture.initialisesChoosing { writer.flag(isChoosingOtherwise) }
    if picture.isWeighted {
      // pred_weight_table, 7.3.6.3: no picture has weights, which equals no table.
      writer.exponentialGolomb(0)
      if hasChroma { writer.signedExponentialGolomb(0) }
      writer.write(0, bits: Int(references) * (hasChroma ? 2 : 1))
    }
    writer.exponentialGolomb(mergeCandidates)
  }
}

extension HEVCSPS {
  /// The length of slice_segment_address in bits: Ceil(Log2(PicSizeInCtbsY)).
  var addressBits: Int {
    let side = UInt32(1) << coding.largestBlock
    let count = ((coding.width + side - 1) / side) * ((coding.height + side - 1) / side)
    return count < 2 ? 0 : UInt32.bitWidth - (count - 1).leadingZeroBitCount
  }
}
