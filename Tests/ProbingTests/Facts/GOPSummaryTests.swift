import ExactTime
import MediaFacts
import Support
import Testing

@testable import Probing

@Suite struct `Given the samples of a video track in decode order` {
  static let grid = TickGrid(ticksPerSecond: 25)

  static func summary(pts: [Int64], keys: [Int], end: Int64) -> GOPSummary {
    let shown = ContiguousArray(pts.sorted())
    return GOPSummary(
      entries: keys.map {
        GOPSummary.Entry(decodeIndex: $0, pts: pts[$0], byteOffset: nil, access: .recoveryPoint)
      },
      pts: ContiguousArray(pts), grid: grid, end: end, lists: true,
      place: { (try? grid.time(atTick: $0), shown.place(of: $0)) })
  }

  @Test func `when no frame is shown before its keyframe then every GOP is closed`() throws {
    let summary = Self.summary(pts: [0, 3, 1, 2, 4, 7, 5, 6], keys: [0, 4], end: 8)
    let gops = try #require(summary.gops)
    #expect(gops.closedCount == 2)
    #expect(gops.openCount == 0)
    #expect(gops.shortestFrames == 4)
    #expect(gops.longestFrames == 4)
    #expect(gops.longestLength == MediaDuration(4, 25))
    #expect(summary.keyframes.map(\.frame) == [0, 4])
    #expect(summary.keyframes.map(\.isClean) == [true, true])
  }

  @Test func `when frames follow a keyframe and are shown before it then its GOP is open`() throws {
    let summary = Self.summary(pts: [0, 1, 4, 2, 3, 5], keys: [0, 2], end: 6)
    #expect(summary.gops?.openCount == 1)
    #expect(summary.keyframes.map(\.leadingFrames) == [0, 2])
    #expect(summary.keyframes.map(\.frame) == [0, 4])
    #expect(summary.keyframes.map(\.isClean) == [true, false])
  }

  @Test func `when leading frames are stored far after their keyframe then they still count`() {
    let late = [0, 40] + (41...70).map { Int64($0) } + [39]
    #expect(
      Self.summary(pts: late, keys: [0, 1], end: 71).keyframes.map(\.leadingFrames) == [0, 1])
  }

  @Test func `when a frame has the same time as its keyframe then it does not lead it`() {
    let summary = Self.summary(pts: [0, 1, 4, 4, 5], keys: [0, 2], end: 6)
    #expect(summary.keyframes.map(\.leadingFrames) == [0, 0])
    #expect(summary.gops?.openCount == 0)
  }

  @Test func `when there is no keyframe then there is no GOP`() {
    #expect(Self.summary(pts: [0, 1], keys: [], end: 2).gops == nil)
  }

  @Test func `when times are at the limits of 64 bits then nothing overflows`() {
    let summary = Self.summary(pts: [.max, .min, 0], keys: [0, 1, 2], end: .min)
    #expect(summary.gops?.count == 3)
  }

  @Test func `then in any order leading frames are those shown before their keyframe`() {
    var generator = SeededGenerator(seed: 90)
    for _ in 0..<200 {
      let count = Int.random(in: 1...60, using: &generator)
      let pts = (0..<Int64(count)).shuffled(using: &generator)
      let keys =
        [0]
        + (1..<max(1, count)).filter { _ in
          Int.random(in: 0..<8, using: &generator) == 0
        }
      let summary = Self.summary(pts: pts, keys: keys, end: Int64(count))
      let expected = zip(keys, keys.dropFirst() + [count]).map { key, next in
        (time: pts[key], leading: pts[key..<next].count { $0 < pts[key] })
      }.sorted { $0.time < $1.time }
      #expect(summary.keyframes.map(\.leadingFrames) == expected.map(\.leading), "\(generator)")
      #expect(summary.keyframes.map(\.frame) == expected.map { Int($0.time) }, "\(generator)")
      #expect(summary.gops?.openCount == expected.count { $0.leading > 0 }, "\(generator)")
    }
  }
}
