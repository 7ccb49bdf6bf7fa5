import Bitstreams
import Testing

@Suite struct `Given pictures of which some are stated hours away` {
  /// 40 pictures at distances of 40 ticks, every third decoded before the two that precede it.
  private static let pts: ContiguousArray<Int64> = ContiguousArray(
    (0..<13).flatMap { group in [3, 1, 2].map { Int64(group * 3 + $0) * 40 } } + [1600])

  private func moved(_ moves: [Int: Int64]) -> ContiguousArray<Int64> {
    var pts = Self.pts
    for (index, distance) in moves { pts[index] += distance }
    return pts
  }

  @Test(arguments: [
    [20: 9_000_000], [20: -9_000_000], [20: 9_000_000, 21: 9_000_000],
    [12: 9_000_000, 30: -70_000], [0: 9_000_000], [38: 9_000_000], [39: -9_000_000],
  ])
  func `then each takes the place that the others leave`(_ moves: [Int: Int64]) {
    let found = StrayTimes(moved(moves), least: 10_000).strays
    #expect(found.map(\.index) == moves.keys.sorted())
    #expect(found.map(\.pts) == moves.keys.sorted().map { Self.pts[$0] })
    #expect(found.map(\.stated) == moves.keys.sorted().map { Self.pts[$0] + (moves[$0] ?? 0) })
  }

  @Test func `when a pause or another clock begins then none is stray`() {
    let paused = ContiguousArray(Self.pts.enumerated().map { $0 < 20 ? $1 : $1 + 9_000_000 })
    let reset = ContiguousArray(Self.pts.enumerated().map { $0 < 20 ? $1 + 9_000_000 : $1 })
    let held = ContiguousArray(Self.pts.dropLast() + [9_000_000])
    for pts in [paused, reset, held, [0, 9_000_000, 9_000_040, 9_000_080]] {
      #expect(StrayTimes(pts, least: 10_000).strays.isEmpty)
    }
  }

  @Test func `when times are beyond 64 bits then nothing overflows`() {
    let far: ContiguousArray<Int64> = [0, 40, .max, 120, .min, 200, 240, 280, 320, 360, 400, 440]
    #expect(StrayTimes(far, least: 10_000).strays.map(\.index) == [2, 4])
  }
}
