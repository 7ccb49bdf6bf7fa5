import ExactTime
import Support
import Testing

@testable import MediaEngine

/// An edit list lays stretches of the media on the film's timeline (ISO 14496-12, 8.6.6).
///
/// Here the film counts thousandths and the media 48,000 ticks a second.
@Suite struct `Given an edit list` {
  private static let film = TickGrid(ticksPerSecond: 1000)
  private static let media = TickGrid(ticksPerSecond: 48000)

  private static func timeline(
    _ edits: [EditedTimeline.Edit], mediaEnd: Int64 = 480_000, isFragmented: Bool = false
  ) -> EditedTimeline {
    EditedTimeline(
      edits: edits, grid: media, film: film, mediaEnd: mediaEnd, isFragmented: isFragmented)
  }

  private static func edit(
    _ length: UInt64, from start: Int64?, rate: Rational = .one
  ) -> EditedTimeline.Edit {
    EditedTimeline.Edit(length: length, mediaStart: start, rate: rate)
  }

  @Test func `when there is none, then the media is shown as it is`() {
    let timeline = Self.timeline([])
    #expect(
      timeline.presentedRange(first: 4800, end: 480_000)
        == MediaTimeRange(from: MediaTime(1, 10), to: MediaTime(10)))
  }

  @Test func `when it begins with an empty edit, then the media starts late`() {
    let timeline = Self.timeline([Self.edit(1000, from: nil), Self.edit(9000, from: 0)])
    #expect(timeline.time(of: 0) == MediaTime(1))
    #expect(timeline.presentedRange(first: 0, end: 432_000)?.end == MediaTime(10))
  }

  @Test func `when it begins inside the media, then what lies before is hidden`() {
    let timeline = Self.timeline([Self.edit(4000, from: 1024)])
    #expect(timeline.time(of: 0) == nil)
    #expect(timeline.time(of: 1024) == .zero)
    #expect(
      timeline.presentedRange(first: 0, end: 480_000)
        == MediaTimeRange(from: .zero, to: MediaTime(4)))
  }

  @Test(
    arguments: [
      ("half a tick before the media's end", 480_000 - 24, true),
      ("a whole tick before", 480_000 - 48, true),
      ("more than a tick before", 480_000 - 49, false),
    ] as [(String, Int64, Bool)])
  func `when it ends near the media's end, then only a whole tick of the film counts`(
    _ name: String, _ end: Int64, _ isRounding: Bool
  ) {
    // Ten seconds of media whose edit was written a little too short for it.
    let surplus: Int64 = 480_000 - end
    let timeline = Self.timeline([Self.edit(10_000, from: 0)], mediaEnd: 480_000 + surplus)
    let range = timeline.presentedRange(first: 0, end: 480_000 + surplus)
    let whole = MediaTime(480_000 + surplus, 48000)
    #expect(range?.end == (isRounding ? whole : MediaTime(10)))
  }

  @Test func `when it shows two stretches, then they follow each other`() {
    let timeline = Self.timeline([Self.edit(1000, from: 48_000), Self.edit(2000, from: 240_000)])
    #expect(timeline.time(of: 48_000) == .zero)
    #expect(timeline.time(of: 240_000) == MediaTime(1))
    #expect(timeline.time(of: 96_000) == nil)
    #expect(timeline.presentedRange(first: 0, end: 480_000)?.length == MediaDuration(3))
  }

  @Test func `when it dwells on a frame, then the frame lasts as long as the edit`() {
    let timeline = Self.timeline([Self.edit(5000, from: 48_000, rate: .zero)])
    #expect(timeline.presentedRange(first: 0, end: 480_000)?.length == MediaDuration(5))
  }

  @Test func `when it plays at twice the rate, then two seconds of media take one`() {
    let timeline = Self.timeline([Self.edit(1000, from: 0, rate: Rational(2))])
    #expect(timeline.time(of: 48_000) == MediaTime(1, 2))
    #expect(timeline.presentedRange(first: 0, end: 480_000)?.length == MediaDuration(1))
  }

  @Test func `when the film is fragmented, then only the start holds`() {
    let timeline = Self.timeline([Self.edit(1000, from: 4800)], isFragmented: true)
    #expect(
      timeline.presentedRange(first: 0, end: 480_000)
        == MediaTimeRange(from: .zero, to: MediaTime(475_200, 48000)))
  }

  @Test func `when its numbers leave 64 bits, then it is told and nothing traps`() {
    let timeline = Self.timeline([Self.edit(.max, from: 0), Self.edit(1000, from: .max)])
    #expect(timeline.isOverflowing)
    #expect(timeline.presentedRange(first: 0, end: 480_000) == nil)
  }

  @Test func `when it ends inside a frame, then that frame still counts`() {
    let frames = ContiguousArray<Int64>((0..<10).map { $0 * 48_000 })
    let timeline = Self.timeline([Self.edit(3500, from: 0)])
    #expect(timeline.frameCount(sortedPTS: frames) == 4)
  }

  @Test func `when it starts inside a frame, then that frame is on screen`() {
    let frames = ContiguousArray<Int64>((0..<10).map { $0 * 48_000 })
    let timeline = Self.timeline([Self.edit(2000, from: 24_000)])
    #expect(timeline.frameCount(sortedPTS: frames) == 3)
  }

  @Test func `then inside a stretch later media is never shown earlier`() {
    var random = SeededGenerator(seed: 86)
    for _ in 0..<1000 {
      let start = Int64.random(in: 0..<400_000, using: &random)
      let rate = Rational(Int64.random(in: 1...8, using: &random), 4)
      let timeline = Self.timeline([
        Self.edit(UInt64.random(in: 0...5000, using: &random), from: nil),
        Self.edit(UInt64.random(in: 1...9000, using: &random), from: start, rate: rate),
      ])
      let times = (0..<20).map { start + Int64($0) * 1001 }.compactMap { timeline.time(of: $0) }
      #expect(times == times.sorted(), "\(random)")
    }
  }
}
