/// Bits of video and audio headers, most significant first.
package struct BitBuilder: Sendable {
  /// Whole bytes, the last one padded with zeros.
  package private(set) var bytes: [UInt8] = []
  private var used = 8

  package init() {}

  package mutating func write(_ value: Int, _ count: Int) {
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

  package mutating func flag(_ value: Bool) { write(value ? 1 : 0, 1) }

  /// An unsigned Exp-Golomb code (ITU-T H.264, 9.1).
  package mutating func ue(_ value: Int) {
    let width = Int.bitWidth - (value + 1).leadingZeroBitCount
    write(0, width - 1)
    write(value + 1, width)
  }

  /// A signed one (9.1.1).
  package mutating func se(_ value: Int) { ue(value > 0 ? 2 * value - 1 : -2 * value) }

  /// Whole bytes, after zero bits up to the next byte boundary.
  package mutating func write(aligned more: [UInt8]) {
    bytes += more
    used = 8
  }

  /// The stop bit and zeros up to the byte boundary (`rbsp_trailing_bits`).
  package mutating func finish() {
    write(1, 1)
    used = 8
  }

  /// The bytes that a closure writes.
  package static func bytes(_ body: (inout BitBuilder) -> Void) -> [UInt8] {
    var builder = BitBuilder()
    body(&builder)
    return builder.bytes
  }
}
