/// A sequence parameter set (ITU-T H.265, 7.3.2.2.1): everything that slice syntax and decoding depend on.
package struct HEVCSPS: Hashable {
  package var id: UInt32 = 0
  package var coding = Coding()
  /// log2_max_pic_order_cnt_lsb_minus4 + 4.
  package var orderBits = 4
  /// sps_max_dec_pic_buffering_minus1 of the highest sub-layer.
  package var heldPictures: UInt32 = 0
  package var hasSeparatePlanes = false
  package var usesSampleOffsets = false
  package var usesScalingLists = false
  /// Whether scaling lists are coded explicitly: otherwise they are the standard's defaults.
  package var hasOwnLists = false
  package var shortTermSets: UInt32 = 0
  package var hasLongTermPictures = false
  package var longTermCandidates: UInt32 = 0
  package var usesTemporalMotion = false
  /// The bit range of conformance_window_flag and the window in the unescaped payload.
  package private(set) var window = 0..<0
  /// Whether it has features that the encoder of edges does not produce: PCM samples, separate planes, range
  /// extensions.
  package var isUnusual = false

  /// The parameters of slice coding: an encoder must use exactly the same.
  package struct Coding: Hashable {
    package var chromaFormat: UInt32 = 1
    package var width: UInt32 = 0
    package var height: UInt32 = 0
    package var lumaDepth: UInt32 = 0
    package var chromaDepth: UInt32 = 0
    /// Base-2 logarithms of block sizes, and the differences to the largest.
    package var leastBlock: UInt32 = 0
    package var blockRange: UInt32 = 0
    package var leastTransform: UInt32 = 0
    package var transformRange: UInt32 = 0
    /// max_transform_hierarchy_depth_inter and _intra.
    package var interDepth: UInt32 = 0
    package var intraDepth: UInt32 = 0
    package var usesAsymmetricParts = false
    package var smoothsStrongly = false

    package var largestBlock: UInt32 { leastBlock + blockRange }
    package var largestTransform: UInt32 { leastTransform + transformRange }
  }

  /// - Parameter unit: the unit with its two header bytes; `nil` where it is not understood.
  package init?(_ unit: [UInt8]) {
    let payload = NALEscaping.unescaped(unit.dropFirst(2))
    guard !payload.isEmpty else { return nil }
    var skipper = BitReader(payload)
    guard HEVCNumbering.skipToSequenceNumber(&skipper) else { return nil }
    var reader = SyntaxReader(payload)
    do {
      try reader.skip(skipper.position)
      try read(&reader, layers: Int(payload[0] >> 1 & 7))
    } catch {
      return nil
    }
  }

  private mutating func read(
    _ reader: inout SyntaxReader, layers: Int
  ) throws(SyntaxReader.NotUnderstood) {
    id = try reader.unsigned(upTo: 15)
    coding.chromaFormat = try reader.unsigned(upTo: 3)
    if coding.chromaFormat == 3 { hasSeparatePlanes = try reader.flag() }
    isUnusual = hasSeparatePlanes
    coding.width = try reader.unsigned(upTo: 65535)
    coding.height = try reader.unsigned(upTo: 65535)
    let start = reader.position
    if try reader.flag() { for _ in 0..<4 { _ = try reader.unsigned() } }
    window = start..<reader.position
    coding.lumaDepth = try reader.unsigned(upTo: 8)
    coding.chromaDepth = try reader.unsigned(upTo: 8)
    orderBits = Int(try reader.unsigned(upTo: 12)) + 4
    for _ in 0..<(try reader.flag() ? layers + 1 : 1) {
      heldPictures = try reader.unsigned(upTo: 15)
      _ = try reader.unsigned()
      _ = try reader.unsigned()
    }
    coding.leastBlock = try reader.unsigned(upTo: 3) + 3
    coding.blockRange = try reader.unsigned(upTo: 3)
    coding.leastTransform = try reader.unsigned(upTo: 3) + 2
    coding.transformRange = try reader.unsigned(upTo: 3)
    coding.interDepth = try reader.unsigned(upTo: 4)
    coding.intraDepth = try reader.unsigned(upTo: 4)
    usesScalingLists = try reader.flag()
    if usesScalingLists {
      hasOwnLists = try reader.flag()
      if hasOwnLists { try Self.skipScalingLists(&reader) }
    }
    coding.usesAsymmetricParts = try reader.flag()
    usesSampleOffsets = try reader.flag()
    if try reader.flag() {
      isUnusual = true
      try reader.skip(8)
      _ = try (reader.unsigned(), reader.unsigned())
      try reader.skip(1)
    }
    shortTermSets = try reader.unsigned(upTo: 64)
    var deltas = 0
    for index in 0..<shortTermSets {
      deltas = try Self.skipShortTermSet(&reader, isFirst: index == 0, before: deltas)
    }
    hasLongTermPictures = try reader.flag()
    if hasLongTermPictures {
      longTermCandidates = try reader.unsigned(upTo: 32)
      try reader.skip(Int(longTermCandidates) * (orderBits + 1))
    }
    usesTemporalMotion = try reader.flag()
    coding.smoothsStrongly = try reader.flag()
    if try reader.flag() { try HEVCUsability.skip(&reader, layers: layers) }
    // Extensions change how residuals are coded (7.3.2.2.2).
    if try reader.flag(), try reader.bits(8) != 0 { isUnusual = true }
  }

  /// scaling_list_data, 7.3.4.
  package static func skipScalingLists(
    _ reader: inout SyntaxReader
  ) throws(SyntaxReader.NotUnderstood) {
    for size in 0..<4 {
      for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        guard try reader.flag() else {
          _ = try reader.unsigned()
          continue
        }
        if size > 1 { try reader.signed() }
        for _ in 0..<min(64, 1 << (4 + size * 2)) { try reader.signed() }
      }
    }
  }

  /// st_ref_pic_set, 7.3.7, of a sequence parameter set.
  ///
  /// - Returns: NumDeltaPocs.
  private static func skipShortTermSet(
    _ reader: inout SyntaxReader, isFirst: Bool, before: Int
  ) throws(SyntaxReader.NotUnderstood) -> Int {
    if !isFirst, try reader.flag() {
      try reader.skip(1)
      _ = try reader.unsigned()
      var kept = 0
      for _ in 0...before {
        if try reader.flag() {
          kept += 1
        } else if try reader.flag() {
          kept += 1
        }
      }
      return kept
    }
    let count = try Int(reader.unsigned(upTo: 16)) + Int(reader.unsigned(upTo: 16))
    for _ in 0..<count {
      _ = try reader.unsigned()
      try reader.skip(1)
    }
    return count
  }
}
