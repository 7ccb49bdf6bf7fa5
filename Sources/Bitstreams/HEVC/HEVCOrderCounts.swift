/// The least significant bits of picture order counts (POC), slice_pic_order_cnt_lsb, in slice headers (ITU-T
/// H.265, 7.3.6.1).
package struct HEVCOrderCounts {
  /// The most pictures that a decoder may hold (ITU-T H.265, A.4.2).
  package static let held = 16

  private var sequences: [UInt32: HEVCSPS] = [:]
  private var pictures: [UInt32: HEVCPPS] = [:]

  /// The position of a slice's count; `bits` is 0 for an IDR picture, whose count is 0.
  private struct Place {
    var position = 0
    var bits = 0
    var sequence: HEVCSPS

    var mask: UInt32 { (UInt32(1) << UInt32(bits)) - 1 }

    func count(in payload: [UInt8]) -> UInt32? {
      guard bits > 0 else { return 0 }
      var reader = BitReader(payload)
      return reader.skip(position) ? reader.read(bits) : nil
    }
  }

  package init() {}

  package mutating func add(_ sets: HEVCSets) {
    for unit in sets.all { add(unit[...]) }
  }

  /// Adds a parameter set; units of other types are ignored.
  package mutating func add(_ unit: ArraySlice<UInt8>) {
    switch HEVCSets.type(of: unit) {
    case HEVCSets.sequence:
      if let set = HEVCSPS(Array(unit)) { sequences[set.id] = set }
    case HEVCSets.picture:
      if let set = HEVCPPS(Array(unit)) { pictures[set.id] = set }
    default: break
    }
  }

  package static func isSlice(_ unit: ArraySlice<UInt8>) -> Bool {
    let type = HEVCSets.type(of: unit)
    return type <= 9 || (16...21).contains(type)
  }

  /// The count of a packet's picture, after adding the parameter sets before it; `nil` where its first slice
  /// is not understood.
  package mutating func count(ofPicture packet: [UInt8], _ framing: Framing) -> UInt32? {
    for unit in NALUnits(bytes: packet[...], framing: framing) {
      if Self.isSlice(unit) { return count(of: unit) }
      add(unit)
    }
    return nil
  }

  /// - Returns: `nil` for a unit that is not a slice, states no count or is not understood.
  package func count(of unit: ArraySlice<UInt8>) -> UInt32? {
    let payload = NALEscaping.unescaped(unit.dropFirst(2).prefix(64))
    guard let place = place(in: payload, HEVCSets.type(of: unit)) else { return nil }
    return place.count(in: payload)
  }

  /// The number to add to the count of the picture that `unit` begins, so that it is not in `held`; 0 where
  /// it is not, and where counts cannot be changed.
  package func shift(_ unit: ArraySlice<UInt8>, awayFrom held: Set<UInt32>) -> UInt32 {
    let payload = NALEscaping.unescaped(unit.dropFirst(2).prefix(64))
    // Long-term reference pictures are identified by their counts.
    guard let place = place(in: payload, HEVCSets.type(of: unit)), place.bits > 0,
      !place.sequence.hasLongTermPictures, let count = place.count(in: payload)
    else { return 0 }
    return (0...UInt32(held.count)).first { !held.contains((count + $0) & place.mask) } ?? 0
  }

  /// The slice with its count shifted; unchanged where it states none.
  ///
  /// - Returns: `nil` where it is not understood.
  package func moved(_ unit: ArraySlice<UInt8>, by shift: UInt32) -> [UInt8]? {
    let payload = NALEscaping.unescaped(unit.dropFirst(2))
    guard let place = place(in: payload, HEVCSets.type(of: unit)) else {
      return isDependent(payload, HEVCSets.type(of: unit)) ? Array(unit) : nil
    }
    guard place.bits > 0 else { return Array(unit) }
    guard let count = place.count(in: payload) else { return nil }
    var writer = BitWriter()
    writer.copy(payload, from: 0, to: place.position)
    writer.write((count &+ shift) & place.mask, bits: place.bits)
    writer.copy(payload, from: place.position + place.bits, to: payload.count * 8)
    return unit.prefix(2) + NALEscaping.escaped(writer.bytes)
  }

  private func isDependent(_ payload: [UInt8], _ type: UInt8) -> Bool {
    var reader = SyntaxReader(payload)
    return (try? start(&reader, type)?.isDependent) == true
  }

  private func place(in payload: [UInt8], _ type: UInt8) -> Place? {
    var reader = SyntaxReader(payload)
    do {
      guard let start = try start(&reader, type), !start.isDependent else { return nil }
      try reader.skip(start.picture.extraBits)
      _ = try reader.unsigned(upTo: 2)
      if start.picture.hasOutputFlag { try reader.skip(1) }
      if start.sequence.hasSeparatePlanes { try reader.skip(2) }
      let isInstant = HEVCSliceHeader.instantTypes.contains(type)
      return Place(
        position: reader.position, bits: isInstant ? 0 : start.sequence.orderBits,
        sequence: start.sequence)
    } catch {
      return nil
    }
  }

  /// Reads up to slice_segment_address.
  private func start(
    _ reader: inout SyntaxReader, _ type: UInt8
  ) throws(SyntaxReader.NotUnderstood) -> (picture: HEVCPPS, sequence: HEVCSPS, isDependent: Bool)?
  {
    let isFirst = try reader.flag()
    if HEVCSliceHeader.entryTypes.contains(type) { try reader.skip(1) }
    guard let picture = pictures[try reader.unsigned()],
      let sequence = sequences[picture.sequenceID]
    else { return nil }
    var isDependent = false
    if !isFirst {
      if picture.hasDependentSlices { isDependent = try reader.flag() }
      try reader.skip(sequence.addressBits)
    }
    return (picture, sequence, isDependent)
  }
}
