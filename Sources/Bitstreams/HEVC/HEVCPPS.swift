/// A picture parameter set (ITU-T H.265, 7.3.2.3.1): everything that slice syntax and decoding
/// depend on.
package struct HEVCPPS {
  package var id: UInt32 = 0
  package var sequenceID: UInt32 = 0
  package var coding = Coding()
  // Only slice headers depend on these.
  package var hasDependentSlices = false
  package var hasOutputFlag = false
  package var extraBits = 0
  package var initialisesChoosing = false
  package var references: (UInt32, UInt32) = (1, 1)
  package var initialQuantiser: Int32 = 0
  package var hasChromaOffsets = false
  package var isWeighted = false
  package var filtersAcrossSlices = false
  package var overridesDeblocking = false
  package var modifiesLists = false
  package var extendsHeaders = false
  /// Whether it has features that the encoder of edges does not produce: tiles, its own scaling
  /// lists, extensions.
  package var isUnusual = false
  private let payload: [UInt8]
  private let header: [UInt8]
  /// From pps_scaling_list_data_present_flag to the end of its lists.
  private var lists = 0..<0
  private var afterNumbers = 0

  /// The parameters of slice coding: an encoder must use exactly the same.
  package struct Coding: Hashable {
    package var hidesSigns = false
    package var constrainsIntra = false
    package var skipsTransforms = false
    /// diff_cu_qp_delta_depth; `nil` where the quantizer is set per slice.
    package var quantiserDepth: UInt32?
    package var blueOffset: Int32 = 0
    package var redOffset: Int32 = 0
    package var bypassesTransforms = false
    /// entropy_coding_sync_enabled_flag: rows of blocks can be decoded in parallel.
    package var startsRowsApart = false
    package var isDeblockingOff = false
    package var betaOffset: Int32 = 0
    package var tcOffset: Int32 = 0
    /// log2_parallel_merge_level_minus2.
    package var mergeLevel: UInt32 = 0
  }

  /// - Parameter unit: the unit with its two header bytes; `nil` where it is not understood.
  package init?(_ unit: [UInt8]) {
    payload = NALEscaping.unescaped(unit.dropFirst(2))
    header = Array(unit.prefix(2))
    var reader = SyntaxReader(payload)
    do {
      try readHead(&reader)
      try readFilters(&reader)
    } catch {
      return nil
    }
  }

  private mutating func readHead(_ reader: inout SyntaxReader) throws(SyntaxReader.NotUnderstood) {
    id = try reader.unsigned(upTo: 63)
    sequenceID = try reader.unsigned(upTo: 15)
    afterNumbers = reader.position
    hasDependentSlices = try reader.flag()
    hasOutputFlag = try reader.flag()
    extraBits = Int(try reader.bits(3))
    coding.hidesSigns = try reader.flag()
    initialisesChoosing = try reader.flag()
    references = try (reader.unsigned(upTo: 14) + 1, reader.unsigned(upTo: 14) + 1)
    initialQuantiser = try reader.signed()
    coding.constrainsIntra = try reader.flag()
    coding.skipsTransforms = try reader.flag()
    if try reader.flag() { coding.quantiserDepth = try reader.unsigned(upTo: 3) }
    coding.blueOffset = try reader.signed()
    coding.redOffset = try reader.signed()
    hasChromaOffsets = try reader.flag()
    isWeighted = try reader.flag()
    // For bidirectional pictures, which edges do not have.
    try reader.skip(1)
    coding.bypassesTransforms = try reader.flag()
  }

  private mutating func readFilters(
    _ reader: inout SyntaxReader
  ) throws(SyntaxReader.NotUnderstood) {
    let hasTiles = try reader.flag()
    coding.startsRowsApart = try reader.flag()
    if hasTiles { try skipTiles(&reader) }
    filtersAcrossSlices = try reader.flag()
    if try reader.flag() {
      overridesDeblocking = try reader.flag()
      coding.isDeblockingOff = try reader.flag()
      if !coding.isDeblockingOff {
        coding.betaOffset = try reader.signed()
        coding.tcOffset = try reader.signed()
      }
    }
    let start = reader.position
    let hasLists = try reader.flag()
    if hasLists { try HEVCSPS.skipScalingLists(&reader) }
    lists = start..<reader.position
    modifiesLists = try reader.flag()
    coding.mergeLevel = try reader.unsigned(upTo: 4)
    extendsHeaders = try reader.flag()
    let isExtended = try reader.flag()
    isUnusual = hasTiles || hasLists || isExtended
  }

  private func skipTiles(_ reader: inout SyntaxReader) throws(SyntaxReader.NotUnderstood) {
    let count = try reader.unsigned(upTo: 63) + reader.unsigned(upTo: 63)
    if try !reader.flag() { for _ in 0..<count { _ = try reader.unsigned() } }
    try reader.skip(1)
  }

  /// The set with other IDs.
  ///
  /// - Parameter flattensLists: whether the SPS scaling lists are overridden by flat ones.
  package func unit(number: UInt32, sequence: UInt32, flattensLists: Bool) -> [UInt8] {
    var writer = BitWriter()
    writer.exponentialGolomb(number)
    writer.exponentialGolomb(sequence)
    if flattensLists {
      writer.copy(payload, from: afterNumbers, to: lists.lowerBound)
      writer.flag(true)
      Self.writeFlatLists(&writer)
      writer.copy(payload, from: lists.upperBound, to: SyntaxReader.stopBit(of: payload))
    } else {
      writer.copy(payload, from: afterNumbers, to: SyntaxReader.stopBit(of: payload))
    }
    writer.finish()
    return header + NALEscaping.escaped(writer.bytes)
  }

  /// Sixteen everywhere, as without lists (7.3.4): the first delta is from 8, the others are 0.
  private static func writeFlatLists(_ writer: inout BitWriter) {
    for size in 0..<4 {
      for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        writer.flag(true)
        writer.signedExponentialGolomb(8)
        // Above 8x8 the DC value is coded separately, and the others start from it.
        let steps = min(64, 1 << (4 + size * 2)) - (size > 1 ? 0 : 1)
        for _ in 0..<steps { writer.signedExponentialGolomb(0) }
      }
    }
  }
}
