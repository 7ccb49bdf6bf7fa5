import TerminalUI
import Testing

@Suite struct `Given a color and a terminal with fewer colors` {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let color: Color
    let depth: ColorDepth
    let expected: Color
  }

  static let cases = [
    Case(
      testDescription: "true colour stays", color: .rgb(1, 2, 3), depth: .trueColor,
      expected: .rgb(1, 2, 3)),
    Case(
      testDescription: "pure red among 256", color: .rgb(255, 0, 0), depth: .twoHundredFiftySix,
      expected: .indexed(196)),
    Case(
      testDescription: "a middle grey is a grey", color: .rgb(118, 118, 118),
      depth: .twoHundredFiftySix, expected: .indexed(243)),
    Case(
      testDescription: "black is the cube's", color: .rgb(0, 0, 0), depth: .twoHundredFiftySix,
      expected: .indexed(16)),
    Case(
      testDescription: "red among 16", color: .rgb(250, 10, 10), depth: .sixteen,
      expected: .theme(.brightRed)),
    Case(
      testDescription: "an index among 16", color: .indexed(21), depth: .sixteen,
      expected: .theme(.blue)),
    Case(
      testDescription: "a theme's colour stays", color: .theme(.yellow), depth: .sixteen,
      expected: .theme(.yellow)),
    Case(
      testDescription: "no colour at all", color: .theme(.yellow), depth: .none,
      expected: .standard),
    Case(
      testDescription: "the terminal's own", color: .standard, depth: .sixteen,
      expected: .standard),
  ]

  @Test(arguments: cases)
  func `the nearest available color is used`(_ given: Case) {
    #expect(given.color.reduced(to: given.depth) == given.expected)
  }

  @Test func `every entry of the color cube and the grays maps to itself`() {
    for index in UInt8(16)...255 {
      let wanted = Color.indexed(index).reduced(to: .twoHundredFiftySix)
      #expect(wanted == .indexed(index))
    }
  }
}
