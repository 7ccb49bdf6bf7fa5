import SafeText

/// Writes JSON that is safe to show on a terminal: valid UTF-8, with every control or deceptive
/// character escaped as `\uXXXX`.
package struct JSONWriter {
  package enum Layout: Sendable {
    /// One line, for NDJSON.
    case line
    /// Indented by two spaces, for people.
    case indented
  }

  private let layout: Layout
  private var bytes: [UInt8] = []

  /// The value and a newline.
  package static func write(_ value: JSONValue, _ layout: Layout) -> [UInt8] {
    var writer = JSONWriter(layout: layout)
    writer.append(value, depth: 0)
    writer.append(mark: "\n")
    return writer.bytes
  }

  /// Writes an object on one line, with one member, at any depth, that is already serialized.
  package static func line(
    _ members: [JSONValue.Member], _ key: String, _ text: JSONText, _ others: [JSONValue.Member]
  ) -> [UInt8] {
    var writer = JSONWriter(layout: .line)
    writer.append(mark: "{")
    for member in members {
      writer.append(member)
      writer.append(mark: ",")
    }
    writer.append(quoted: key)
    writer.append(mark: ":")
    writer.bytes += text.bytes
    for member in others {
      writer.append(mark: ",")
      writer.append(member)
    }
    writer.append("}\n")
    return writer.bytes
  }

  private mutating func append(_ member: JSONValue.Member) {
    append(quoted: member.key)
    append(layout == .line ? ":" : ": ")
    append(member.value, depth: 0)
  }

  private init(layout: Layout) { self.layout = layout }

  private static let exactInteger: Int64 = 1 << 53

  private mutating func append(_ value: JSONValue, depth: Int) {
    switch value {
    case .null: append("null")
    case .bool(let flag): append(flag ? "true" : "false")
    case .integer(let number):
      let isExact = (-Self.exactInteger...Self.exactInteger).contains(number)
      append(isExact ? "\(number)" : "\"\(number)\"")
    case .number(let text): append(text)
    case .string(let text): append(quoted: text)
    case .array(let elements):
      append(mark: "[")
      for (number, element) in elements.enumerated() {
        separate(number, depth: depth + 1)
        append(element, depth: depth + 1)
      }
      if !elements.isEmpty { appendBreak(depth) }
      append(mark: "]")
    case .object(let members):
      append(mark: "{")
      for (number, member) in members.enumerated() {
        separate(number, depth: depth + 1)
        append(quoted: member.key)
        append(layout == .line ? ":" : ": ")
        append(member.value, depth: depth + 1)
      }
      if !members.isEmpty { appendBreak(depth) }
      append(mark: "}")
    }
  }

  private mutating func separate(_ number: Int, depth: Int) {
    if number > 0 { append(mark: ",") }
    appendBreak(depth)
  }

  private mutating func appendBreak(_ depth: Int) {
    guard layout == .indented else { return }
    append(mark: "\n")
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }

  private mutating func append(mark: Unicode.Scalar) { bytes.append(UInt8(ascii: mark)) }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func append(quoted text: String) {
    append(mark: "\"")
    if text.utf8.allSatisfy(Self.isPlain) { append(text) } else { append(escaping: text) }
    append(mark: "\"")
  }

  /// Whether a byte is a character that needs no escape inside quotes.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func append(escaping text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": append("\\\"")
      case "\\": append("\\\\")
      case "\n": append("\\n")
      case "\r": append("\\r")
      case "\t": append("\\t")
      case _ where ForeignText.deceives(scalar): append(escaped: scalar)
      default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }

  private mutating func append(escaped scalar: Unicode.Scalar) {
    for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
      let digits = String(unit, radix: 16)
      append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    }
  }
}
