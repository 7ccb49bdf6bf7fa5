import MediaFacts

/// The parameter sets of an HEVC stream, as units, and the IDs they use (ITU-T H.265, 7.3.2).
package struct HEVCSets {
  package static let video: UInt8 = 32
  package static let sequence: UInt8 = 33
  package static let picture: UInt8 = 34

  package private(set) var units: [UInt8: [[UInt8]]] = [:]
  /// SEI messages in the configuration.
  package private(set) var messages: Set<[UInt8]> = []
  private let configuration: [UInt8]

  /// - Parameter bytes: an hvcC box, or units with start codes.
  package init(configuration bytes: [UInt8]) {
    configuration = bytes
    if case .lengthPrefixed = Framing(codec: .hevc, configuration: bytes) {
      readBox(bytes)
    } else {
      add(NALUnits(bytes: bytes[...], framing: .annexB))
    }
  }

  package static func type(of unit: some Collection<UInt8>) -> UInt8 {
    (unit.first ?? 0) >> 1 & 0x3F
  }

  package mutating func add(_ found: some Sequence<ArraySlice<UInt8>>) {
    for unit in found {
      let type = Self.type(of: unit)
      guard (Self.video...Self.picture).contains(type), unit.count > 2,
        !units[type, default: []].contains(Array(unit))
      else { continue }
      units[type, default: []].append(Array(unit))
    }
  }

  /// Adds sets, each replacing one of the same kind with the same ID, as they are active after these units.
  package mutating func renew(_ found: some Sequence<ArraySlice<UInt8>>) {
    for unit in found {
      let type = Self.type(of: unit)
      guard (Self.video...Self.picture).contains(type), unit.count > 2 else { continue }
      if let number = HEVCNumbering.number(of: Array(unit)) {
        units[type]?.removeAll { HEVCNumbering.number(of: $0) == number }
      }
      add([unit])
    }
  }

  /// Whether a unit is a parameter set that is not among these: a new one, or a replacement.
  package func isOther(_ unit: ArraySlice<UInt8>) -> Bool {
    let type = Self.type(of: unit)
    return (Self.video...Self.picture).contains(type) && units[type]?.contains(Array(unit)) != true
  }

  /// All sets in the required order.
  package var all: [[UInt8]] { (Self.video...Self.picture).flatMap { units[$0] ?? [] } }

  /// HEVCDecoderConfigurationRecord (ISO 14496-15, 8.3.3.1): 22 bytes, then arrays of units.
  private mutating func readBox(_ bytes: [UInt8]) {
    for unit in SetRecord.hevc(bytes).flatMap(\.units) {
      add([unit])
      if Self.type(of: unit) > 38 { messages.insert(Array(unit)) }
    }
  }

  /// The record with additional sets, each in the array of its type.
  package func box(adding more: [[UInt8]]) -> [UInt8] {
    guard configuration.count > 22 else { return configuration }
    var box = Array(configuration[..<22])
    var arrays = SetRecord.hevc(configuration)
    for unit in more {
      let type = Self.type(of: unit)
      if let place = arrays.firstIndex(where: { $0.header & 0x3F == type }) {
        arrays[place].units.append(unit[...])
      } else {
        arrays.append((0x80 | type, [unit[...]]))
      }
    }
    box.append(UInt8(arrays.count))
    for array in arrays { box += Self.array(array.header, array.units) }
    return box
  }

  /// The configuration record rewritten for the sets now active, including its profile, level and bit depth.
  package var renewedBox: [UInt8] {
    guard configuration.count > 23, let unit = units[Self.sequence]?.last,
      let coding = HEVCSPS(unit)?.coding
    else { return configuration }
    var box = Array(configuration[..<22])
    let header = NALEscaping.unescaped(unit[...])
    // general_profile_space to general_level_idc follow the NAL unit header and one more byte (7.3.2.2.1).
    if header.count > 15 { box.replaceSubrange(1..<13, with: header[3..<15]) }
    box[16] = 0xFC | UInt8(coding.chromaFormat & 3)
    box[17] = 0xF8 | UInt8(coding.lumaDepth & 7)
    box[18] = 0xF8 | UInt8(coding.chromaDepth & 7)
    let isComplete = configuration[23] & 0x80
    var arrays = (Self.video...Self.picture).map { ($0, units[$0] ?? []) }
    // The array count is one byte.
    for unit in messages.sorted(by: { $0.lexicographicallyPrecedes($1) }).prefix(64) {
      arrays.append((Self.type(of: unit), [unit]))
    }
    box.append(UInt8(arrays.count))
    for (type, units) in arrays { box += Self.array(isComplete | type, units) }
    return box
  }

  private static func array(_ header: UInt8, _ units: [some Collection<UInt8>]) -> [UInt8] {
    var bytes: [UInt8] = [header, UInt8(units.count >> 8 & 0xFF), UInt8(units.count & 0xFF)]
    for unit in units {
      bytes += [UInt8(unit.count >> 8 & 0xFF), UInt8(unit.count & 0xFF)] + unit
    }
    return bytes
  }

  /// The IDs of all sets of a type.
  package func numbers(of type: UInt8) -> Set<UInt32> {
    Set((units[type] ?? []).compactMap { HEVCNumbering.number(of: $0) })
  }
}
