import Support
import Testing

@testable import Cutting

@Suite(.timeLimit(.minutes(1))) struct `Given subtitle lines with display times` {
  private static func events(_ all: [(Int64, Int64, String)]) -> TextEvents<String> {
    var events = TextEvents<String>()
    for (place, event) in all.enumerated() {
      events.append([event.2], from: event.0, lasting: event.1, place: place)
    }
    return events
  }

  private static func alone(
    _ events: TextEvents<String>, in range: Range<Int64>
  ) -> [TextEvents<String>.Event] {
    var result: [TextEvents<String>.Event] = []
    events.oneAtATime(in: range) { result.append($0) }
    return result
  }

  @Test func `when the first is refused then no further ones are made`() {
    var count = 0
    #expect(throws: Stop.self) {
      try Self.events([(0, 5, "a"), (5, 5, "b")]).oneAtATime(in: 0..<10) { (_) throws(Stop) in
        count += 1
        throw Stop()
      }
    }
    #expect(count == 1)
  }

  private struct Stop: Error {}

  @Test func `when they overlap then each stretch has all lines shown in it, and gaps have none`() {
    let result = Self.alone(Self.events([(10, 20, "a"), (15, 5, "b"), (30, 10, "c")]), in: 5..<50)
    #expect(result.map(\.range) == [5..<10, 10..<15, 15..<20, 20..<30, 30..<40, 40..<50])
    #expect(result.map(\.lines) == [[], ["a"], ["a", "b"], ["a"], ["c"], []])
    #expect(result.map(\.place) == [0, 0, 0, 0, 2, 2])
  }

  /// A shadow is the same text once more.
  @Test func `when some are identical then they are shown once`() {
    let events = Self.events([(10, 20, "a"), (10, 20, "a"), (15, 5, "b")])
    let result = Self.alone(events, in: 10..<30)
    #expect(result.map(\.lines) == [["a"], ["a", "b"], ["a"]])
  }

  @Test func `when too many are shown at once then some are dropped`() {
    let many = (0..<20_000).map { (Int64($0), Int64(20_000), "line \($0)") }
    let result = Self.alone(Self.events(many), in: 0..<40_000)
    #expect(result.allSatisfy { $0.lines.count <= 64 } && result[63].lines.count == 64)
  }

  @Test func `when one starts while too many are shown then it appears when they are gone`() {
    let many = (0..<64).map { (Int64(0), Int64(30), "line \($0)") } + [(29, 50, "on")]
    #expect(Self.alone(Self.events(many), in: 0..<100).map(\.lines.count) == [64, 64, 1, 0])
  }

  @Test func `when there are none then nothing is shown throughout`() {
    let result = Self.alone(TextEvents<String>(), in: 3..<9)
    #expect(result.map(\.range) == [3..<9] && result.allSatisfy { $0.lines.isEmpty })
  }
}
