extension String {
  /// The string as JSON has it (RFC 8259, section 7), in its quotes.
  var json: String {
    var text = "\""
    for scalar in unicodeScalars { text += Self.escaped(scalar, quote: "\"") }
    return text + "\""
  }

  /// The string as JSON5 has it, in single quotes.
  var json5: String {
    var text = "'"
    for scalar in unicodeScalars { text += Self.escaped(scalar, quote: "'") }
    return text + "'"
  }

  private static func escaped(_ scalar: Unicode.Scalar, quote: Unicode.Scalar) -> String {
    switch scalar {
    case quote, "\\": return "\\\(scalar)"
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    // The two are line ends in JavaScript, and so warned of by JSON5, section 5.2.
    case ..<" ", "\u{7F}", "\u{2028}", "\u{2029}":
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    default: return String(Character(scalar))
    }
  }
}
