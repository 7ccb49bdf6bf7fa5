/// A color as red, green and blue.
package struct RGBColor: Hashable, Sendable {
  package let red: UInt8
  package let green: UInt8
  package let blue: UInt8

  package static let black = RGBColor(0, 0, 0)
  package static let white = RGBColor(255, 255, 255)

  package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The relative luminance, from 0 to 1 (WCAG 2.2).
  package var luminance: Double {
    0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  /// The contrast ratio, from 1 to 21 (WCAG 2.2); text of normal size needs 4.5.
  package func contrast(with other: RGBColor) -> Double {
    let (a, b) = (luminance, other.luminance)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  package var isLight: Bool { contrast(with: .black) > contrast(with: .white) }

  private static func linear(_ component: UInt8) -> Double { linearized[Int(component)] }

  /// The sRGB transfer function (IEC 61966-2-1) for each of the 256 values.
  private static let linearized: [Double] = (0...255).map { value in
    let share = Double(value) / 255
    return share <= 0.04045 ? share / 12.92 : power((share + 0.055) / 1.055)
  }

  /// Raises to the power of 2.4 without the C library: the fifth root of the twelfth power, by
  /// Newton's method.
  private static func power(_ base: Double) -> Double {
    let squared = base * base
    let twelfth = squared * squared * squared * squared * squared * squared
    var root = 1.0
    for _ in 0..<64 { root -= (root - twelfth / (root * root * root * root)) / 5 }
    return root
  }
}

extension Color {
  /// The RGB color shown for it, from xterm's table; `nil` for the terminal's default.
  var shown: RGBColor? {
    switch self {
    case .standard: nil
    case .theme(let color): RGBColor(XtermPalette.color(at: color.rawValue))
    case .indexed(let index): RGBColor(XtermPalette.color(at: index))
    case .rgb(let red, let green, let blue): RGBColor(red, green, blue)
    }
  }
}

extension RGBColor {
  fileprivate init(_ components: XtermPalette.Components) {
    self.init(components.red, components.green, components.blue)
  }
}
