/// Reads the fields of a box in sequence.
///
/// Past the end every field is zero and ``isShort`` is true: the parser of a box reads on and
/// checks once.
struct FieldReader {
  let view: ByteView
  private(set) var position = 0

  init(_ view: ByteView) { self.view = view }

  /// True when a field was read that is beyond the end of the box.
  var isShort: Bool { position > view.count }

  var remaining: Int { max(0, view.count - position) }

  mutating func skip(_ count: Int) { position = min(position &+ count, 1 << 40) }

  mutating func u8() -> UInt8 {
    defer { skip(1) }
    return view.u8(position)
  }

  mutating func u16() -> UInt16 {
    defer { skip(2) }
    return view.u16(position)
  }

  mutating func u32() -> UInt32 {
    defer { skip(4) }
    return view.u32(position)
  }

  mutating func u64() -> UInt64 {
    defer { skip(8) }
    return view.u64(position)
  }

  mutating func i16() -> Int16 { Int16(bitPattern: u16()) }
  mutating func i32() -> Int32 { Int32(bitPattern: u32()) }
  mutating func fourCC() -> FourCC { FourCC(rawValue: u32()) }

  /// A 32-bit field in version 0 of a box, a 64-bit one in version 1.
  mutating func u32or64(version: UInt8) -> UInt64 { version == 0 ? UInt64(u32()) : u64() }

  /// The version and flags of a full box (ISO 14496-12, 4.2).
  mutating func fullBoxHeader() -> (version: UInt8, flags: UInt32) {
    let word = u32()
    return (UInt8(truncatingIfNeeded: word >> 24), word & 0xFF_FFFF)
  }

  /// The next bytes, or as many as are left.
  mutating func bytes(_ count: Int) -> ByteView {
    defer { skip(max(0, count)) }
    return view.slice(from: position, count: count)
  }

  /// The remaining bytes.
  var rest: ByteView { view.slice(from: position) }
}
