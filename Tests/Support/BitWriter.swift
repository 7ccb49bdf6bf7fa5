/// Writes bits, most significant first, as in video headers.
package struct BitWriter: Sendable {
  package private(set) var bytes: [UInt8] = []
  private var used = 8

  package init() {}

  package mutating func write(_ value: Int, bits count: Int) {
    var left = count
    while left > 0 {
      if used == 8 {
        bytes.append(0)
        used = 0
      }
      // As many as fit into this byte.
      let taken = min(left, 8 - used)
      left -= taken
      let part = value >> left & (1 << taken - 1)
      bytes[bytes.count - 1] |= UInt8(part << (8 - used - taken))
      used += taken
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
