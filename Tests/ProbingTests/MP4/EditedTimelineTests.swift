import ExactTime
import Support
import Testing

@testable import Probing

/// A file grid of milliseconds and a track grid of 10 ticks a second, so that a file tick is a
/// hundredth of a track tick.
private func timeline(
  _ edits: [EditedTimeline.Edit], end: Int64 = 100, movie: Int64? = 1000, track: Int64 = 10,
  isFragmented: Bool = false
) -> EditedTimeline {
  EditedTimeline(
    edits: edits, grid: TickGrid(ticksPerSecond: track),
    movie: movie.map { TickGrid(ticksPerSecond: $0) }, mediaEnd: end, isFragmented: isFragmented)
}

private func empty(_ length: UInt64) -> EditedTimeline.Edit {
  EditedTimeline.Edit(length: length, mediaStart: nil, rate: .one)
}

private func shown(
  _ length: UInt64, from start: Int64, rate: Rational = .one
) -> EditedTimeline.Edit {
  EditedTimeline.Edit(length: length, mediaStart: start, rate: rate)
}

private func range(_ start: Rational, _ end: Rational) -> MediaTimeRange? {
  MediaTimeRange(from: MediaTime(seconds: start), to: MediaTime(seconds: end))
}

private func range(_ start: Int64, _ end: Rational) -> MediaTimeRange? {
  range(Rational(start), end)
}

private func range(_ start: Int64, _ end: Int64) -> MediaTimeRange? {
  range(Rational(start), Rational(end))
}

@Suite struct `Given an edit list and media of 100 ticks, ten a second` {
  @Suite struct `When there is none` {
    @Test func `then the media are the whole file`() {
      let line = timeline([])
      #expect(line.presentedRange(first: 0, end: 100) == range(0, 10))
      #expect(line.time(of: 25) == MediaTime(5, 2))
    }

    @Test func `then media that begin late are shown late`() {
      #expect(timeline([]).presentedRange(first: 20, end: 100) == range(2, 10))
    }

    @Test func `then a file without a timescale has its edits ignored`() {
      let line = timeline([shown(1000, from: 50)], movie: nil)
      #expect(line.presentedRange(first: 0, end: 100) == range(0, 10))
    }
  }

  @Suite struct `When it begins with an empty edit` {
    // file   0  1  2                12
    // shown        |0 ………………………… 100|
    @Test func `then the media begin after it`() {
      let line = timeline([empty(2000), shown(10000, from: 0)])
      #expect(line.presentedRange(first: 0, end: 100) == range(2, 12))
      #expect(line.time(of: 0) == MediaTime(2))
    }

    @Test func `then two of them add up`() {
      let line = timeline([empty(500), empty(250), shown(10000, from: 0)])
      #expect(line.presentedRange(first: 0, end: 100)?.start == MediaTime(3, 4))
    }

    @Test func `then an empty edit on its own shows nothing`() {
      let line = timeline([empty(2000)])
      #expect(line.segments.isEmpty)
      #expect(line.presentedRange(first: 0, end: 100) == nil)
    }
  }

  @Suite struct `When it begins inside the media` {
    // media  0 ….  15 ………………… 100     frames at 0 10 20 …
    // file         0 ………………… 8.5
    let line = timeline([shown(8500, from: 15)])
    let frames: ContiguousArray<Int64> = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]

    @Test func `then its start is the file's zero, even inside a frame`() {
      #expect(line.presentedRange(first: 0, end: 100) == range(0, Rational(17, 2)))
      #expect(line.time(of: 20) == MediaTime(1, 2))
    }

    @Test(arguments: [100, 101, 5000] as [Int64])
    func `when it begins after the media then no frame is shown`(start: Int64) {
      for line in [
        timeline([shown(8500, from: start)]), timeline([shown(8500, from: start, rate: .zero)]),
      ] {
        #expect(line.presentedRange(first: 0, end: 100) == nil)
        #expect(line.frameCount(sortedPTS: frames) == 0)
        #expect(line.shownFrames(sortedPTS: frames, mediaEnd: 100).isEmpty)
      }
      #expect(timeline([shown(8500, from: 99)]).frameCount(sortedPTS: frames) == 1)
    }

    @Test func `then what comes before has no time, but its keyframes have negative times`() {
      #expect(line.time(of: 10) == nil)
      #expect(line.extendedTime(of: 10) == MediaTime(-1, 2))
    }

