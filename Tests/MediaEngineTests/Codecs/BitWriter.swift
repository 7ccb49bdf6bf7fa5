/// Writes numbers of any width, most significant bit first, for a `BitReader` to read.
struct BitWriter {
  private(set) var bits: [Bool] = []

  /// Whole bytes, the last one padded with zeros.
  var bytes: [UInt8] {
    stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(0) { byte, offset in
        let index = start + offset
        return byte << 1 | (index < bits.count && bits[index] ? 1 : 0)
      }
    }
  }

  mutating func write(_ value: Int, _ count: Int) {
    for shift in (0..<count).reversed() { bits.append(value >> shift & 1 == 1) }
  }

  mutating func flag(_ value: Bool) { bits.append(value) }

  mutating func ue(_ value: Int) {
    let width = Int.bitWidth - (value + 1).leadingZeroBitCount
    write(0, width - 1)
    write(value + 1, width)
  }

  mutating func se(_ value: Int) { ue(value > 0 ? 2 * value - 1 : -2 * value) }

  /// The bytes that a closure writes.
  static func bytes(_ body: (inout BitWriter) -> Void) -> [UInt8] {
    var writer = BitWriter()
    body(&writer)
    return writer.bytes
  }
}
