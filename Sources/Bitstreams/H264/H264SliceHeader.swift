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
    var reader = BitReader(payload)
    guard let block = reader.exponentialGolomb(), let slice = reader.exponentialGolomb(),
      slice < 10, let number = reader.exponentialGolomb(), let (picture, sequence) = sets(number)
    else { return nil }
    (firstBlock, sliceType, pictureSet) = (block, slice, number)
    if sequence.hasSeparatePlanes { reader.skip(2) }
    frameNumberPosition = reader.position
    guard let frame = reader.read(sequence.frameNumberBits) else { return nil }
    frameNumber = frame
    if !sequence.onlyFrames {
      isField = reader.flag() ?? false
      if isField { isBottom = reader.flag() ?? false }
    }
    afterFrameNumber = reader.position
    if isIDR {
      guard let id = reader.exponentialGolomb() else { return nil }
      instantID = id
    }
    guard readOrder(&reader, picture, sequence) else { return nil }
    if picture.hasRedundant, reader.exponentialGolomb() == nil { return nil }
    guard readReferences(&reader, picture, sequence) else { return nil }
    let markingStart = reader.position
    if nalRefIDC != 0, !readMarking(&reader) { return nil }
    marking = markingStart..<reader.position
    guard skipRest(&reader, picture) else { return nil }
    rest = marking.upperBound..<reader.position
  }

  private mutating func readOrder(
    _ reader: inout BitReader, _ picture: H264PPS, _ sequence: H264SPS
  ) -> Bool {
    switch sequence.orderType {
    case 0:
      orderPosition = reader.position
      guard let low = reader.read(sequence.orderBits) else { return false }
      orderLow = low
      if picture.hasBottomOrder, !isField {
        guard let delta = reader.signedExponentialGolomb() else { return false }
        bottomOrderDelta = delta
      }
    case 1 where !sequence.isOrderDeltaZero:
      guard let first = reader.signedExponentialGolomb() else { return false }
      orderDeltas.0 = first
      if picture.hasBottomOrder, !isField {
        guard let second = reader.signedExponentialGolomb() else { return false }
        orderDeltas.1 = second
      }
    default: break
    }
    return true
  }

  private mutating func readReferences(
    _ reader: inout BitReader, _ picture: H264PPS, _ sequence: H264SPS
  ) -> Bool {
    let kind = sliceType % 5
    if kind == 1 { reader.skip(1) }
    let start = reader.position
    defer { references = start..<reader.position }
    guard kind != 2, kind != 4 else { return true }
    var (first, second) = picture.references
    guard let overrides = reader.flag() else { return false }
    if overrides {
      guard let count = reader.exponentialGolomb(), count < 32 else { return false }
      first = count + 1
      if kind == 1 {
        guard let count = reader.exponentialGolomb(), count < 32 else { return false }
        second = count + 1
      }
    }
    for _ in 0..<(kind == 1 ? 2 : 1) where !Self.skipModification(&reader) { return false }
    let isWeighted =
      kind == 1 ? picture.bipredWeighting == 1 : picture.isWeighted && (kind == 0 || kind == 3)
    guard isWeighted else { return true }
    return Self.skipWeights(
      &reader, first, kind == 1 ? second : 0,
      hasChroma: sequence.chromaFormat != 0 && !sequence.hasSeparatePlanes)
  }

  private static func skipModification(_ reader: inout BitReader) -> Bool {
    guard let isPresent = reader.flag() else { return false }
    guard isPresent else { return true }
    while let operation = reader.exponentialGolomb() {
      if operation == 3 { return true }
      guard operation < 3, reader.exponentialGolomb() != nil else { return false }
    }
    return false
  }

  private static func skipWeights(
    _ reader: inout BitReader, _ first: UInt32, _ second: UInt32, hasChroma: Bool
  ) -> Bool {
    guard reader.exponentialGolomb() != nil else { return false }
    if hasChroma, reader.exponentialGolomb() == nil { return false }
    for _ in 0..<(first + second) {
      for values in hasChroma ? [2, 4] : [2] {
        guard let isPresent = reader.flag() else { return false }
        guard isPresent else { continue }
        for _ in 0..<values where reader.signedExponentialGolomb() == nil { return false }
      }
    }
    return true
  }

  private mutating func readMarking(_ reader: inout BitReader) -> Bool {
    if isIDR { return reader.skip(2) }
    guard let isAdaptive = reader.flag() else { return false }
    guard isAdaptive else { return true }
    while let operation = reader.exponentialGolomb() {
      switch operation {
      case 0: return true
      case 1, 2, 4, 6: guard reader.exponentialGolomb() != nil else { return false }
      case 3:
        guard reader.exponentialGolomb() != nil, reader.exponentialGolomb() != nil else {
          return false
        }
      case 5: resetsOrder = true
      default: return false
      }
    }
    return false
  }

  private func skipRest(_ reader: inout BitReader, _ picture: H264PPS) -> Bool {
    if picture.isCABAC, !isIntra, reader.exponentialGolomb() == nil { return false }
    guard reader.signedExponentialGolomb() != nil else { return false }
    if sliceType % 5 == 3, !reader.skip(1) { return false }
    if sliceType % 5 > 2, reader.signedExponentialGolomb() == nil { return false }
    guard picture.controlsDeblocking else { return true }
    guard let mode = reader.exponentialGolomb() else { return false }
    guard mode != 1 else { return true }
    return reader.signedExponentialGolomb() != nil && reader.signedExponentialGolomb() != nil
  }
}
