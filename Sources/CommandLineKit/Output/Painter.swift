/// The role of a piece of text, for terminal colors; the text must be understandable without them.
package enum Emphasis: Sendable, CaseIterable {
  case plain, strong, heading, good, bad, dim
}

/// Adds color if the stream supports it.
package struct Painter: Sendable {
  package var usesColor: Bool

  package func paint(_ text: String, _ emphasis: Emphasis) -> String {
    guard usesColor, let code = Self.code(emphasis), !text.isEmpty else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  static let escape: UInt8 = 0x1B
  /// The sequences that begin a color, each once.
  static let starts = Set(Emphasis.allCases.compactMap(code)).map { Array("\u{1B}[\($0)m".utf8) }
  /// The sequence that ends any color.
  static let end = Array("\u{1B}[0m".utf8)

  /// SGR parameters (ECMA-48, 8.3.117).
  private static func code(_ emphasis: Emphasis) -> String? {
    switch emphasis {
    case .plain: nil
    case .strong, .heading: "1"
    case .good: "32"
    case .bad: "31"
    case .dim: "2"
    }
  }
}
