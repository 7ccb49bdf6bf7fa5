/// How a cell looks besides its character.
public struct Style: Hashable, Sendable {
  public var foreground: Color
  public var background: Color
  public var emphasis: Emphasis

  /// The terminal's own colours, so that themes and contrast settings rule.
  public static let plain = Style()

  public init(
    foreground: Color = .standard, background: Color = .standard, emphasis: Emphasis = []
  ) {
    self.foreground = foreground
    self.background = background
    self.emphasis = emphasis
  }

  /// This style with the given emphasis added.
  public func with(_ added: Emphasis) -> Style {
    Style(foreground: foreground, background: background, emphasis: emphasis.union(added))
  }
}

/// Bold, dim, underlined, reversed, in any combination.
public struct Emphasis: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public static let bold = Emphasis(rawValue: 1 << 0)
  public static let dim = Emphasis(rawValue: 1 << 1)
  public static let underline = Emphasis(rawValue: 1 << 2)
  public static let reverse = Emphasis(rawValue: 1 << 3)

  public init(rawValue: UInt8) { self.rawValue = rawValue }
}
