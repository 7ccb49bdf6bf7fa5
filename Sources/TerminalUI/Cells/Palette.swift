/// The text colors of a screen, all legible on the terminal's background.
///
/// Text keeps a contrast of 4.5 to the background that the terminal reports, or to both black and
/// white if it reports none. If no color does, the terminal's default is used: the text is
/// understandable without color.
package struct Palette: Hashable, Sendable {
  /// All is well.
  package let good: Style
  /// Something is wrong.
  package let bad: Style
  /// What should draw attention first.
  package let accent: Style
  /// Secondary information next to the accent.
  package let cool: Style
  /// What can be ignored at a glance.
  package let quiet: Style
  /// Text in a box over pictures, with its own background.
  package let box: Style
  /// The background color that the terminal reports.
  package let background: RGBColor?

  /// WCAG 2.2, success criterion 1.4.3.
  static let leastContrast = 4.5

  package init(depth: ColorDepth, background: RGBColor? = nil) {
    let pick = Pick(depth: depth, background: background)
    self.background = background
    good = pick.style(.good)
    bad = pick.style(.bad, emphasis: .bold)
    accent = pick.style(.accent)
    cool = pick.style(.cool)
    quiet = pick.style(.quiet)
    box = Self.box(depth, background)
  }

  private static func box(_ depth: ColorDepth, _ background: RGBColor?) -> Style {
    switch depth {
    case .none: .plain
    case .sixteen: Style(foreground: .theme(.brightWhite), background: .theme(.black))
    case .twoHundredFiftySix, .trueColor:
      background?.isLight == true
        ? Style(foreground: .rgb(18, 18, 18), background: .rgb(228, 228, 228))
        : Style(foreground: .rgb(238, 238, 238), background: .rgb(48, 48, 48))
    }
  }
}

/// Finds a legible color.
private struct Pick {
  let depth: ColorDepth
  let background: RGBColor?

  func style(_ candidates: [Color], emphasis: Emphasis = []) -> Style {
    let color = candidates.lazy.map { $0.reduced(to: depth) }.first(where: isReadable) ?? .standard
    // Terminals brighten bold colors of the 16, which changes the color.
    let isBrightened = depth == .sixteen && color != .standard
    return Style(foreground: color, emphasis: isBrightened ? [] : emphasis)
  }

  private func isReadable(_ color: Color) -> Bool {
    guard let shown = color.shown else { return false }
    return (background.map { [$0] } ?? [.black, .white]).allSatisfy {
      shown.contrast(with: $0) >= Palette.leastContrast
    }
  }
}

/// Candidates for a dark, a light, and an unknown background; all are in xterm's cube.
extension [Color] {
  fileprivate static let good: [Color] = [
    .rgb(95, 215, 135), .rgb(0, 95, 0), .rgb(0, 135, 95),
  ]
  fileprivate static let bad: [Color] = [
    .rgb(255, 135, 135), .rgb(175, 0, 0), .rgb(215, 0, 175),
  ]
  fileprivate static let accent: [Color] = [
    .rgb(255, 215, 95), .rgb(135, 95, 0), .rgb(175, 95, 95),
  ]
  fileprivate static let cool: [Color] = [
    .rgb(95, 215, 255), .rgb(0, 95, 175), .rgb(95, 95, 255),
  ]
  fileprivate static let quiet: [Color] = [
    .rgb(158, 158, 158), .rgb(98, 98, 98), .rgb(118, 118, 118),
  ]
}
