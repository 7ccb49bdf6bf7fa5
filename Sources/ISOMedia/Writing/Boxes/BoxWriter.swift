/// Writes boxes: fields in big-endian order, sizes filled in when a box ends.
struct BoxWriter {
  private(set) var bytes: [UInt8] = []

  var count: Int { bytes.count }

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  mutating func u8(_ value: UInt8) { bytes.append(value) }

  mutating func u16(_ value: UInt16) {
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  mutating func u32(_ value: UInt32) {
    bytes.append(UInt8(truncatingIfNeeded: value >> 24))
    bytes.append(UInt8(truncatingIfNeeded: value >> 16))
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  mutating func u64(_ value: UInt64) {
    u32(UInt32(truncatingIfNeeded: value >> 32))
    u32(UInt32(truncatingIfNeeded: value))
  }

  mutating func i16(_ value: Int16) { u16(UInt16(bitPattern: value)) }
  mutating func i32(_ value: Int32) { u32(UInt32(bitPattern: value)) }
  mutating func i64(_ value: Int64) { u64(UInt64(bitPattern: value)) }
  mutating func fourCC(_ value: FourCC) { u32(value.rawValue) }
  mutating func raw(_ value: some Sequence<UInt8>) { bytes.append(contentsOf: value) }
  mutating func zeros(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }

  /// A 32-bit field in version 0 of a box, a 64-bit one in version 1.
  mutating func u32or64(_ value: UInt64, version: UInt8) {
    if version == 0 { u32(UInt32(truncatingIfNeeded: value)) } else { u64(value) }
  }

  mutating func box(_ type: FourCC, _ content: (inout BoxWriter) -> Void) {
    let start = bytes.count
    u32(0)
    fourCC(type)
    content(&self)
    // A header beyond 32 bits is refused entirely, so no size is ever truncated.
    overwrite(UInt32(truncatingIfNeeded: bytes.count - start), at: start)
  }

  mutating func fullBox(
    _ type: FourCC, version: UInt8 = 0, flags: UInt32 = 0, _ content: (inout BoxWriter) -> Void
  ) {
    box(type) {
      $0.u32(UInt32(version) << 24 | flags & 0xFF_FFFF)
      content(&$0)
    }
  }

  mutating func boxes(_ boxes: [ISORawBox]) {
    for box in boxes { raw(box.bytes) }
  }

  mutating func overwrite(_ value: UInt32, at position: Int) {
    for index in 0..<4 {
      bytes[position + index] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * index))
    }
  }

  mutating func overwrite(_ value: UInt64, at position: Int) {
    overwrite(UInt32(truncatingIfNeeded: value >> 32), at: position)
    overwrite(UInt32(truncatingIfNeeded: value), at: position + 4)
  }
}
