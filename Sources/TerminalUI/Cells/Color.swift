/// A requested color; a ``ColorDepth`` decides what is sent to the terminal.
package enum Color: Hashable, Sendable {
  /// The terminal's own text or background color.
  case standard
  /// One of the 16 colors of the user's theme.
  case theme(ThemeColor)
  /// One of the 256 colors in xterm's table.
  case indexed(UInt8)
  case rgb(UInt8, UInt8, UInt8)
}

/// The 16 colors that a theme defines, in the order of ECMA-48's SGR 30…37 and aixterm's 90…97.
package enum ThemeColor: UInt8, Hashable, Sendable, CaseIterable {
  case black
  case red
  case green
  case yellow
  case blue
  case magenta
  case cyan
  case white
  case brightBlack
  case brightRed
  case brightGreen
  case brightYellow
  case brightBlue
  case brightMagenta
  case brightCyan
  case brightWhite
}

/// How many colors a terminal can show.
package enum ColorDepth: Int, Comparable, Hashable, Sendable, CaseIterable {
  case none
  case sixteen
  case twoHundredFiftySix
  case trueColor

  package static func < (a: ColorDepth, b: ColorDepth) -> Bool { a.rawValue < b.rawValue }
}

extension Color {
  /// The nearest color that `depth` supports.
  package func reduced(to depth: ColorDepth) -> Color {
    switch (self, depth) {
    case (.standard, _), (_, .none): .standard
    case (.theme, _), (_, .trueColor): self
    case (.indexed(let index), .twoHundredFiftySix): .indexed(index)
    case (.rgb(let red, let green, let blue), .twoHundredFiftySix):
      .indexed(XtermPalette.nearest(to: (red, green, blue)))
    case (.indexed(let index), .sixteen):
      .theme(XtermPalette.nearestTheme(to: XtermPalette.color(at: index)))
    case (.rgb(let red, let green, let blue), .sixteen):
      .theme(XtermPalette.nearestTheme(to: (red, green, blue)))
    }
  }
}
