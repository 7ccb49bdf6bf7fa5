/// A JSON value whose members keep their order: the same facts always give the same bytes.
enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// Beyond 2^53 it is written as a string: most readers keep numbers as `Double`.
  case integer(Int64)
  /// A decimal number in its JSON spelling, made by our own formatter.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  struct Member: Sendable, Equatable {
    var key: String
    var value: JSONValue
  }

  /// An object with its members in the order of the literal.
  static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(Self.members(members))
  }

  static func members(_ members: KeyValuePairs<String, JSONValue>) -> [Member] {
    members.map { Member(key: $0.key, value: $0.value) }
  }

  static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
  static func optional(_ flag: Bool?) -> JSONValue { flag.map(JSONValue.bool) ?? .null }
  static func optional(_ number: Int?) -> JSONValue { number.map(JSONValue.integer) ?? .null }
  static func optional(_ number: Int64?) -> JSONValue { number.map(JSONValue.integer) ?? .null }

  static func integer(_ number: Int) -> JSONValue { .integer(Int64(number)) }
}
