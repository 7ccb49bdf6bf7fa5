/// An ISO base media box to be written: any tree of boxes, valid or broken.
///
///     BoxBuilder("moov", [BoxBuilder("mvhd", fields: [.full(), .u32(0)])])
///
/// Sizes follow from the content unless one is claimed; nothing checks that the result makes sense.
package struct BoxBuilder: Sendable {
  package var type: String
  package var fields: [Field]
  package var children: [BoxBuilder]
  /// The size to be written in place of the true one.
  package var claimedSize: UInt64?
  /// Writes the 64-bit form of the size.
  package var isLarge = false

  package init(_ type: String, fields: [Field] = [], _ children: [BoxBuilder] = []) {
    self.type = type
    self.fields = fields
    self.children = children
  }

  /// The same box, claiming a different size.
  package func claiming(_ size: UInt64) -> BoxBuilder {
    var copy = self
    copy.claimedSize = size
    return copy
  }

  /// The same box with a 64-bit size.
  package func large() -> BoxBuilder {
    var copy = self
    copy.isLarge = true
    return copy
  }

  /// A big-endian field of a box.
  package enum Field: Sendable {
    case u8(UInt8)
    case u16(UInt16)
    case u32(UInt32)
    case u64(UInt64)
    case i16(Int16)
    case i32(Int32)
    case i64(Int64)
    case text(String)
    case bytes([UInt8])
    case zeros(Int)

    /// Version and flags of a full box.
    package static func full(_ version: UInt8 = 0, flags: UInt32 = 0) -> Field {
      .u32(UInt32(version) << 24 | flags & 0xFF_FFFF)
    }

    /// A 32-bit field in version 0, a 64-bit one in version 1.
    package static func u32or64(_ value: UInt64, version: UInt8) -> Field {
      version == 0 ? .u32(UInt32(truncatingIfNeeded: value)) : .u64(value)
    }

    package var bytes: [UInt8] {
      switch self {
      case .u8(let value): [value]
      case .u16(let value): Self.bigEndian(value)
      case .u32(let value): Self.bigEndian(value)
      case .u64(let value): Self.bigEndian(value)
      case .i16(let value): Self.bigEndian(UInt16(bitPattern: value))
      case .i32(let value): Self.bigEndian(UInt32(bitPattern: value))
      case .i64(let value): Self.bigEndian(UInt64(bitPattern: value))
      case .text(let text): Array(text.utf8)
      case .bytes(let bytes): bytes
      case .zeros(let count): [UInt8](repeating: 0, count: count)
      }
    }

    private static func bigEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
      withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
  }

  /// The box with its header.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// Some tests have thousands of boxes: each is written in its place, without copies of what it contains.
  fileprivate func append(to bytes: inout [UInt8]) {
    let start = bytes.count
    // A type is four Latin-1 characters, so that `©nam` is four bytes.
    let name = type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    bytes += [0, 0, 0, 0] + name + (isLarge ? Field.u64(0).bytes : [])
    for field in fields { bytes += field.bytes }
    for child in children { child.append(to: &bytes) }
    let size = claimedSize ?? UInt64(bytes.count - start)
    let short = Field.u32(isLarge ? 1 : UInt32(truncatingIfNeeded: size)).bytes
    bytes.replaceSubrange(start..<start + 4, with: short)
    if isLarge { bytes.replaceSubrange(start + 8..<start + 16, with: Field.u64(size).bytes) }
  }
}

extension [BoxBuilder] {
  /// The concatenated boxes: a file.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for box in self { box.append(to: &bytes) }
    return bytes
  }
}
