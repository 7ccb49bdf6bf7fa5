import ExactTime
import ISOMedia
import Support
import Testing

/// A file whose times are at the limits of their fields, and the expected result.
struct TimeExtreme: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var clip: ClipBuilder
  var movieDuration: Int64? = 1000
  var mediaDuration: Int64? = 1000
  var totalDuration: Int64 = 1000
  var firstPresentation: Int64? = 0
  var problems: Set<ISOProblem.Kind> = []

  init(_ name: String, _ change: (inout ClipBuilder) -> Void) {
    testDescription = name
    clip = ClipBuilder()
    clip.headerVersion = 1
    clip.tracks[0].version = 1
    change(&clip)
  }

  func expecting(_ change: (inout TimeExtreme) -> Void) -> TimeExtreme {
    var copy = self
    change(&copy)
    return copy
  }

  static let all: [TimeExtreme] = [
    TimeExtreme("mvhd and mdhd of 2^63 - 1 ticks") {
      $0.duration = UInt64(Int64.max)
      $0.tracks[0].mediaDuration = UInt64(Int64.max)
    }.expecting {
      $0.movieDuration = .max
      $0.mediaDuration = .max
    },
    TimeExtreme("mvhd and mdhd of 2^63 ticks") {
      $0.duration = 1 << 63
      $0.tracks[0].mediaDuration = 1 << 63
    }.expecting {
      $0.movieDuration = nil
      $0.mediaDuration = nil
      $0.problems = [.impossibleDuration]
    },
    TimeExtreme("all ones: unknown, 64 bits") {
      $0.duration = .max
      $0.tracks[0].mediaDuration = .max
    }.expecting {
      $0.movieDuration = nil
      $0.mediaDuration = nil
    },
    TimeExtreme("all ones: unknown, 32 bits") {
      $0.headerVersion = 0
      $0.tracks[0].version = 0
      $0.duration = UInt64(UInt32.max)
      $0.tracks[0].mediaDuration = UInt64(UInt32.max)
    }.expecting {
      $0.movieDuration = nil
      $0.mediaDuration = nil
    },
    TimeExtreme("2^32 - 1 in 64-bit fields is a duration") {
      $0.duration = UInt64(UInt32.max)
      $0.tracks[0].mediaDuration = UInt64(UInt32.max)
    }.expecting {
      $0.movieDuration = Int64(UInt32.max)
      $0.mediaDuration = Int64(UInt32.max)
    },
    TimeExtreme("movie time scale 0") { $0.timescale = 0 }
      .expecting { $0.problems = [.zeroTimescale] },
    TimeExtreme("media time scale 0") { $0.tracks[0].timescale = 0 }
      .expecting { $0.problems = [.zeroTimescale] },
    TimeExtreme("time scales of 2^32 - 1") {
      $0.timescale = .max
      $0.tracks[0].timescale = .max
    }.expecting { $0.problems = [.timescaleImpossible] },
    TimeExtreme("a sample of 2^31 ticks") { $0.tracks[0].durations = [(1, 1 << 31), (9, 100)] }
      .expecting {
        $0.totalDuration = 1 << 31 + 900
        $0.problems = [.hugeSampleDuration]
      },
    TimeExtreme("samples of 2^32 - 1 ticks") { $0.tracks[0].durations = [(10, .max)] }
      .expecting {
        $0.totalDuration = 10 * Int64(UInt32.max)
        $0.problems = [.hugeSampleDuration]
      },
    TimeExtreme("composition offset -2^31") { $0.tracks[0].compositionOffsets = [(10, .min)] }
      .expecting { $0.firstPresentation = Int64(Int32.min) },
    TimeExtreme("composition offset 2^31 - 1") { $0.tracks[0].compositionOffsets = [(10, .max)] }
      .expecting { $0.firstPresentation = Int64(Int32.max) },
    TimeExtreme("edits of 2^63 - 1") {
      $0.tracks[0].edits = [(UInt64(Int64.max), .max, 1), (.max, .min + 1, 1), (0, -1, 1)]
    },
    TimeExtreme("edit rates 0 and 2") {
      $0.tracks[0].edits = [(500, 0, 0), (500, 0, 2)]
    }.expecting { $0.problems = [.unusualEditRate] },
  ]
}

@Suite struct `Given times at the limits of their fields` {
  @Test(arguments: TimeExtreme.all)
  func `then each becomes a checked value or is unknown, with a note`(_ extreme: TimeExtreme) throws
  {
    let movie = try extreme.clip.read()
    let track = movie.tracks[0]
    #expect(movie.duration == extreme.movieDuration)
    #expect(track.mediaDuration == extreme.mediaDuration)
    #expect(track.timing.totalDuration == extreme.totalDuration)
    #expect(try track.samples().presentationTime(0) == extreme.firstPresentation)
    #expect(movie.problemKinds == extreme.problems)
    #expect(track.edits.map(\.segmentDuration) == extreme.clip.tracks[0].edits.map(\.duration))
    #expect(track.edits.map(\.mediaTime) == extreme.clip.tracks[0].edits.map(\.time))
    #expect(
      track.edits.map(\.rate) == extreme.clip.tracks[0].edits.map { Rational(Int64($0.rate)) })
  }

  @Test func `then durations that add up beyond 62 bits are refused, not wrapped`() throws {
    // Only the count makes the sum large, so the file claims more samples than it has bytes.
    let movie = try ClipBuilder.with {
      $0.durations = [(.max, .max)]
      $0.sampleCount = .max
    }.read()
    #expect(movie.tracks[0].timing.totalDuration == 0)
    #expect(movie.problemKinds.contains(.countImpossible))
    let error = try #require(throws: ISOError.self) { try movie.tracks[0].samples() }
    #expect(error.code == .sampleTableImpossible)
  }

  @Test func `then a fragment that starts beyond 2^62 continues where the last one ended`() throws {
    let first = FragmentBuilder([.init(), .init()], start: 5000)
    let second = FragmentBuilder([.init()], start: .max)
    let movie = try ClipBuilder.fragmented([first, second]).read()
    #expect(try movie.tracks[0].samples().allDecodeTimes == [5000, 5100, 5200])
    #expect(movie.problemKinds == [.valueOutOfRange])
  }
}
