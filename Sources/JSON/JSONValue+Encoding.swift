extension JSONValue {
  /// Encodes a value as JSON, with keys in snake_case as in all of this tool's documents.
  ///
  /// - Throws: `EncodingError` for a `Float` or a `Double`: times are exact here.
  package static func encoded(_ value: some Encodable) throws -> JSONValue {
    let slot = Slot()
    try slot.encode(value, [])
    return slot.value
  }

  /// `headSource` as `head_source`.
  package static func key(_ name: String) -> String {
    // Property names are ASCII, and most have no capitals.
    let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
    guard name.utf8.contains(where: { capitals.contains($0) }) else { return name }
    var key: [UInt8] = []
    for byte in name.utf8 {
      if capitals.contains(byte) { key.append(UInt8(ascii: "_")) }
      key.append(capitals.contains(byte) ? byte | 0x20 : byte)
    }
    return String(decoding: key, as: UTF8.self)
  }

  /// `head_source` as `headSource`.
  static func name(_ key: String) -> String {
    let words = key.split(separator: "_", omittingEmptySubsequences: false)
    return words.dropFirst().reduce(words.first.map(String.init) ?? "") { name, word in
      name + word.prefix(1).uppercased() + word.dropFirst()
    }
  }
}

extension JSONValue {
  /// The standard library's integers.
  ///
  /// Asking a type whether it is one searches all conformances of the program, once for each type: a fifth of the
  /// time of a short command.
  static let integers: [ObjectIdentifier: any (FixedWidthInteger & Sendable).Type] = {
    let types: [any (FixedWidthInteger & Sendable).Type] = [
      Int.self, Int128.self, Int64.self, Int32.self, Int16.self, Int8.self,
      UInt.self, UInt128.self, UInt64.self, UInt32.self, UInt16.self, UInt8.self,
    ]
    return Dictionary(uniqueKeysWithValues: types.map { (ObjectIdentifier($0), $0) })
  }()
}

/// A place for a value that is still being encoded.
private final class Slot {
  private enum Kind {
    case value(JSONValue)
    case array
    case object
  }

  /// An element of an array or an object: most are numbers or strings and known immediately.
  private enum Part {
    case value(JSONValue)
    case slot(Slot)

    var value: JSONValue {
      switch self {
      case .value(let value): value
      case .slot(let slot): slot.value
      }
    }
  }

  private var kind = Kind.value(.null)
  private var parts: [Part] = []
  private var keys: [String] = []

  var value: JSONValue {
    switch kind {
    case .value(let value): value
    case .array: .array(parts.map(\.value))
    case .object:
      .object(zip(keys, parts).map { JSONValue.Member(key: $0, value: $1.value) })
    }
  }

  var count: Int { parts.count }

  func becomeArray() { kind = .array }
  func becomeObject() { kind = .object }

  func appended() -> Slot {
    let slot = Slot()
    parts.append(.slot(slot))
    return slot
  }

  func member(_ key: any CodingKey) -> Slot {
    keys.append(JSONValue.key(key.stringValue))
    return appended()
  }

  func add(_ value: JSONValue, as key: any CodingKey) {
    keys.append(JSONValue.key(key.stringValue))
    parts.append(.value(value))
  }

  func encode(_ value: some Encodable, _ path: [any CodingKey]) throws {
    switch value {
    case let flag as Bool: kind = .value(.bool(flag))
    case let text as String: kind = .value(.string(text))
    case is Double, is Float:
      throw EncodingError.invalidValue(
        value, .init(codingPath: path, debugDescription: "times are exact here"))
    default:
      guard JSONValue.integers[ObjectIdentifier(type(of: value))] != nil,
        let number = value as? any BinaryInteger
      else { return try value.encode(to: SlotEncoder(slot: self, codingPath: path)) }
      kind = .value(Int64(exactly: number).map(JSONValue.integer) ?? .string("\(number)"))
    }
  }

  func encodeNil() { kind = .value(.null) }
}

private struct SlotEncoder: Encoder {
  let slot: Slot
  var codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    slot.becomeObject()
    return KeyedEncodingContainer(Members(slot: slot, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    slot.becomeArray()
    return Elements(slot: slot, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    Single(slot: slot, codingPath: codingPath)
  }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let slot: Slot
  var codingPath: [any CodingKey]

  mutating func encodeNil(forKey key: Key) { slot.add(.null, as: key) }

  // Separate overloads avoid a dynamic type check.
  mutating func encode(_ value: Bool, forKey key: Key) { slot.add(.bool(value), as: key) }
  mutating func encode(_ value: String, forKey key: Key) { slot.add(.string(value), as: key) }
  mutating func encode(_ value: Int, forKey key: Key) { slot.add(.integer(value), as: key) }
  mutating func encode(_ value: Int64, forKey key: Key) { slot.add(.integer(value), as: key) }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try slot.member(key).encode(value, codingPath + [key])
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder(key).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { SlotEncoder(slot: slot, codingPath: codingPath) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

  private func encoder(_ key: Key) -> SlotEncoder {
    SlotEncoder(slot: slot.member(key), codingPath: codingPath + [key])
  }
}

private struct Elements: UnkeyedEncodingContainer {
  let slot: Slot
  var codingPath: [any CodingKey]
  var count: Int { slot.count }

  mutating func encodeNil() { slot.appended().encodeNil() }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    try slot.appended().encode(value, codingPath)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    encoder().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { encoder() }

  private func encoder() -> SlotEncoder {
    SlotEncoder(slot: slot.appended(), codingPath: codingPath)
  }
}

private struct Single: SingleValueEncodingContainer {
  let slot: Slot
  var codingPath: [any CodingKey]

  mutating func encodeNil() { slot.encodeNil() }
  mutating func encode<Value: Encodable>(_ value: Value) throws {
    try slot.encode(value, codingPath)
  }
}
