extension JSONValue {
  /// Decodes the value that ``encoded(_:)`` encoded.
  ///
  /// - Throws: `DecodingError`, naming the member that is missing or wrong.
  package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    try ValueDecoder(value: self, parents: []).decode(type)
  }
}

extension DecodingError {
  /// What is wrong and where in a plan, in one line.
  package var sentence: String { sentence(at: "plan") }

  /// What is wrong and where, in one line.
  ///
  /// - Parameter root: what the document is called.
  package func sentence(at root: String) -> String {
    let (words, context): (String, Context) =
      switch self {
      case .keyNotFound(let key, let context):
        ("the member '\(JSONValue.key(key.stringValue))' is missing", context)
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        (context.debugDescription, context)
      @unknown default: ("its form is not known", Context(codingPath: [], debugDescription: ""))
      }
    let path = context.codingPath.map { key in
      key.intValue.map { "[\($0)]" } ?? ".\(JSONValue.key(key.stringValue))"
    }
    return path.isEmpty ? words : "\(words) at \(root)\(path.joined())"
  }
}

private struct ValueDecoder: Decoder, SingleValueDecodingContainer {
  let value: JSONValue
  let parents: [any CodingKey]
  /// Appended to the parents only on demand: most values are a number or a string.
  var key: (any CodingKey)?
  var codingPath: [any CodingKey] { key.map { parents + [$0] } ?? parents }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch("an object") }
    return KeyedDecodingContainer(Members<Key>(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch("an array") }
    return Elements(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let flag) = value else { throw mismatch("true or false") }
    return flag
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .string(let text) = value else { throw mismatch("a string") }
    return text
  }

  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }

  private func integer<Number: FixedWidthInteger>() throws -> Number {
    guard let number = Self.number(value, as: Number.self) else { throw mismatch("a whole number") }
    return number
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    switch type {
    case is Bool.Type:
      guard let flag = try decode(Bool.self) as? Value else { throw mismatch("true or false") }
      return flag
    case is String.Type:
      guard let text = try decode(String.self) as? Value else { throw mismatch("a string") }
      return text
    default:
      guard let integer = JSONValue.integers[ObjectIdentifier(type)] else {
        return try type.init(from: self)
      }
      guard let number = Self.number(value, as: integer) as? Value else {
        throw mismatch("a whole number")
      }
      return number
    }
  }

  /// Integers that a `Double` cannot represent are written as strings.
  private static func number<Number: FixedWidthInteger>(
    _ value: JSONValue, as type: Number.Type
  ) -> Number? {
    switch value {
    case .integer(let number): Number(exactly: number)
    case .string(let text): Number(text)
    default: nil
    }
  }

  private func mismatch(_ wanted: String) -> DecodingError {
    .typeMismatch(
      JSONValue.self, .init(codingPath: codingPath, debugDescription: "\(wanted) is expected"))
  }
}

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [JSONValue.Member]
  var codingPath: [any CodingKey]
  var allKeys: [Key] {
    members.compactMap { Key(stringValue: $0.key) ?? Key(stringValue: JSONValue.name($0.key)) }
  }

  func contains(_ key: Key) -> Bool { value(key) != nil }
  func decodeNil(forKey key: Key) -> Bool { value(key).map { $0 == .null } ?? true }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder(key).decode(type)
  }

  // Separate overloads avoid a dynamic type check.
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(key).decode(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try decoder(key).decode(type)
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder(key).decode(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try decoder(key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder {
    ValueDecoder(value: .object(members), parents: codingPath)
  }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

  private func value(_ key: Key) -> JSONValue? {
    let name = JSONValue.key(key.stringValue)
    return members.first { $0.key == name }?.value
  }

  private func decoder(_ key: Key) throws -> ValueDecoder {
    guard let value = value(key) else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "it is missing"))
    }
    return ValueDecoder(value: value, parents: codingPath, key: key)
  }
}

private struct Elements: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  var codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(elements: [JSONValue], codingPath: [any CodingKey]) {
    self.elements = elements
    self.codingPath = codingPath
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() -> Bool {
    guard !isAtEnd, elements[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next().decode(type)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try next() }

  private mutating func next() throws -> ValueDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSONValue.self, .init(codingPath: codingPath, debugDescription: "the array is too short"))
    }
    defer { currentIndex += 1 }
    return ValueDecoder(value: elements[currentIndex], parents: codingPath)
  }
}
