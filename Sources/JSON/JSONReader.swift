/// Reads JSON (RFC 8259) strictly: anything that another reader could interpret differently is
/// rejected.
///
/// In addition to grammar violations, it rejects duplicate members, unpaired surrogates, invalid
/// UTF-8, and nesting beyond ``deepest``.
package struct JSONReader {
  /// An error in the text, and where it is.
  package struct Failure: Error, Equatable {
    package enum Reason: Equatable {
      case unexpectedEnd
      case unexpectedCharacter
      case invalidUTF8
      case controlCharacter
      case unknownEscape
      case loneSurrogate
      case duplicateMember(String)
      case tooDeep
      case trailingText
    }

    package var reason: Reason
    /// The offset in bytes from the start of the text.
    package var offset: Int

    package init(reason: Reason, offset: Int) {
      self.reason = reason
      self.offset = offset
    }
  }

  package static let deepest = 32

  private let bytes: ArraySlice<UInt8>
  private var position: Int

  /// Reads one value that spans the whole text.
  package static func read(_ bytes: ArraySlice<UInt8>) throws(Failure) -> JSONValue {
    var reader = JSONReader(bytes: bytes, position: bytes.startIndex)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.position == bytes.endIndex else { throw reader.failure(.trailingText) }
    return value
  }

  package static func read(_ bytes: [UInt8]) throws(Failure) -> JSONValue { try read(bytes[...]) }

  private func failure(_ reason: Failure.Reason, at position: Int? = nil) -> Failure {
    Failure(reason: reason, offset: (position ?? self.position) - bytes.startIndex)
  }

  private var byte: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte, Self.isSpace(byte) { position += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  private mutating func take(_ wanted: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: wanted) else { return false }
    position += 1
    return true
  }

  private func unexpected() -> Failure {
    failure(byte == nil ? .unexpectedEnd : .unexpectedCharacter)
  }

  private mutating func value(depth: Int) throws(Failure) -> JSONValue {
    skipSpace()
    guard let byte else { throw failure(.unexpectedEnd) }
    switch byte {
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try array(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(_ text: String, _ value: JSONValue) throws(Failure) -> JSONValue {
    for expected in text.utf8 {
      guard byte == expected else { throw unexpected() }
      position += 1
    }
    return value
  }

  private mutating func object(depth: Int) throws(Failure) -> JSONValue {
    guard depth <= Self.deepest else { throw failure(.tooDeep) }
    position += 1
    var members: [JSONValue.Member] = []
    var keys = KeySet()
    skipSpace()
    if take("}") { return .object(members) }
    while true {
      skipSpace()
      let start = position
      guard byte == UInt8(ascii: "\"") else { throw unexpected() }
      let key = try string()
      guard keys.insert(key, among: members) else {
        throw failure(.duplicateMember(key), at: start)
      }
      skipSpace()
      guard take(":") else { throw unexpected() }
      members.append(JSONValue.Member(key: key, value: try value(depth: depth)))
      skipSpace()
      if take("}") { return .object(members) }
      guard take(",") else { throw unexpected() }
    }
  }

  private mutating func array(depth: Int) throws(Failure) -> JSONValue {
    guard depth <= Self.deepest else { throw failure(.tooDeep) }
    position += 1
    var elements: [JSONValue] = []
    skipSpace()
    if take("]") { return .array(elements) }
    while true {
      elements.append(try value(depth: depth))
      skipSpace()
      if take("]") { return .array(elements) }
      guard take(",") else { throw unexpected() }
    }
  }
}

/// The names of an object's members so far.
private struct KeySet {
  /// Empty while there are few members.
  private var names: Set<String> = []
  private static let few = 24

  /// - Returns: `false` if the name already exists.
  mutating func insert(_ name: String, among members: [JSONValue.Member]) -> Bool {
    guard members.count >= Self.few else { return !members.contains { $0.key == name } }
    if names.isEmpty { names = Set(members.map(\.key)) }
    return names.insert(name).inserted
  }
}

extension JSONReader {
  private static let exactInteger: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

  /// Parses a number (RFC 8259, section 6); one that a `Double` cannot represent exactly keeps its
  /// spelling.
  private mutating func number() throws(Failure) -> JSONValue {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    var isInteger = true
    if take(".") {
      isInteger = false
      try digits()
    }
    if take("e") || take("E") {
      isInteger = false
      _ = take("+") || take("-")
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let number = Int64(text), Self.exactInteger.contains(number), text != "-0" {
      return .integer(number)
    }
    return .number(text)
  }

  private mutating func digits() throws(Failure) {
    let start = position
    while let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw unexpected() }
  }

  private mutating func string() throws(Failure) -> String {
    let start = position
    position += 1
    while let byte, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
      position += 1
    }
    // Most strings have no escapes.
    if byte == UInt8(ascii: "\"") {
      let text = bytes[(start + 1)..<position]
      position += 1
      guard let string = String(validating: text, as: UTF8.self) else {
        throw failure(.invalidUTF8, at: start)
      }
      return string
    }
    var text = Array(bytes[(start + 1)..<position])
    while true {
      guard let byte else { throw failure(.unexpectedEnd) }
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        guard let string = String(validating: text, as: UTF8.self) else {
          throw failure(.invalidUTF8, at: start)
        }
        return string
      case UInt8(ascii: "\\"):
        try text.append(contentsOf: UTF8.encode(escape()) ?? UTF8.encodedReplacementCharacter)
      case ..<0x20: throw failure(.controlCharacter)
      default:
        text.append(byte)
        position += 1
      }
    }
  }

  private mutating func escape() throws(Failure) -> Unicode.Scalar {
    let start = position
    position += 1
    guard let byte else { throw failure(.unexpectedEnd) }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try codeUnit()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      guard unit & 0xFC00 == 0xD800, take("\\"), take("u") else {
        throw failure(.loneSurrogate, at: start)
      }
      let low = try codeUnit()
      let value = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF))
      guard low & 0xFC00 == 0xDC00, let scalar = Unicode.Scalar(value) else {
        throw failure(.loneSurrogate, at: start)
      }
      return scalar
    default: throw failure(.unknownEscape, at: start)
    }
  }

  private mutating func codeUnit() throws(Failure) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte else { throw failure(.unexpectedEnd) }
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt16(byte & 0xF)
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        unit = unit << 4 | UInt16(byte & 0xF) + 9
      default: throw failure(.unexpectedCharacter)
      }
      position += 1
    }
    return unit
  }
}

extension JSONReader.Failure: CustomStringConvertible {
  package var description: String {
    switch reason {
    case .unexpectedEnd: "it ends unexpectedly"
    case .unexpectedCharacter: "unexpected character at byte \(offset)"
    case .invalidUTF8: "the string at byte \(offset) is not UTF-8"
    case .controlCharacter: "byte \(offset) is a control character inside a string"
    case .unknownEscape: "the escape at byte \(offset) is not one of JSON's"
    case .loneSurrogate:
      "the escape at byte \(offset) is half of a surrogate pair, which is not a character"
    case .duplicateMember(let key): "the member '\(key)' occurs again at byte \(offset)"
    case .tooDeep: "it nests deeper than \(JSONReader.deepest) levels at byte \(offset)"
    case .trailingText: "more follows at byte \(offset), after the value"
    }
  }
}

extension JSONValue {
  /// A member of an object; `nil` if there is none, or this is not an object.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// An integer, even if the writer had to encode it as text.
  package var exactInteger: Int64? {
    switch self {
    case .integer(let number): number
    case .string(let text): Int64(text)
    default: nil
    }
  }
}