    @Test func `then the frame on screen at the start counts`() {
      #expect(line.frameCount(sortedPTS: frames) == 9)
      #expect(line.frameNumber(of: 0, sortedPTS: frames) == nil)
      #expect(line.frameNumber(of: 10, sortedPTS: frames) == 0)
      #expect(line.frameNumber(of: 90, sortedPTS: frames) == 8)
    }

    @Test func `then a start before the first frame shows nothing until that frame`() {
      #expect(line.presentedRange(first: 30, end: 100) == range(Rational(3, 2), Rational(17, 2)))
      #expect(line.frameCount(sortedPTS: [30, 40]) == 2)
    }
  }

  @Suite struct `When it ends inside the media` {
    // media  0 ……… 45 …… 100
    // file   0 ……… 4.5
    let line = timeline([shown(4500, from: 0)])
    let frames: ContiguousArray<Int64> = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]

    @Test func `then the file ends there, even inside a frame`() {
      #expect(line.presentedRange(first: 0, end: 100) == range(0, Rational(9, 2)))
      #expect(line.frameCount(sortedPTS: frames) == 5)
    }

    @Test func `then the end itself is not shown`() {
      #expect(line.time(of: 44) == MediaTime(44, 10))
      #expect(line.time(of: 45) == nil)
      #expect(timeline([shown(4000, from: 0)]).frameCount(sortedPTS: frames) == 4)
      #expect(timeline([shown(4001, from: 0)]).frameCount(sortedPTS: frames) == 5)
    }

    @Test func `then an end after the media is the media's`() {
      let long = timeline([shown(20_000, from: 0)])
      #expect(long.presentedRange(first: 0, end: 100) == range(0, 10))
    }
  }

  @Suite struct `When its end was rounded to the file's ticks` {
    // The media end at 100 ticks of 1/30 s: 3.3333… s; the file counts milliseconds.
    private func end(_ milliseconds: UInt64) -> MediaTime? {
      timeline([shown(milliseconds, from: 0)], track: 30).presentedRange(first: 0, end: 100)?.end
    }

    @Test func `then an end less than a file tick early is the media's own`() {
      #expect(end(3333) == MediaTime(10, 3))
    }

    @Test func `then an end more than a file tick early is kept`() {
      #expect(end(3332) == MediaTime(833, 250))
    }

    @Test func `then an end a whole file tick early is kept, as rounding is always less`() {
      // Here the media end on the file's grid: at 10 s.
      let early = timeline([shown(9999, from: 0)]).presentedRange(first: 0, end: 100)
      #expect(early?.end == MediaTime(9999, 1000))
      // On a grid of seconds that hides pictures: FFmpeg shows none of them either.
      let coarse = timeline([shown(3, from: 0)], movie: 1).presentedRange(first: 0, end: 40)
      #expect(coarse?.end == MediaTime(3))
    }

    @Test func `then an end less than a file tick late is the media's own`() {
      #expect(end(3334) == MediaTime(10, 3))
    }

    @Test func `then at a rate other than 1 the end is kept`() {
      let line = timeline([shown(4999, from: 0, rate: Rational(2))])
      #expect(line.presentedRange(first: 0, end: 100)?.end == MediaTime(4999, 1000))
    }
  }

  @Suite struct `When an edit has no duration` {
    let frames: ContiguousArray<Int64> = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]

    @Test func `then one that is followed by another shows nothing`() {
      let line = timeline([shown(0, from: 10), shown(1000, from: 40)])
      #expect(line.segments.map(\.mediaStart) == [40])
      #expect(line.presentedRange(first: 0, end: 100) == range(0, 1))
      #expect(line.frameCount(sortedPTS: frames) == 1)
      #expect(line.shownFrames(sortedPTS: frames, mediaEnd: 100).map(\.time) == [.zero])
    }

    @Test func `then between two others it removes nothing`() {
      let line = timeline([shown(1000, from: 0), shown(0, from: 50), shown(1000, from: 40)])
      #expect(line.segments.map(\.start) == [.zero, MediaTime(1)])
      #expect(line.presentedRange(first: 0, end: 100) == range(0, 2))
    }

    @Test func `then the last goes on to the end of the media`() {
      #expect(timeline([shown(0, from: 40)]).presentedRange(first: 0, end: 100) == range(0, 6))
      #expect(
        timeline([shown(1000, from: 0), shown(0, from: 40)]).presentedRange(first: 0, end: 100)
          == range(0, 7))
    }
  }

  @Suite struct `When it has several edits` {
    // file   0 …… 2    2 …… 5     6 …… 7
    // media  10 … 30   60 … 90    0 … 10
    let line = timeline([
      shown(2000, from: 10), shown(3000, from: 60), empty(1000), shown(1000, from: 0),
    ])

    @Test func `then they are shown one after another`() {
      #expect(line.segments.map(\.start) == [MediaTime(0), MediaTime(2), MediaTime(6)])
      #expect(line.presentedRange(first: 0, end: 100) == range(0, 7))
    }

    @Test func `then each tick has the time of the edit that shows it`() {
      #expect(line.time(of: 10) == MediaTime(0))
      #expect(line.time(of: 60) == MediaTime(2))
      #expect(line.time(of: 5) == MediaTime(13, 2))
      #expect(line.time(of: 30) == nil)
    }

    @Test func `then frames are counted and numbered edit by edit`() {
      let frames: ContiguousArray<Int64> = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]
      #expect(line.frameCount(sortedPTS: frames) == 2 + 3 + 1)
      #expect(line.frameNumber(of: 60, sortedPTS: frames) == 2)
      #expect(line.frameNumber(of: 0, sortedPTS: frames) == 5)
      #expect(line.frameNumber(of: 40, sortedPTS: frames) == nil)
    }

    @Test func `then the same media shown twice are presented twice`() {
      let twice = timeline([shown(10_000, from: 0), shown(10_000, from: 0)])
      #expect(twice.presentedRange(first: 0, end: 100) == range(0, 20))
      #expect(twice.frameCount(sortedPTS: [0, 50]) == 4)
    }
  }

  @Suite struct `When it changes the rate` {
    @Test func `then rate 2 shows twice the media in the time`() {
      let line = timeline([shown(5000, from: 0, rate: Rational(2))])
      #expect(line.presentedRange(first: 0, end: 100) == range(0, 5))
      #expect(line.time(of: 50) == MediaTime(5, 2))
    }

    @Test func `then media that end early end the edit early`() {
      let line = timeline([shown(5000, from: 0, rate: Rational(2))])
      #expect(line.presentedRange(first: 0, end: 60) == range(0, 3))
    }

    @Test func `then rate 0 dwells on one frame for the edit's length`() {
      let line = timeline([shown(3000, from: 20, rate: .zero), shown(8000, from: 20)])
      #expect(line.presentedRange(first: 0, end: 100) == range(0, 11))
      #expect(line.time(of: 20) == MediaTime(0))
    }

    @Test(arguments: [(20, 1), (25, 1), (99, 1), (-5, 0)] as [(Int64, Int)])
    func `then a dwell holds the frame on screen at its start`(at tick: Int64, count: Int) {
      let line = timeline([shown(3000, from: tick, rate: .zero)])
      #expect(line.frameCount(sortedPTS: [0, 10, 20, 30]) == count)
    }

    @Test func `then a dwell after the media shows nothing`() {
      let line = timeline([shown(3000, from: 100, rate: .zero)])
      #expect(line.presentedRange(first: 0, end: 100) == nil)
    }
  }

  @Suite struct `When the file is fragmented` {
    @Test func `then an edit hides the start and never the end`() {
      let line = timeline([shown(40, from: 20)], isFragmented: true)
      #expect(line.presentedRange(first: 0, end: 100) == range(0, 8))
    }

    @Test func `then an empty edit still delays`() {
      let line = timeline([empty(500), shown(0, from: 0)], isFragmented: true)
      #expect(line.presentedRange(first: 0, end: 100) == range(Rational(1, 2), Rational(21, 2)))
    }
  }

  @Suite struct `When its numbers are hostile` {
    @Test(
      arguments: [
        EditedTimeline.Edit(length: .max, mediaStart: 0, rate: .one),
        EditedTimeline.Edit(length: UInt64(Int64.max), mediaStart: .max, rate: .one),
        EditedTimeline.Edit(
          length: UInt64(Int64.max), mediaStart: 0, rate: Rational(.max, Int64.max - 1)),
      ])
    func `then the timeline stops there, and that is reported`(_ edit: EditedTimeline.Edit) {
      let line = timeline([shown(1000, from: 0), edit, shown(1000, from: 0)])
      #expect(line.isOverflowing)
      #expect(line.segments.count == 1)
      #expect(line.presentedRange(first: 0, end: 100) == range(0, 1))
    }

    @Test func `then an edit that begins after all media shows nothing`() {
      let line = timeline([shown(0, from: .max)])
      #expect(line.presentedRange(first: .min / 4, end: 100) == nil)
      #expect(line.frameCount(sortedPTS: [0]) == 0)
    }
  }

  @Suite(.timeLimit(.minutes(5))) struct `When many keyframes are placed on it at once` {
    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `then each has the same time and number as on its own`(seed: UInt64) {
      var generator = SeededGenerator(seed: seed)
      let edits = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
        let length = UInt64.random(in: 0...6000, using: &generator)
        let rate = Rational(Int64.random(in: 0...4, using: &generator), 2)
        return Bool.random(using: &generator)
          ? shown(length, from: Int64.random(in: 0...110, using: &generator), rate: rate)
          : empty(length)
      }
      let line = timeline(edits)
      let frames = ContiguousArray(
        Set((0..<30).map { _ in Int64.random(in: 0...99, using: &generator) }).sorted())
      let ticks = (0..<40).map { _ in Int64.random(in: -5...105, using: &generator) }
      let places = line.places(of: ticks, sortedPTS: frames)
      for tick in ticks {
        let alone = EditedTimeline.Place(
          time: line.extendedTime(of: tick), frame: line.frameNumber(of: tick, sortedPTS: frames))
        #expect(places[tick] == alone, "tick \(tick), \(generator)")
      }
    }

    /// Comparing each with each would take 900 million steps.
    @Test func `then thirty thousand of them on thirty thousand edits are fast`() {
      let count = 30_000
      let line = timeline(
        (0..<count).map { shown(1000, from: Int64(10 * (count - 1 - $0))) }, end: Int64(10 * count))
      let ticks = (0..<count).map { Int64(10 * $0) }
      let places = line.places(of: ticks, sortedPTS: ContiguousArray(ticks))
      #expect(places[0] == .init(time: MediaTime(Int64(count - 1)), frame: count - 1))
      #expect(places[10] == .init(time: MediaTime(Int64(count - 2)), frame: count - 2))
      #expect(places.count == count)
    }

    @Test func `then the same holds where every edit shows all of them`() {
      let count = 30_000
      let line = timeline(
        (0..<count).map { _ in shown(0, from: 0) }, end: Int64(10 * count))
      let ticks = (0..<count).map { Int64(10 * $0) }
      let places = line.places(of: ticks, sortedPTS: ContiguousArray(ticks))
      #expect(places[10] == .init(time: MediaTime(1), frame: 1))
    }
  }

  @Suite struct `When media are mapped to the file` {
    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `then time never runs backward inside an edit`(seed: UInt64) throws {
      var generator = SeededGenerator(seed: seed)
      let start = Int64.random(in: 0...50, using: &generator)
      let line = timeline(
        [
          empty(UInt64.random(in: 0...5000, using: &generator)),
          shown(
            UInt64.random(in: 1...20_000, using: &generator), from: start,
            rate: Rational(Int64.random(in: 1...8, using: &generator), 4)),
        ])
      let times = (0..<120).compactMap { line.time(of: $0) }
      #expect(times == times.sorted(), "\(generator)")
      let whole = line.presentedRange(first: 0, end: 100)
      #expect(
        (0..<100).compactMap { line.time(of: $0) }.allSatisfy { whole?.contains($0) == true },
        "\(generator)")
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `then every frame that is shown has its own number`(seed: UInt64) {
      var generator = SeededGenerator(seed: seed)
      let line = timeline([
        shown(
          UInt64.random(in: 0...12_000, using: &generator),
          from: Int64.random(in: 0...100, using: &generator))
      ])
      let frames = ContiguousArray(
        Set((0..<20).map { _ in Int64.random(in: 0...99, using: &generator) }).sorted())
      let numbers = frames.compactMap { line.frameNumber(of: $0, sortedPTS: frames) }
      #expect(numbers == Array(0..<line.frameCount(sortedPTS: frames)), "\(generator)")
    }
  }
}
