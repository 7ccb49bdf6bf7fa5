/// A colour as asked for; a ``ColorDepth`` decides what the terminal is told.
package enum Color: Hashable, Sendable {
  /// The terminal's own text or background colour.
  case standard
  /// One of the 16 colours of the user's theme.
  case theme(ThemeColor)
  /// One of the 256 of xterm's table.
  case indexed(UInt8)
  case rgb(UInt8, UInt8, UInt8)
}

/// The 16 colours that a theme defines, in the order of ECMA-48's SGR 30…37 and aixterm's 90…97.
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

/// How many colours a terminal can show.
package enum ColorDepth: Int, Comparable, Hashable, Sendable, CaseIterable {
  case none
  case sixteen
  case twoHundredFiftySix
  case trueColor

  package static func < (a: ColorDepth, b: ColorDepth) -> Bool { a.rawValue < b.rawValue }
}

extension Color {
  /// The nearest colour that `depth` has.
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
