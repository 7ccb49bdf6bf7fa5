/// A sequence parameter set (ITU-T H.265, 7.3.2.2.1): everything that slice syntax, decoding and facts depend
/// on.
package struct HEVCSPS {
  /// How far a set was understood.
  package enum Reach: Comparable { case number, lumaDepth, orderBits, ordering, usability, end }

  package private(set) var reach = Reach.number
  package var id: UInt32 = 0
  /// The bit range of the ID in the unescaped payload, after the unit's two header bytes.
  package private(set) var number = 0..<0
  package private(set) var profile = Profile()
  package var coding = Coding()
  /// log2_max_pic_order_cnt_lsb_minus4 + 4.
  package var orderBits = 4
  /// How many pictures a decoder holds and reorders: for each sub-layer, or only for the highest.
  package private(set) var ordering: [Layer] = []
  /// The bit range of `ordering` in the payload.
  package private(set) var orderingRange = 0..<0
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
  /// The offsets of the window: left, right, top, bottom.
  package private(set) var offsets: [UInt32] = [0, 0, 0, 0]
  /// As far as it is understood; `nil` where there is none.
  package private(set) var usability: VideoUsability?
  /// Whether it has features that the encoder of edges does not produce: PCM samples, separate planes, range
  /// extensions.
  package var isUnusual = false

  /// The general part of profile_tier_level (7.3.3).
  package struct Profile {
    /// general_profile_idc, and the compatibility flags: bit j from the left is that of profile j.
    package var number: UInt32 = 0
    package var compatibility: UInt32 = 0
    package var isProgressive = false
    package var isInterlaced = false
    /// general_level_idc: 30 times the level.
    package var level: UInt32 = 0
  }

  /// sps_max_dec_pic_buffering_minus1, sps_max_num_reorder_pics, sps_max_latency_increase_plus1.
  package struct Layer: Hashable {
    package var held: UInt32
    package var reordered: UInt32
    package var latency: UInt32
  }

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

  /// - Parameter unit: the unit with its two header bytes; `nil` where it is not understood to its end.
  package init?(_ unit: [UInt8]) {
    self.init(beginningOf: unit[...])
    guard reach == .end, id <= 15 else { return nil }
  }

  /// Reads as much as is understood; `nil` where that does not include the ID.
  package init?(beginningOf unit: ArraySlice<UInt8>) {
    var reader = SyntaxReader(NALEscaping.unescaped(unit.dropFirst(2)))
    do {
      let layers = try readProfile(&reader)
      let start = reader.position
      id = try reader.unsigned()
      number = start..<reader.position
      // What follows may be missing.
      try? read(&reader, layers: layers)
    } catch {
      return nil
    }
  }

  /// - Returns: sps_max_sub_layers_minus1.
  private mutating func readProfile(
    _ reader: inout SyntaxReader
  ) throws(SyntaxReader.NotUnderstood) -> Int {
    try reader.skip(4)
    let layers = Int(try reader.bits(3))
    try reader.skip(4)
    profile.number = try reader.bits(5)
    profile.compatibility = try reader.bits(32)
    profile.isProgressive = try reader.flag()
    profile.isInterlaced = try reader.flag()
    try reader.skip(46)
    profile.level = try reader.bits(8)
    var skipped = layers > 0 ? 2 * (8 - layers) : 0
    for _ in 0..<layers { skipped += try (reader.flag() ? 88 : 0) + (reader.flag() ? 8 : 0) }
    try reader.skip(skipped)
    return layers
  }

  private mutating func read(
    _ reader: inout SyntaxReader, layers: Int
  ) throws(SyntaxReader.NotUnderstood) {
    coding.chromaFormat = try reader.unsigned(upTo: 3)
    if coding.chromaFormat == 3 { hasSeparatePlanes = try reader.flag() }
    isUnusual = hasSeparatePlanes
    coding.width = try reader.unsigned(upTo: 65535)
    coding.height = try reader.unsigned(upTo: 65535)
    let start = reader.position
    if try reader.flag() { for index in offsets.indices { offsets[index] = try reader.unsigned() } }
    window = start..<reader.position
    coding.lumaDepth = try reader.unsigned(upTo: 8)
    reach = .lumaDepth
    coding.chromaDepth = try reader.unsigned(upTo: 8)
    orderBits = Int(try reader.unsigned(upTo: 12)) + 4
    reach = .orderBits
    try readOrdering(&reader, layers: layers)
    reach = .ordering
    try readTools(&reader)
    if try reader.flag() {
      reach = .usability
      usability = VideoUsability()
      try usability?.readHEVC(&reader, layers: layers)
    }
    // Extensions change how residuals are coded (7.3.2.2.2).
    if try reader.flag(), try reader.bits(8) != 0 { isUnusual = true }
    reach = .end
  }

  private mutating func readOrdering(
    _ reader: inout SyntaxReader, layers: Int
  ) throws(SyntaxReader.NotUnderstood) {
    let count = try reader.flag() ? layers + 1 : 1
    let start = reader.position
    for _ in 0..<count {
      ordering.append(
        try Layer(
          held: reader.unsigned(upTo: 15), reordered: reader.unsigned(), latency: reader.unsigned())
      )
    }
    orderingRange = start..<reader.position
  }

  /// Everything between the ordering and the VUI.
  private mutating func readTools(_ reader: inout SyntaxReader) throws(SyntaxReader.NotUnderstood) {
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
  }

  /// The ordering with room for the pictures of another stream as well; `nil` where one is not understood.
  package func ordering(waitingAs other: HEVCSPS) -> [Layer]? {
    let isUnderstood = [self, other].allSatisfy { set in
      set.reach >= .ordering && set.ordering.allSatisfy { $0.reordered <= $0.held }
    }
    guard isUnderstood, let model = other.ordering.last else { return nil }
    return ordering.map { layer in
      // A latency of 0 is no limit.
      Layer(
        held: max(layer.held, model.held), reordered: max(layer.reordered, model.reordered),
        latency: 0)
    }
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
