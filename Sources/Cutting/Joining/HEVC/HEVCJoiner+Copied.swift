import Bitstreams
import MediaFiles

/// Copied pictures: if the first is a CRA picture it becomes a BLA picture, and the POC of all is
/// offset where it would collide.
extension HEVCJoiner {
  mutating func copied(
    _ bytes: () throws(MediaError) -> [UInt8], as role: CopiedRole
  ) throws(MediaError) -> [UInt8]? {
    guard hasSeam, role == .entry || shift > 0 else { return nil }
    var units: [[UInt8]] = []
    var isChanged = false
    var hasSets = false
    var isFirst = true
    for unit in NALUnits(bytes: try bytes()[...], framing: framing) {
      let type = HEVCSets.type(of: unit)
      hasSets = hasSets || type == HEVCSets.sequence
      counts.add(unit)
      var copy = Array(unit)
      if HEVCOrderCounts.isSlice(unit) {
        if role == .entry, isFirst { shift = counts.shift(unit, awayFrom: held) }
        isFirst = false
        copy = try moved(unit)
      }
      if role == .entry, type == Self.cleanAccess { copy = Self.broken(copy[...]) }
      isChanged = isChanged || copy != Array(unit)
      units.append(copy)
    }
    if case .annexB = framing, role == .entry, !hasSets {
      units = source.all + units
      isChanged = true
    }
    return isChanged ? framing.pack(units) : nil
  }

  /// A slice with its POC offset; from an IDR picture on there is no offset.
  private mutating func moved(_ slice: ArraySlice<UInt8>) throws(MediaError) -> [UInt8] {
    if HEVCSliceHeader.instantTypes.contains(HEVCSets.type(of: slice)) { shift = 0 }
    guard shift > 0 else { return Array(slice) }
    guard let moved = counts.moved(slice, by: shift) else {
      throw MediaError(
        .notCuttable,
        "the POC of its HEVC pictures collides with that of another part and cannot be changed",
        hint: "Cut the parts into separate files.")
    }
    return moved
  }

  private static let cleanAccess: UInt8 = 21
  private static let brokenWithoutLeading: UInt8 = 18

  /// Converts a slice of a CRA picture to one of a BLA picture without leading pictures: the
  /// syntax is the same, and earlier pictures are still output.
  private static func broken(_ unit: ArraySlice<UInt8>) -> [UInt8] {
    var copy = Array(unit)
    copy[0] = brokenWithoutLeading << 1 | copy[0] & 0x81
    // no_output_of_prior_pics_flag is the second bit of the header.
    if copy.count > 2 { copy[2] &= ~0x40 }
    return copy
  }
}
