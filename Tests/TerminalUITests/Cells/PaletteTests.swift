import Testing

@testable import TerminalUI

@Suite struct `Given the colors of a screen` {
  /// Black, white, and the backgrounds of themes in wide use.
  private static let backgrounds = [
    RGBColor.black, .white, RGBColor(29, 31, 33), RGBColor(40, 42, 54), RGBColor(0, 43, 54),
    RGBColor(253, 246, 227), RGBColor(46, 52, 64), RGBColor(250, 250, 250), RGBColor(30, 30, 46),
    RGBColor(239, 241, 245), RGBColor(128, 128, 128), RGBColor(48, 10, 36), RGBColor(255, 255, 221),
  ]

  private func words(_ palette: Palette) -> [Style] {
    [palette.good, palette.bad, palette.accent, palette.cool, palette.quiet]
  }

  @Test(arguments: ColorDepth.allCases)
  func `words are readable on any background that a terminal reports`(_ depth: ColorDepth) {
    for background in Self.backgrounds {
      for style in words(Palette(depth: depth, background: background)) {
        #expect(style.foreground.reduced(to: depth) == style.foreground)
        guard let shown = style.foreground.shown else { continue }
        #expect(shown.contrast(with: background) >= 4.5, "\(style) on \(background)")
      }
    }
  }

  @Test(arguments: ColorDepth.allCases)
  func `if none is reported, they are readable on black and on white`(_ depth: ColorDepth) {
    for style in words(Palette(depth: depth)) {
      guard let shown = style.foreground.shown else { continue }
      #expect(min(shown.contrast(with: .black), shown.contrast(with: .white)) >= 4.5, "\(style)")
    }
  }

  @Test func `there are colors on black, on white, and on an unknown background`() {
    for depth in [ColorDepth.twoHundredFiftySix, .trueColor] {
      for background in [RGBColor.black, .white, nil] {
        let palette = Palette(depth: depth, background: background)
        #expect(words(palette).allSatisfy { $0.foreground != .standard })
      }
    }
  }

  @Test(arguments: [ColorDepth.sixteen, .twoHundredFiftySix, .trueColor])
  func `a box over pictures has its own background`(_ depth: ColorDepth) throws {
    for background in Self.backgrounds + [nil] {
      let box = Palette(depth: depth, background: background).box
      let text = try #require(box.foreground.shown)
      let beneath = try #require(box.background.shown)
      #expect(text.contrast(with: beneath) >= 4.5)
    }
  }

  @Test func `contrast is computed as in the standard`() {
    #expect(abs(RGBColor.black.contrast(with: .white) - 21) < 0.001)
    #expect(abs(RGBColor(118, 118, 118).contrast(with: .white) - 4.54) < 0.01)
    #expect(abs(RGBColor(255, 255, 0).contrast(with: .white) - 1.07) < 0.01)
  }
}
