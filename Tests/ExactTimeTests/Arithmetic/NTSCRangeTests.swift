import ExactTime
import Testing

@Suite struct `Given 30,000 ranges of NTSC video, each exactly 60.5 s long` {
  static let limit = MediaDuration(121, 2)

  static let ranges: [MediaTimeRange] = (0..<30_000).compactMap { frame in
    try? MediaTimeRange(from: MediaTime(frame * 1001, 30_000), length: limit)
  }

  @Test func `then none is shorter or longer than 60.5 s`() {
    #expect(Self.ranges.count == 30_000)
    #expect(Self.ranges.allSatisfy { $0.length == Self.limit })
  }

  @Test func `then Double would make thousands of them too short or too long`() {
    let lengths = Self.ranges.map { $0.end.seconds.approximation - $0.start.seconds.approximation }
    #expect(lengths.count { $0 < 60.5 } == 2025)
    #expect(lengths.count { $0 > 60.5 } == 1989)
  }

  @Test func `then one frame less makes it shorter by exactly that frame`() throws {
    let frame = MediaDuration(1001, 30_000)
    for range in Self.ranges {
      let end = try range.end.moved(back: frame)
      let shorter = try #require(MediaTimeRange(from: range.start, to: end))
      #expect(shorter.length < Self.limit)
      #expect(try shorter.length.adding(frame) == Self.limit)
    }
  }
}
