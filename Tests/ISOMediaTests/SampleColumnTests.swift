import Support
import Testing

@testable import ISOMedia

@Suite struct `Given a column of values` {
  @Test(arguments: 0..<50 as Range<UInt64>)
  func `then it holds the same values as an array, whatever the runs`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var column = SampleColumn<Int64>()
    var expected: [Int64] = []
    for _ in 0..<Int.random(in: 0..<8, using: &random) {
      let step = Int64.random(in: -2...2, using: &random)
      let goesOn = Bool.random(using: &random)
      let start =
        goesOn ? (expected.last ?? 0) + step : Int64.random(in: -5...5, using: &random)
      let count = Int.random(in: 0..<5, using: &random)
      let values = (0..<count).map { start + Int64($0) * step }
      if Bool.random(using: &random) {
        column.append(start, step: step, count: count)
      } else {
        for value in values { column.append(value) }
      }
      expected += values
    }
    #expect((0..<column.count).map { column[$0] } == expected, "seed \(seed)")
  }

  @Test func `then joined columns hold the values of both`() {
    var first = SampleColumn<UInt32>()
    first.append(7, step: 0, count: 3)
    var second = SampleColumn<UInt32>()
    for value: UInt32 in [1, 2, 4] { second.append(value) }
    first.append(contentsOf: second)
    #expect((0..<first.count).map { first[$0] } == [7, 7, 7, 1, 2, 4])
  }
}
