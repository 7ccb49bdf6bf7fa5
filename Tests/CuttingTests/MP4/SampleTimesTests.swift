import ISOMedia
import Support
import Testing

@testable import Cutting
@testable import Probing

/// The times of four samples of a hundred ticks and bytes each, changed.
private func mediaTimes(
  isVideo: Bool = true, upTo byteCount: ((ISOSampleTable) -> Int64)? = nil,
  _ change: (inout ClipBuilder.Track) -> Void
) throws -> ISOMediaTimes? {
  var clip = ClipBuilder()
  clip.tracks[0].sampleCount = 4
  clip.tracks[0].durations = [(4, 100)]
  clip.tracks[0].chunkRuns = [(1, 4, 1)]
  clip.tracks[0].chunkOffsets = [0]
  change(&clip.tracks[0])
  let table = try ISOMovie(reading: InMemoryBytes(clip.bytes)).tracks[0].samples()
  return ISOMediaTimes(
    table, isVideo: isVideo, isComplete: byteCount == nil,
    byteCount: byteCount?(table) ?? Int64(clip.bytes.count))
}

/// What a sample table states about time, before any edit list: track ticks on the media's timeline.
@Suite struct `Given the sample table of a track` {
  @Suite struct `When frames are stored in a different order than they are shown` {
    // decoded   I    P    B    B
    // shown    100  400  200  300  until 500
    private func reordered(upTo count: Int? = nil) throws -> ISOMediaTimes? {
      try mediaTimes(
        upTo: count.map { count in { $0.offset(count) ?? 0 } }
      ) { $0.compositionOffsets = [(1, 100), (1, 300), (2, 0)] }
    }

    @Test func `then the media begin with the first that is shown`() throws {
      #expect(try reordered()?.first == 100)
      #expect(try reordered()?.sortedPTS == [100, 200, 300, 400])
      #expect(try reordered()?.pts == [100, 400, 200, 300])
    }

    @Test func `then they end with the last that is shown, not the last that is stored`() throws {
      #expect(try reordered()?.end == 500)
    }

    @Test func `then a file that ends early counts what is completely inside it`() throws {
      let times = try #require(try reordered(upTo: 2))
      #expect(times.present == [0, 1])
      #expect(times.sampleCount == 2)
      #expect(times.sortedPTS == [100, 400])
      #expect(times.end == 500)
    }

    @Test func `then a file with only its first sample ends where that sample does`() throws {
      #expect(try reordered(upTo: 1)?.end == 200)
    }
  }

  @Suite struct `When the file ends inside it` {
    private func times(_ end: @escaping (ISOSampleTable) -> Int64) throws -> ISOMediaTimes? {
      try mediaTimes(upTo: end) { _ in }
    }

    @Test func `then a sample that ends with the file counts`() throws {
      #expect(try times { ($0.offset(2) ?? 0) + 100 }?.present == [0, 1, 2])
    }

    @Test func `then a sample that lacks its last byte does not`() throws {
      #expect(try times { ($0.offset(2) ?? 0) + 99 }?.present == [0, 1])
      #expect(try times { ($0.offset(2) ?? 0) + 99 }?.end == 200)
    }

    @Test func `then no samples have no times`() throws {
      #expect(try times { ($0.offset(0) ?? 0) + 99 } == nil)
    }
  }

  @Suite struct `When the last frame has no duration` {
    private func times(_ durations: [(UInt32, UInt32)]) throws -> ISOMediaTimes? {
      try mediaTimes { track in
        track.durations = durations.map { (count: $0.0, delta: $0.1) }
      }
    }

    @Test func `then it is shown as long as the one before, and that is reported`() throws {
      let times = try times([(2, 100), (1, 40), (1, 0)])
      #expect(times?.end == 280)
      #expect(times?.guessedLastDuration == true)
    }

    @Test func `then it is shown no longer than most`() throws {
      let times = try times([(2, 40), (1, 100), (1, 0)])
      #expect(times?.end == 220)
      #expect(times?.guessedLastDuration == true)
    }

    @Test func `then a stated duration is used as it is`() throws {
      let times = try times([(3, 100), (1, 7)])
      #expect(times?.end == 307)
      #expect(times?.guessedLastDuration == false)
    }
  }

  @Suite struct `When it is for audio` {
    @Test func `then the stored order is the time order, and its frames are not listed`() throws {
      let times = try mediaTimes(isVideo: false) { _ in }
      #expect(times?.first == 0)
      #expect(times?.end == 400)
      #expect(times?.sampleCount == 4)
      #expect(times?.pts.isEmpty == true)
    }

    @Test func `then differing offsets are still considered`() throws {
      let times = try mediaTimes(isVideo: false) {
        $0.compositionOffsets = [(1, 50), (3, 0)]
      }
      #expect(times?.first == 50)
      #expect(times?.end == 400)
    }
  }
}
