import ExactTime
import Support
import Testing

@testable import Probing

/// A track of whole seconds: `[(stretch, start, end)]`.
private func track(_ id: Int, _ ranges: [(Int, Int64, Int64)]) throws -> PresentedTrack {
  PresentedTrack(
    trackID: id,
    stretches: try ranges.map { number, start, end in
      let range = MediaTimeRange(from: MediaTime(start), to: MediaTime(end))
      return PresentedTrack.Stretch(number: number, range: try #require(range))
    })
}

@Suite struct `Given what the tracks of a file present` {
  @Suite struct `When its clock runs without a reset` {
    // picture    |1 ………… 9|
    // sound   |0 ………… 8|
    @Test func `then the file lasts from the first start to the last end`() throws {
      let file = try #require(
        FileRange([try track(1, [(0, 1, 9)]), try track(2, [(0, 0, 8)])]))
      #expect(file.start == MediaTime(0))
      #expect(file.length == MediaDuration(9))
      #expect(file.trackID == 1)
    }

    @Test func `then a gap between two tracks counts`() throws {
      let file = FileRange([try track(1, [(0, 0, 2)]), try track(2, [(0, 5, 6)])])
      #expect(file?.length == MediaDuration(6))
      #expect(file?.trackID == 2)
    }

    @Test func `then of two tracks that end together the first determines the end`() throws {
      let file = FileRange([try track(7, [(0, 0, 2)]), try track(3, [(0, 1, 2)])])
      #expect(file?.trackID == 7)
    }
  }

  @Suite struct `When its clock is reset` {
    // picture |0 … 4|   |100 … 103|
    // sound   |0 …  5|  |100 … 102|
    @Test func `then the stretches are shown one after another`() throws {
      let file = FileRange([
        try track(1, [(0, 0, 4), (1, 100, 103)]), try track(2, [(0, 0, 5), (1, 100, 102)]),
      ])
      #expect(file?.length == MediaDuration(5 + 3))
      #expect(file?.start == MediaTime(0))
      #expect(file?.trackID == 1)
    }

    @Test func `then a track that has only one stretch is in its place`() throws {
      let file = FileRange([
        try track(1, [(0, 0, 5), (1, 0, 10)]), try track(2, [(1, 0, 11)]),
      ])
      #expect(file?.length == MediaDuration(5 + 11))
      #expect(file?.trackID == 2)
    }
  }

  @Suite struct `When nothing is presented` {
    @Test func `then there is no range`() throws {
      #expect(FileRange([]) == nil)
      #expect(FileRange([try track(1, [])]) == nil)
    }

    @Test func `then times beyond 64 bits give no range either`() throws {
      #expect(
        FileRange([try track(1, [(0, .min, .max)])]) == nil)
    }
  }

  @Suite struct `When the order of tracks changes` {
    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `then start and length stay the same`(seed: UInt64) throws {
      var generator = SeededGenerator(seed: seed)
      let tracks = try (1...4).map { id in
        let start = Int64.random(in: -50...50, using: &generator)
        let again = Int64.random(in: 100...150, using: &generator)
        return try track(
          id, [(0, start, start + Int64(id)), (1, again, again + Int64.random(in: 0...9))])
      }
      let file = FileRange(tracks)
      let other = FileRange(tracks.shuffled(using: &generator))
      #expect(file?.start == other?.start, "\(generator)")
      #expect(file?.length == other?.length, "\(generator)")
    }
  }
}
