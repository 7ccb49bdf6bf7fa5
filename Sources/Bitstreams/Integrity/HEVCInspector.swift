/// Looks for damage in samples of HEVC (ITU-T H.265, 7.3 and 7.4).
package struct HEVCInspector {
  private var sets: HEVCSets
  private var pictureNumbers: Set<UInt32>
  private let framing: Framing

  package init(configuration: [UInt8], framing: Framing) {
    sets = HEVCSets(configuration: configuration)
    pictureNumbers = sets.numbers(of: HEVCSets.picture)
    self.framing = framing
  }

  package mutating func fault(in sample: [UInt8]) -> PacketFault? {
    let units = NALUnits(bytes: sample[...], framing: framing)
    guard units.fillSample else { return .structure("a unit is longer than its sample") }
    var hasUnits = false
    for unit in units {
      guard let first = unit.first else { continue }
      hasUnits = true
      guard unit.count > 1, first & 0x80 == 0, unit[unit.startIndex + 1] & 7 != 0 else {
        return .header("the header of a unit has an impossible value")
      }
      let type = HEVCSets.type(of: unit)
      switch type {
      case 0...9, 16...21:
        if let fault = sliceFault(unit, type) { return fault }
      case HEVCSets.picture:
        sets.add([unit])
        pictureNumbers = sets.numbers(of: HEVCSets.picture)
      default: break
      }
      if ZeroRuns.breaksEmulationPrevention(unit) {
        return .structure("bytes inside a unit look like a start code")
      }
    }
    return hasUnits ? nil : .structure("it contains no units")
  }

  /// first_slice_segment_in_pic_flag, no_output_of_prior_pics_flag for IRAP pictures, and the PPS ID
  /// (7.3.6.1); enhancement layers have separate sets.
  private func sliceFault(_ unit: ArraySlice<UInt8>, _ type: UInt8) -> PacketFault? {
    let layer = unit[unit.startIndex] & 1 << 5 | unit[unit.startIndex + 1] >> 3
    guard layer == 0, !pictureNumbers.isEmpty else { return nil }
    var reader = BitReader(NALEscaping.unescaped(unit.dropFirst(2).prefix(16)))
    guard reader.skip((16...23).contains(type) ? 2 : 1),
      let number = reader.exponentialGolomb(), pictureNumbers.contains(number)
    else { return .header("a slice refers to a picture parameter set that is missing") }
    return nil
  }
}
