/// The fields of a slice header and their positions (ITU-T H.264, 7.3.3), in bits of the unescaped
/// payload after the unit's first byte.
package struct H264SliceHeader {
  package var type: UInt8
  package var nalRefIDC: UInt8
  package var firstBlock: UInt32 = 0
  package var sliceType: UInt32 = 0
  package var pictureSet: UInt32 = 0
  package var frameNumber: UInt32 = 0
  package var isField = false
  package var isBottom = false
  package var instantID: UInt32 = 0
  package var orderLow: UInt32 = 0
  package var bottomOrderDelta: Int32 = 0
  /// delta_pic_order_cnt, for POC type 1.
  package var orderDeltas: (Int32, Int32) = (0, 0)
  /// Whether all references are dropped and POC restarts (memory_management_control_operation 5).
  package var resetsOrder = false
  /// The positions of frame_num and pic_order_cnt_lsb.
  package var frameNumberPosition = 0
  package var orderPosition = 0
  /// The position after frame_num and the field flags.
  package var afterFrameNumber = 0
  /// num_ref_idx and the reference list modifications.
  package var references = 0..<0
  /// dec_ref_pic_marking.
  package var marking = 0..<0
  /// From after that to the end of the header.
  package var rest = 0..<0

  package var isIDR: Bool { type == 5 }
  package var isIntra: Bool { sliceType % 5 == 2 || sliceType % 5 == 4 }

  /// - Parameter sets: finds the PPS with an ID, and its SPS.
  package init?(
    _ unit: ArraySlice<UInt8>, payload: [UInt8],
    sets: (UInt32) -> (H264PPS, H264SPS)?
  ) {
    guard let first = unit.first else { return nil }
    type = first & 0x1F
    nalRefIDC = first >> 5 & 3
    guard type == 1 || type == 5 else { return nil }
    var reader = SyntaxReader(payload)
    do {
      try read(&reader, sets)
    } catch {
      return nil
    }
  }

  private mutating func read(
    _ reader: inout SyntaxReader, _ sets: (UInt32) -> (H264PPS, H264SPS)?
  ) throws(SyntaxReader.NotUnderstood) {
    firstBlock = try reader.unsigned()
    sliceType = try reader.unsigned(upTo: 9)
    pictureSet = try reader.unsigned()
    guard let (picture, sequence) = sets(pictureSet) else { throw SyntaxReader.NotUnderstood() }
    if sequence.hasSeparatePlanes { try reader.skip(2) }
    frameNumberPosition = reader.position
    frameNumber = try reader.bits(sequence.frameNumberBits)
    if !sequence.onlyFrames {
      isField = try reader.flag()
      if isField { isBottom = try reader.flag() }
    }
    afterFrameNumber = reader.position
    if isIDR { instantID = try reader.unsigned() }
    try readOrder(&reader, picture, sequence)
    if picture.hasRedundant { _ = try reader.unsigned() }
    try readReferences(&reader, picture, sequence)
    let markingStart = reader.position
    if nalRefIDC != 0 { try readMarking(&reader) }
    marking = markingStart..<reader.position
    try skipRest(&reader, picture)
    rest = marking.upperBound..<reader.position
  }

  private mutating func readOrder(
    _ reader: inout SyntaxReader, _ picture: H264PPS, _ sequence: H264SPS
  ) throws(SyntaxReader.NotUnderstood) {
    switch sequence.orderType {
    case 0:
      orderPosition = reader.position
      orderLow = try reader.bits(sequence.orderBits)
      if picture.hasBottomOrder, !isField { bottomOrderDelta = try reader.signed() }
    case 1 where !sequence.isOrderDeltaZero:
      orderDeltas.0 = try reader.signed()
      if picture.hasBottomOrder, !isField { orderDeltas.1 = try reader.signed() }
    default: break
    }
  }

  private mutating func readReferences(
    _ reader: inout SyntaxReader, _ picture: H264PPS, _ sequence: H264SPS
  ) throws(SyntaxReader.NotUnderstood) {
    let kind = sliceType % 5
    if kind == 1 { try reader.skip(1) }
    let start = reader.position
    defer { references = start..<reader.position }
    guard kind != 2, kind != 4 else { return }
    var (first, second) = picture.references
    if try reader.flag() {
      first = try reader.unsigned(upTo: 31) + 1
      if kind == 1 { second = try reader.unsigned(upTo: 31) + 1 }
    }
    for _ in 0..<(kind == 1 ? 2 : 1) { try Self.skipModification(&reader) }
    let isWeighted =
      kind == 1 ? picture.bipredWeighting == 1 : picture.isWeighted && (kind == 0 || kind == 3)
    guard isWeighted else { return }
    try Self.skipWeights(
      &reader, first, kind == 1 ? second : 0,
      hasChroma: sequence.chromaFormat != 0 && !sequence.hasSeparatePlanes)
  }

  private static func skipModification(
    _ reader: inout SyntaxReader
  ) throws(SyntaxReader.NotUnderstood) {
    guard try reader.flag() else { return }
    while try reader.unsigned(upTo: 3) != 3 { _ = try reader.unsigned() }
  }

  private static func skipWeights(
    _ reader: inout SyntaxReader, _ first: UInt32, _ second: UInt32, hasChroma: Bool
  ) throws(SyntaxReader.NotUnderstood) {
    _ = try reader.unsigned()
    if hasChroma { _ = try reader.unsigned() }
    for _ in 0..<(first + second) {
      for values in hasChroma ? [2, 4] : [2] {
        guard try reader.flag() else { continue }
        for _ in 0..<values { try reader.signed() }
      }
    }
  }

  private mutating func readMarking(
    _ reader: inout SyntaxReader
  ) throws(SyntaxReader.NotUnderstood) {
    if isIDR { return try reader.skip(2) }
    guard try reader.flag() else { return }
    while true {
      switch try reader.unsigned() {
      case 0: return
      case 1, 2, 4, 6: _ = try reader.unsigned()
      case 3: _ = try (reader.unsigned(), reader.unsigned())
      case 5: resetsOrder = true
      default: throw SyntaxReader.NotUnderstood()
      }
    }
  }

  private func skipRest(
    _ reader: inout SyntaxReader, _ picture: H264PPS
  ) throws(SyntaxReader.NotUnderstood) {
    if picture.isCABAC, !isIntra { _ = try reader.unsigned() }
    try reader.signed()
    if sliceType % 5 == 3 { try reader.skip(1) }
    if sliceType % 5 > 2 { try reader.signed() }
    guard picture.controlsDeblocking, try reader.unsigned() != 1 else { return }
    for _ in 0..<2 { try reader.signed() }
  }
}
