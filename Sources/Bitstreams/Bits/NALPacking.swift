extension Framing {
  /// Packs units into one sample in this framing.
  package func pack(_ units: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(units.reduce(0) { $0 + $1.count + 4 })
    for unit in units {
      switch self {
      case .annexB: bytes += [0, 0, 0, 1]
      case .lengthPrefixed(let size):
        for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
          bytes.append(UInt8(truncatingIfNeeded: unit.count >> shift))
        }
      }
      bytes += unit
    }
    return bytes
  }
}
