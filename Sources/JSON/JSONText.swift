/// A JSON object as originally written, on one line: known to contain no terminal control sequences
/// and nothing that two readers could interpret differently.
package struct JSONText: Sendable, Equatable {
  package let bytes: [UInt8]

  /// Returns `nil` for anything but what ``JSONWriter`` writes for an object of plain strings:
  /// anything else requires ``JSONReader``.
  package init?(object bytes: ArraySlice<UInt8>) {
    let isPlain = bytes.withUnsafeBufferPointer { bytes in
      var check = PlainCheck(bytes: bytes)
      return check.object(depth: 1) && check.position == bytes.count
    }
    guard isPlain else { return nil }
    self.bytes = Array(bytes)
  }
}

/// Checks the grammar of RFC 8259, without spaces, in printable ASCII.
private struct PlainCheck {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0
  /// The member names so far, with those of the current object after those of the enclosing ones.
  private var names: [Range<Int>] = []

  /// Objects with more members are rare.
  private static let mostMembers = 32

  init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The current byte; at the end 0, which never occurs in such text.
  private var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func take(_ wanted: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: wanted) else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) -> Bool {
    switch byte {
    case UInt8(ascii: "{"): object(depth: depth + 1)
    case UInt8(ascii: "["): array(depth: depth + 1)
    case UInt8(ascii: "\""): string()
    case UInt8(ascii: "t"): word("true")
    case UInt8(ascii: "f"): word("false")
    case UInt8(ascii: "n"): word("null")
    default: number()
    }
  }

  mutating func object(depth: Int) -> Bool {
    guard depth <= JSONReader.deepest, take("{") else { return false }
    if take("}") { return true }
    let outer = names.count
    defer { names.removeSubrange(outer...) }
    while names.count - outer < Self.mostMembers {
      let start = position
      guard string(), isNew(start..<position, behind: outer) else { return false }
      names.append(start..<position)
      guard take(":") else { return false }
      guard value(depth: depth) else { return false }
      if take("}") { return true }
      guard take(",") else { return false }
    }
    return false
  }

  /// Whether no other member has this name; a name with escapes could be spelled in several ways.
  private func isNew(_ name: Range<Int>, behind outer: Int) -> Bool {
    let name = bytes[name]
    return !name.contains(UInt8(ascii: "\\"))
      && names[outer...].allSatisfy { !bytes[$0].elementsEqual(name) }
  }

  private mutating func array(depth: Int) -> Bool {
    guard depth <= JSONReader.deepest, take("[") else { return false }
    if take("]") { return true }
    while value(depth: depth) {
      if take("]") { return true }
      guard take(",") else { return false }
    }
    return false
  }

  private mutating func word(_ text: StaticString) -> Bool {
    for index in 0..<text.utf8CodeUnitCount {
      guard byte == text.utf8Start[index] else { return false }
      position += 1
    }
    return true
  }

  private mutating func string() -> Bool {
    guard take("\"") else { return false }
    while (0x20...0x7E).contains(byte) {
      if take("\"") { return true }
      if take("\\"), !isEscape { return false }
      position += 1
    }
    return false
  }

  /// Whether a short escape used by the writer ends here.
  private var isEscape: Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "n"), UInt8(ascii: "r"),
      UInt8(ascii: "t"):
      true
    default: false
    }
  }

  private mutating func number() -> Bool {
    _ = take("-")
    guard take("0") || digits() else { return false }
    if take("."), !digits() { return false }
    if take("e") || take("E") {
      _ = take("+") || take("-")
      return digits()
    }
    return true
  }

  private mutating func digits() -> Bool {
    let start = position
    while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    return position > start
  }
}
