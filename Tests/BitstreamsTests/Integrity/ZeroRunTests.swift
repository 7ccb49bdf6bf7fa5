import Support
import Testing

@testable import Bitstreams

@Suite(.timeLimit(.minutes(1))) struct `Given the bytes of a NAL unit` {
  /// The rule as the standard states it, checked byte by byte.
  private static func isBroken(_ unit: [UInt8]) -> Bool {
    var end = unit.count
    while end > 0, unit[end - 1] == 0 { end -= 1 }
    for place in 0..<max(0, end) where place + 2 < end && unit[place] == 0 && unit[place + 1] == 0 {
      if unit[place + 2] < 3 { return true }
      if unit[place + 2] == 3, place + 3 < end, unit[place + 3] > 3 { return true }
    }
    return false
  }

  @Test func `then a forbidden run of zeros is found wherever it is`() {
    var random = SeededGenerator(seed: 3)
    var broken = 0
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...140, using: &random)
      var unit = (0..<count).map { _ in UInt8.random(in: 0...5, using: &random) }
      // Mostly bytes that occur in coded pictures.
      for place in unit.indices where Int.random(in: 0..<10, using: &random) < 6 {
        unit[place] = UInt8.random(in: 4 ... .max, using: &random)
      }
      let expected = Self.isBroken(unit)
      broken += expected ? 1 : 0
      #expect(ZeroRuns.breaksEmulationPrevention(unit[...]) == expected, "\(unit), \(random)")
    }
    #expect(broken > 200)
  }

  @Test func `then zeros at the end are no fault`() {
    #expect(!ZeroRuns.breaksEmulationPrevention([0x65, 0x88, 0x80, 0, 0, 0, 0][...]))
    // cabac_zero_words.
    #expect(!ZeroRuns.breaksEmulationPrevention([0x65, 0x88, 0x80, 0, 0, 3, 0, 0, 3][...]))
  }
}
