import MediaFacts

/// Picture order counts of HEVC (ITU-T H.265, 8.3.1), packet by packet.
package struct HEVCPictureOrder {
  private struct PPS {
    var sequence: UInt32
    var hasOutputFlag: Bool
    var extraBits: Int
  }

  private var sequences: [UInt32: HEVCSPS] = [:]
  private var pictures: [UInt32: PPS] = [:]
  private let framing: Framing
  private var sequence: Int64 = 0
  /// State of the previous reference picture in the lowest sub-layer.
  private var high: Int64 = 0
  private var low: Int64 = 0
  /// Whether leading pictures of the last random access point are skipped.
  private var skipsLeading = false
  private var hasEnded = true

  private let countsSkipped: Bool

  package init(configuration: [UInt8], countsSkipped: Bool = false) {
    self.countsSkipped = countsSkipped
    framing = Framing(codec: .hevc, configuration: configuration)
    for unit in HEVCSets(configuration: configuration).all { add(set: unit[...]) }
  }

  package mutating func add(_ packet: ArraySlice<UInt8>) -> PictureOrder.Content {
    for unit in NALUnits(bytes: packet, framing: framing) where unit.count > 2 {
      // Enhancement layers are not shown.
      guard unit[unit.startIndex] & 1 == 0, unit[unit.startIndex + 1] >> 3 == 0 else { continue }
      switch HEVCSets.type(of: unit) {
      case 0...9, 16...21: return picture(unit)
      case HEVCSets.sequence, HEVCSets.picture: add(set: unit)
      case 36, 37: hasEnded = true
      default: continue
      }
    }
    return packet.isEmpty ? .nothing : .unknown
  }

  private mutating func add(set unit: ArraySlice<UInt8>) {
    let unit = unit.prefix(1024)
    if HEVCSets.type(of: unit) == HEVCSets.picture {
      var reader = BitReader(NALEscaping.unescaped(unit.dropFirst(2)))
      guard let number = reader.exponentialGolomb(), let sequence = reader.exponentialGolomb(),
        reader.skip(1), let hasOutputFlag = reader.flag(), let extra = reader.read(3)
      else { return }
      pictures[number] = PPS(
        sequence: sequence, hasOutputFlag: hasOutputFlag, extraBits: Int(extra))
    } else if HEVCSets.type(of: unit) == HEVCSets.sequence,
      let set = HEVCSPS(beginningOf: unit), set.reach >= .orderBits
    {
      sequences[set.id] = set
    }
  }

  /// The header of a picture's first slice (7.3.6.1).
  private mutating func picture(_ unit: ArraySlice<UInt8>) -> PictureOrder.Content {
    let type = HEVCSets.type(of: unit)
    let isEntry = (16...21).contains(type)
    let isInstant = type == 19 || type == 20
    var reader = BitReader(NALEscaping.unescaped(unit.dropFirst(2).prefix(64)))
    guard reader.flag() == true, reader.skip(isEntry ? 1 : 0),
      let number = reader.exponentialGolomb(), let picture = pictures[number],
      let set = sequences[picture.sequence], reader.skip(picture.extraBits),
      reader.exponentialGolomb() != nil
    else { return .unknown }
    var isShown = true
    if picture.hasOutputFlag {
      guard let shown = reader.flag() else { return .unknown }
      isShown = shown
    }
    if set.hasSeparatePlanes { reader.skip(2) }
    var stated: Int64 = 0
    if !isInstant {
      guard let bits = reader.read(set.orderBits) else { return .unknown }
      stated = Int64(bits)
    }
    let begins = isEntry && (isInstant || type < 19 || hasEnded)
    if isEntry {
      skipsLeading = begins
      hasEnded = false
    }
    let order = order(stated, set, begins: begins)
    if begins { sequence += 1 }
    let isLeading = (6...9).contains(type)
    let isUnreferenced = type < 16 && type % 2 == 0
    if unit[unit.startIndex + 1] & 7 == 1, !isLeading, !isUnreferenced {
      (high, low) = (order - stated, stated)
    }
    // RASL pictures refer to pictures before the random access point.
    if (8...9).contains(type), skipsLeading, !countsSkipped { return .nothing }
    return isShown
      ? .picture(PictureOrder.Place(sequence: sequence, order: order)) : .nothing
  }

  private func order(_ stated: Int64, _ set: HEVCSPS, begins: Bool) -> Int64 {
    if begins { return stated }
    let modulus = Int64(1) << Int64(set.orderBits)
    if stated < low, low - stated >= modulus / 2 { return high + modulus + stated }
    if stated > low, stated - low > modulus / 2 { return high - modulus + stated }
    return high + stated
  }
}
