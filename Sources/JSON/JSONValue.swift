/// A JSON value whose members keep their order: the same facts always produce the same bytes.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// Beyond 2^53 it is written as a string: most readers keep numbers as `Double`.
  case integer(Int64)
  /// A decimal number in JSON spelling, produced by this tool's formatter.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  package struct Member: Sendable, Equatable {
    package var key: String
    package var value: JSONValue

    package init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// An object with its members in the order of the literal.
  package static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(Self.members(members))
  }

  package static func members(_ members: KeyValuePairs<String, JSONValue>) -> [Member] {
    members.map { Member(key: $0.key, value: $0.value) }
  }

  package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
  package static func optional(_ flag: Bool?) -> JSONValue { flag.map(JSONValue.bool) ?? .null }
  package static func optional(_ number: Int?) -> JSONValue {
    number.map(JSONValue.integer) ?? .null
  }
  package static func optional(_ number: Int64?) -> JSONValue {
    number.map(JSONValue.integer) ?? .null
  }

  package static func integer(_ number: Int) -> JSONValue { .integer(Int64(number)) }
}
