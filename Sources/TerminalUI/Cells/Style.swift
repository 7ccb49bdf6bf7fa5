/// How a cell looks, apart from its character.
package struct Style: Hashable, Sendable {
  package var foreground: Color
  package var background: Color
  package var emphasis: Emphasis

  /// The terminal's default colors, so that themes and contrast settings apply.
  package static let plain = Style()

  package init(
    foreground: Color = .standard, background: Color = .standard, emphasis: Emphasis = []
  ) {
    self.foreground = foreground
    self.background = background
    self.emphasis = emphasis
  }

  /// This style with the given emphasis added.
  package func with(_ added: Emphasis) -> Style {
    Style(foreground: foreground, background: background, emphasis: emphasis.union(added))
  }
}

/// Bold, dim, underlined, reversed, in any combination.
package struct Emphasis: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package static let bold = Emphasis(rawValue: 1 << 0)
  package static let dim = Emphasis(rawValue: 1 << 1)
  package static let underline = Emphasis(rawValue: 1 << 2)
  package static let reverse = Emphasis(rawValue: 1 << 3)

  package init(rawValue: UInt8) { self.rawValue = rawValue }
}
