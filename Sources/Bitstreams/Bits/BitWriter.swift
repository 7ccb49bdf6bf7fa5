/// Writes bits, most significant first.
package struct BitWriter {
  package private(set) var bytes: [UInt8] = []
  package private(set) var count = 0

  package init() {}

  package mutating func write(_ value: UInt32, bits: Int) {
    for shift in stride(from: bits - 1, through: 0, by: -1) { add(value >> UInt32(shift) & 1 == 1) }
  }

  package mutating func flag(_ value: Bool) { add(value) }

  private mutating func add(_ bit: Bool) {
    if count % 8 == 0 { bytes.append(0) }
    if bit { bytes[count / 8] |= 0x80 >> UInt8(count % 8) }
    count += 1
  }

  /// ue(v) of ITU-T H.264, 9.1.
  package mutating func exponentialGolomb(_ value: UInt32) {
    let code = UInt64(value) + 1
    let length = 64 - code.leadingZeroBitCount
    write(0, bits: length - 1)
    for shift in stride(from: length - 1, through: 0, by: -1) {
      add(code >> UInt64(shift) & 1 == 1)
    }
  }

  /// se(v), 9.1.1.
  package mutating func signedExponentialGolomb(_ value: Int32) {
    exponentialGolomb(value > 0 ? UInt32(value) * 2 - 1 : value.magnitude * 2)
  }

  /// Copies a range of bits from other bytes.
  package mutating func copy(_ source: [UInt8], from start: Int, to end: Int) {
    var position = start
    // Whole bytes, where both sides are aligned.
    if count % 8 == 0, position % 8 == 0, end - position >= 8 {
      let whole = (end - position) / 8
      bytes.append(contentsOf: source[position / 8..<position / 8 + whole])
      count += whole * 8
      position += whole * 8
    }
    while position < end, position % 8 != 0 || end - position < 8 {
      add(source[position / 8] & (0x80 >> UInt8(position % 8)) != 0)
      position += 1
    }
    guard position < end else { return }
    let shift = UInt8(count % 8)
    while end - position >= 8 {
      let byte = source[position / 8]
      if shift == 0 {
        bytes.append(byte)
      } else {
        bytes[bytes.count - 1] |= byte >> shift
        bytes.append(byte << (8 - shift))
      }
      count += 8
      position += 8
    }
    while position < end {
      add(source[position / 8] & (0x80 >> UInt8(position % 8)) != 0)
      position += 1
    }
  }

  /// Writes the stop bit and zeros up to a byte boundary (rbsp_trailing_bits).
  package mutating func finish() {
    add(true)
    while count % 8 != 0 { add(false) }
  }

  /// Writes ones up to a byte boundary (cabac_alignment_one_bit).
  package mutating func alignWithOnes() {
    while count % 8 != 0 { add(true) }
  }
}
