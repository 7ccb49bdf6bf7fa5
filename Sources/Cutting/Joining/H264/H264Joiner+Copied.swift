import Bitstreams
import MediaFiles

/// Copied pictures, whose numbers and memory management commands continue from the preceding
/// ones.
extension H264Joiner {
  mutating func copied(
    _ bytes: () throws(MediaError) -> [UInt8], as role: CopiedRole
  ) throws(MediaError) -> [UInt8]? {
    if role == .entry, beginsAnew {
      return framing.pack(try asIDR(bytes()))
    }
    if role == .entry, !entry.isIDR {
      copying = entryShift.map { .renumbered(by: $0) } ?? .watched(left: Self.longestMemory)
    }
    let isAnnexB = framing == .annexB
    let replacesSets = changesSequence && isAnnexB
    guard copying.shift != nil || replacesSets || (role == .entry && isAnnexB) else { return nil }
    let packet = try bytes()
    var units: [[UInt8]] = []
    var isChanged = false
    var marking: BitWriter?
    var hasMarking = false
    for unit in NALUnits(bytes: packet[...], framing: framing) {
      guard let first = unit.first else { continue }
      if first & 0x1F == 5 { copying = .asTheyAre }
      if role == .entry, continuesSequence, first & 0x1F == 6 {
        let payload = NALEscaping.unescaped(unit.dropFirst())
        let kept = Self.withoutEntry(payload)
        if let kept { units.append([first] + NALEscaping.escaped(kept)) }
        isChanged = isChanged || kept != payload
      } else if let shift = copying.shift, first & 0x1F == 1 {
        let slice = try Slice(unit, source)
        if !hasMarking {
          marking =
            role == .entry ? entryMarks().entry : mark(slice.header, slice.payload, shift)
          hasMarking = true
        }
        units.append(shifted(slice, by: shift, marking: marking))
        isChanged = isChanged || shift != Numbers() || marking != nil
      } else if replacesSets, Array(unit) == sequence.unit {
        units.append(sequenceUnit)
        isChanged = true
      } else {
        units.append(Array(unit))
      }
    }
    if role == .entry, isAnnexB, addSets(to: &units) { isChanged = true }
    if case .watched(let left) = copying {
      copying = left > 1 ? .watched(left: left - 1) : .asTheyAre
    }
    return isChanged ? framing.pack(units) : nil
  }

  /// Number of pictures after which nothing before an entry can be referred to: no decoder holds
  /// more.
  private static let longestMemory = 64

  struct Slice {
    var first: UInt8
    var payload: [UInt8]
    var header: H264SliceHeader

    init(_ unit: ArraySlice<UInt8>, _ sets: H264Sets) throws(MediaError) {
      payload = NALEscaping.unescaped(unit.dropFirst())
      guard let first = unit.first,
        let header = H264SliceHeader(unit, payload: payload, sets: sets.sets)
      else { throw MediaError(.damaged, "a slice of the source cannot be parsed") }
      self.first = first
      self.header = header
    }
  }

  /// Tracks the references of a copied picture; returns new markings if its own refer to missing
  /// frames.
  private mutating func mark(
    _ header: H264SliceHeader, _ payload: [UInt8], _ shift: Numbers
  ) -> BitWriter? {
    let number = (header.frameNumber &+ shift.frame) & frameMask
    // Fields share their frame's number, and are left unchanged.
    guard header.nalRefIDC > 0, !header.isField else {
      window.add(number, isReference: header.nalRefIDC > 0, fillsGaps: fillsGaps)
      return nil
    }
    return window.adapt(payload, header.marking, number: number, fillsGaps: fillsGaps)
  }

  /// Markings for the entry, and for replaced pictures decoded right after it; computed once.
  mutating func entryMarks() -> (entry: BitWriter?, replaced: [Int: BitWriter]) {
    if case .made(let entry, let replaced) = marks { return (entry, replaced) }
    guard let slice = entry.slice else { return (nil, [:]) }
    let shift = entryShift ?? Numbers()
    let own = mark(slice.header, slice.payload, shift)
    var others: [Int: BitWriter] = [:]
    for place in entry.replacedOrder {
      guard let replaced = entry.replaced[place] else { continue }
      others[place] = mark(replaced.header, replaced.payload, shift)
    }
    marks = .made(entry: own, replaced: others)
    return (own, others)
  }

  private var fillsGaps: Bool { entry.leavesGaps || sequence.allowsGaps }

  private func shifted(
    _ slice: Slice, by shift: Numbers, marking: BitWriter?
  ) -> [UInt8] {
    var payload = slice.payload
    let header = slice.header
    Self.replace(
      &payload, at: header.frameNumberPosition, bits: sequence.frameNumberBits,
      by: (header.frameNumber &+ shift.frame) & frameMask)
    if sequence.orderType == 0 {
      Self.replace(
        &payload, at: header.orderPosition, bits: sequence.orderBits,
        by: (header.orderLow &+ shift.order) & orderMask)
    }
    guard let marking else { return [slice.first] + NALEscaping.escaped(payload) }
    var writer = BitWriter()
    writer.copy(payload, from: 0, to: header.marking.lowerBound)
    writer.copy(marking.bytes, from: 0, to: marking.count)
    return [slice.first] + finish(&writer, slice)
  }

  /// Appends what follows the marking: the rest of the header and the slice data.
  func finish(_ writer: inout BitWriter, _ slice: Slice) -> [UInt8] {
    let (header, payload) = (slice.header, slice.payload)
    writer.copy(payload, from: header.rest.lowerBound, to: header.rest.upperBound)
    if source.sets(header.pictureSet)?.0.isCABAC == true {
      writer.alignWithOnes()
      let start = (header.rest.upperBound + 7) / 8 * 8
      writer.copy(payload, from: start, to: payload.count * 8)
    } else {
      writer.copy(payload, from: header.rest.upperBound, to: Self.stopBit(of: payload))
      writer.finish()
    }
    return NALEscaping.escaped(writer.bytes)
  }

  private static func replace(
    _ payload: inout [UInt8], at position: Int, bits: Int, by value: UInt32
  ) {
    for bit in 0..<bits {
      let mask = UInt8(0x80) >> UInt8((position + bit) % 8)
      if value >> UInt32(bits - 1 - bit) & 1 == 1 {
        payload[(position + bit) / 8] |= mask
      } else {
        payload[(position + bit) / 8] &= ~mask
      }
    }
  }
}
