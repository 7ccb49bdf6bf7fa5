/// Writes bits, most significant first, as in video headers.
package struct BitWriter: Sendable {
  package private(set) var bytes: [UInt8] = []
  private var used = 8

  package init() {}

  package mutating func write(_ value: Int, bits count: Int) {
    for place in stride(from: count - 1, through: 0, by: -1) {
      if used == 8 {
        bytes.append(0)
        used = 0
      }
      bytes[bytes.count - 1] |= UInt8(value >> place & 1) << UInt8(7 - used)
      used += 1
    }
  }

  /// An unsigned Exp-Golomb code (ITU-T H.264, 9.1).
  package mutating func writeGolomb(_ value: Int) {
    let length = Int.bitWidth - (value + 1).leadingZeroBitCount
    write(0, bits: length - 1)
    write(value + 1, bits: length)
  }

  /// Whole bytes, after zero bits up to the next byte boundary.
  package mutating func write(aligned more: [UInt8]) {
    bytes += more
    used = 8
  }

  /// The stop bit and zeros up to the byte boundary (`rbsp_trailing_bits`).
  package mutating func finish() {
    write(1, bits: 1)
    used = 8
  }
}
