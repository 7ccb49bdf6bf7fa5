/// A picture parameter set (ITU-T H.264, 7.3.2.2) with every field parsed.
package struct H264PPS {
  package var id: UInt32
  package var sequenceID: UInt32
  package var isCABAC: Bool
  package var hasBottomOrder: Bool
  package var references: (UInt32, UInt32)
  package var isWeighted: Bool
  package var bipredWeighting: UInt32
  package var initialQP: Int32
  package var initialQS: Int32
  package var chromaOffset: Int32
  package var controlsDeblocking: Bool
  package var isIntraConstrained: Bool
  package var hasRedundant: Bool
  /// transform_8x8_mode_flag and second_chroma_qp_index_offset; `nil` where the set ends before them.
  package var extended: (uses8x8: Bool, secondChromaOffset: Int32)?
  /// pic_scaling_matrix_present_flag; the lists are not kept.
  package var hasScalingMatrix = false

  /// `nil` for a set that is damaged or has slice groups.
  package init?(_ unit: [UInt8]) {
    guard unit.count > 1 else { return nil }
    let payload = NALEscaping.unescaped(unit[1...])
    var reader = SyntaxReader(payload)
    do {
      id = try reader.unsigned()
      sequenceID = try reader.unsigned()
      isCABAC = try reader.flag()
      hasBottomOrder = try reader.flag()
      // num_slice_groups_minus1
      _ = try reader.unsigned(upTo: 0)
      // num_ref_idx_default_active_minus1 (ITU-T H.264, 7.4.2.2)
      references = try (reader.unsigned(upTo: 31) + 1, reader.unsigned(upTo: 31) + 1)
      isWeighted = try reader.flag()
      bipredWeighting = try reader.bits(2)
      initialQP = try reader.signed()
      initialQS = try reader.signed()
      chromaOffset = try reader.signed()
      controlsDeblocking = try reader.flag()
      isIntraConstrained = try reader.flag()
      hasRedundant = try reader.flag()
    } catch {
      return nil
    }
    guard reader.position < SyntaxReader.stopBit(of: payload), let uses8x8 = try? reader.flag(),
      let hasMatrix = try? reader.flag()
    else { return }
    hasScalingMatrix = hasMatrix
    extended = (uses8x8, hasMatrix ? chromaOffset : (try? reader.signed()) ?? chromaOffset)
  }

  /// The set as a NAL unit.
  ///
  /// - Parameter lists: where not `nil`, the SPS scaling lists are overridden by flat ones, for this chroma
  ///   format.
  package func unit(flatListsFor lists: UInt32?) -> [UInt8] {
    var writer = BitWriter()
    writer.exponentialGolomb(id)
    writer.exponentialGolomb(sequenceID)
    writer.flag(isCABAC)
    writer.flag(hasBottomOrder)
    writer.exponentialGolomb(0)
    writer.exponentialGolomb(references.0 - 1)
    writer.exponentialGolomb(references.1 - 1)
    writer.flag(isWeighted)
    writer.write(bipredWeighting, bits: 2)
    writer.signedExponentialGolomb(initialQP)
    writer.signedExponentialGolomb(initialQS)
    writer.signedExponentialGolomb(chromaOffset)
    writer.flag(controlsDeblocking)
    writer.flag(isIntraConstrained)
    writer.flag(hasRedundant)
    if extended != nil || lists != nil {
      let uses8x8 = extended?.uses8x8 ?? false
      writer.flag(uses8x8)
      writer.flag(lists != nil)
      if let format = lists {
        let count = 6 + (uses8x8 ? (format == 3 ? 6 : 2) : 0)
        for index in 0..<count { Self.writeFlatList(&writer, length: index < 6 ? 16 : 64) }
      }
      writer.signedExponentialGolomb(extended?.secondChromaOffset ?? chromaOffset)
    }
    writer.finish()
    return [0x68] + NALEscaping.escaped(writer.bytes)
  }

  /// Sixteen everywhere: the first delta is from 8, the others are 0.
  private static func writeFlatList(_ writer: inout BitWriter, length: Int) {
    writer.flag(true)
    writer.signedExponentialGolomb(8)
    for _ in 1..<length { writer.signedExponentialGolomb(0) }
  }
}
