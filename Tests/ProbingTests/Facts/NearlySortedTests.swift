import Support
import Testing

@testable import Probing

@Suite struct `Given the presentation times of frames in decode order` {
  struct Frame: Equatable {
    var time: Int64
    var place: Int
  }

  static func sorted(_ times: [Int64]) -> [Frame] {
    var frames = ContiguousArray(times.enumerated().map { Frame(time: $1, place: $0) })
    frames.sortNearlySorted { $0.time < $1.time }
    return Array(frames)
  }

  /// A plain insertion sort, stable where times are equal.
  static func expected(_ times: [Int64]) -> [Frame] {
    times.enumerated().map { Frame(time: $1, place: $0) }
      .sorted { ($0.time, $0.place) < ($1.time, $1.place) }
  }

  @Test(
    arguments: [
      [], [7], [0, 3, 1, 2, 6, 4, 5], [5, 5, 5], [2, 1, 2, 1, 2, 1],
    ] as [[Int64]])
  func `when there are few then they come out in a stable order`(times: [Int64]) {
    #expect(Self.sorted(times) == Self.expected(times))
  }

  @Test func `when each is a few places away then they come out in order`() {
    var random = SeededGenerator(seed: 30)
    let times = (0..<5000).map { Int64($0) + Int64.random(in: -8...8, using: &random) }
    #expect(Self.sorted(times) == Self.expected(times), "\(random)")
  }

  @Test func `when they are in random or reverse order then they come out in order too`() {
    var random = SeededGenerator(seed: 31)
    let times = (0..<5000).map { _ in Int64.random(in: .min ... .max, using: &random) }
    #expect(Self.sorted(times) == Self.expected(times), "\(random)")
    let falling = Array((0..<Int64(5000)).reversed())
    #expect(Self.sorted(falling) == Self.expected(falling))
  }
}
