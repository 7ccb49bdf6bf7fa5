package import ExactTime
package import JSON

extension JSONValue {
  /// `{"value": "121/2", "seconds": 60.5}`: only `value` is read back.
  package static func time(_ value: Rational) -> JSONValue {
    .object([
      "value": .string(value.description),
      "seconds": .number(DecimalText.shortest(value)),
    ])
  }

  package static func time(_ value: MediaTime?) -> JSONValue {
    value.map { time($0.seconds) } ?? .null
  }
  package static func time(_ value: MediaDuration?) -> JSONValue {
    value.map { time($0.seconds) } ?? .null
  }

  /// An exact ratio such as `30000/1001`, always with its denominator.
  package static func ratio(_ value: Rational?) -> JSONValue {
    value.map { .string("\($0.numerator)/\($0.denominator)") } ?? .null
  }
}
