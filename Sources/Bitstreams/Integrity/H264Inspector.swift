/// Looks for damage in samples of H.264 (ITU-T H.264, 7.3 and 7.4).
package struct H264Inspector {
  private var sets: H264Sets
  private let framing: Framing
  /// True after parameter sets that cannot be parsed here: slices are then not checked.
  private var hasUnreadSets = false

  package init(configuration: [UInt8], framing: Framing) {
    sets = H264Sets(configuration: configuration)
    self.framing = framing
  }

  package mutating func fault(in sample: [UInt8]) -> PacketFault? {
    let units = NALUnits(bytes: sample[...], framing: framing)
    guard units.fillSample else { return .structure("a unit is longer than its sample") }
    var hasUnits = false
    for unit in units {
      guard let first = unit.first else { continue }
      hasUnits = true
      guard first & 0x80 == 0 else { return .header("the first bit of a unit is not 0") }
      let type = first & 0x1F
      switch type {
      case 1, 5:
        if let fault = sliceFault(unit) { return fault }
      case 7, 8:
        // A set replaces the one with the same ID, and a later one may switch back.
        sets.renew([unit])
        if sets.isOther(unit) { hasUnreadSets = true }
      case 0, 24...31: return .header("a unit is of an undefined type")
      default: break
      }
      if ZeroRuns.breaksEmulationPrevention(unit) {
        return .structure("bytes inside a unit look like a start code")
      }
    }
    return hasUnits ? nil : .structure("it contains no units")
  }

  private func sliceFault(_ unit: ArraySlice<UInt8>) -> PacketFault? {
    guard !sets.pictures.isEmpty, !hasUnreadSets else { return nil }
    // A header takes a few bytes, unless it has prediction weight tables.
    for limit in [64, 2048] {
      let payload = NALEscaping.unescaped(unit.dropFirst().prefix(limit))
      if H264SliceHeader(unit, payload: payload, sets: sets.sets) != nil { return nil }
      if unit.count <= limit { break }
    }
    return .header("the header of a slice cannot be read")
  }
}
