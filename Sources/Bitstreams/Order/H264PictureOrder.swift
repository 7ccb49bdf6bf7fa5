import MediaFacts

/// Picture order counts of H.264 (ITU-T H.264, 8.2.1), packet by packet.
package struct H264PictureOrder {
  private var sets: H264Sets
  private let framing: Framing
  private var sequence: Int64 = 0
  /// State of the previous reference picture (type 0).
  private var high: Int64 = 0
  private var low: Int64 = 0
  /// State of the previous picture (types 1 and 2).
  private var frameNumber: Int64 = 0
  private var offset: Int64 = 0

  package init(configuration: [UInt8]) {
    sets = H264Sets(configuration: configuration)
    framing = Framing(codec: .h264, configuration: configuration)
  }

  package mutating func add(_ packet: ArraySlice<UInt8>) -> PictureOrder.Content {
    for unit in NALUnits(bytes: packet, framing: framing) {
      guard let first = unit.first else { continue }
      switch first & 0x1F {
      case 7, 8: sets.renew([unit])
      case 1, 5:
        // No header is longer, even with weights for all its reference pictures.
        let payload = NALEscaping.unescaped(unit.dropFirst().prefix(2048))
        // Decoders skip units that cannot be slices; old versions of VLC write one before the first slice.
        guard let header = H264SliceHeader(unit, payload: payload, sets: sets.sets),
          let (_, set) = sets.sets(header.pictureSet), !header.isIDR || header.isIntra
        else { continue }
        return .picture(place(header, set))
      default: continue
      }
    }
    return packet.isEmpty ? .nothing : .unknown
  }

  private mutating func place(_ header: H264SliceHeader, _ set: H264SPS) -> PictureOrder.Place {
    if header.isIDR {
      sequence += 1
      (high, low, frameNumber, offset) = (0, 0, 0, 0)
    }
    let (top, bottom) =
      set.orderType == 0 ? stated(header, set) : counted(header, set)
    var order = header.isField ? (header.isBottom ? bottom : top) : min(top, bottom)
    if header.resetsOrder {
      // All earlier pictures are shown before it (C.4.4), and counting starts with it (8.2.1).
      sequence += 1
      high = 0
      low = header.isField && header.isBottom ? 0 : top - order
      (frameNumber, offset) = (0, 0)
      order = 0
    }
    return PictureOrder.Place(sequence: sequence, order: order)
  }

  /// 8.2.1.1: the lower bits are in the header.
  private mutating func stated(_ header: H264SliceHeader, _ set: H264SPS) -> (Int64, Int64) {
    let modulus = Int64(1) << Int64(set.orderBits)
    let stated = Int64(header.orderLow)
    var upper = high
    if stated < low, low - stated >= modulus / 2 {
      upper += modulus
    } else if stated > low, stated - low > modulus / 2 {
      upper -= modulus
    }
    if header.nalRefIDC != 0 { (high, low) = (upper, stated) }
    let order = upper + stated
    return (order, header.isField ? order : order + Int64(header.bottomOrderDelta))
  }

  /// 8.2.1.2 and 8.2.1.3: the order follows from frame_num.
  private mutating func counted(_ header: H264SliceHeader, _ set: H264SPS) -> (Int64, Int64) {
    let number = Int64(header.frameNumber)
    if frameNumber > number { offset += Int64(1) << Int64(set.frameNumberBits) }
    frameNumber = number
    guard set.orderType == 1 else {
      let order = 2 * (offset + number) - (header.nalRefIDC == 0 && !header.isIDR ? 1 : 0)
      return (order, order)
    }
    var position = set.orderCycle.isEmpty ? 0 : offset + number
    if header.nalRefIDC == 0, position > 0 { position -= 1 }
    var expected: Int64 = 0
    if position > 0 {
      let count = Int64(set.orderCycle.count)
      let whole = set.orderCycle.reduce(0) { $0 + Int64($1) }
      let part = set.orderCycle.prefix(Int((position - 1) % count) + 1)
      expected = (position - 1) / count * whole + part.reduce(0) { $0 + Int64($1) }
    }
    if header.nalRefIDC == 0 { expected += Int64(set.unreferencedOffset) }
    let first = expected + Int64(header.orderDeltas.0)
    let second =
      header.isField
      ? first + Int64(set.bottomOffset)
      : first + Int64(set.bottomOffset) + Int64(header.orderDeltas.1)
    return (first, second)
  }
}
