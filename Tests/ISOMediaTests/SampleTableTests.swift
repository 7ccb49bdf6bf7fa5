import ISOMedia
import Support
import Testing

@Suite struct `Given the sample tables of a track` {
  private func table(_ change: (inout ClipBuilder.Track) -> Void) throws -> ISOSampleTable {
    try ClipBuilder.with(change).read().tracks[0].samples()
  }

  @Suite struct `When they agree` {
    @Test func `then every sample has its time, size, offset and sync flag`() throws {
      let clip = ClipBuilder.with {
        $0.uniformSize = 0
        $0.sizes = (1...10).map { UInt32($0) }
        $0.chunkRuns = [(1, 4, 1), (2, 6, 2)]
        $0.chunkOffsets = [20, 0]
      }
      let movie = try clip.read()
      let table = try movie.tracks[0].samples()
      let media = try #require(movie.topLevel.first { $0.type == "mdat" }).offset + 8
      #expect(table.allDecodeTimes == (0..<10).map { $0 * 100 })
      #expect(table.allSizes == (1...10).map { UInt32($0) })
      #expect((0..<4).map { table.offset($0) } == [20, 21, 23, 26].map { $0 + media })
      #expect((4..<6).map { table.offset($0) } == [0, 5].map { $0 + media })
      #expect((0..<10).map { table.descriptions[$0] } == [1, 1, 1, 1, 2, 2, 2, 2, 2, 2])
      #expect(table.allSyncIndices == [0, 5])
      #expect(movie.isComplete)
      #expect(movie.problems.isEmpty)
    }

    @Test func `then totals need no expansion of the tables`() throws {
      let timing = try ClipBuilder.with {
        $0.durations = [(4, 100), (6, 50)]
        $0.compositionOffsets = [(1, 200), (9, 100)]
      }.read().tracks[0].timing
      #expect(timing.sampleCount == 10)
      #expect(timing.totalDuration == 700)
      #expect(timing.constantDuration == nil)
      #expect(timing.leastCompositionOffset == 100)
      #expect(timing.greatestCompositionOffset == 200)
      #expect(timing.isReordered)
      #expect(!timing.isAllSync)
    }

    @Test func `then an empty sync table means no sync samples, and no table means all`() throws {
      let none = try ClipBuilder.with { $0.syncSamples = [] }.read().tracks[0]
      #expect(try none.samples().allSyncIndices == [])
      let all = try ClipBuilder.with { $0.syncSamples = nil }.read().tracks[0]
      #expect(try all.samples().allSyncIndices.count == 10)
      #expect(all.timing.isAllSync)
    }
  }

  @Test(arguments: [UInt8(0), 1])
  func `then composition offsets are signed in both versions of the box`(version: UInt8) throws {
    let table = try table {
      $0.compositionVersion = version
      $0.compositionOffsets = [(1, -40), (2, 60)]
    }
    #expect(table.allPresentationTimes.prefix(5) == [-40, 160, 260, 300, 400])
  }

  @Test func `then the last duration is repeated when there are too few, and this is reported`()
    throws
  {
    let movie = try ClipBuilder.with { $0.durations = [(2, 100), (1, 50)] }.read()
    #expect(
      try movie.tracks[0].samples().allDurations == [100, 100] + Array(repeating: 50, count: 8))
    #expect(movie.problemKinds == [.countsDisagree])
  }

  @Test func `then durations of nonexistent samples are ignored, and this is reported`() throws {
    let movie = try ClipBuilder.with { $0.durations = [(9, 100), (4_000_000_000, 7)] }.read()
    #expect(movie.tracks[0].timing.totalDuration == 907)
    #expect(try movie.tracks[0].samples().count == 10)
    #expect(movie.problemKinds == [.countsDisagree])
  }

  @Test func `then empty runs change nothing`() throws {
    let table = try table { $0.durations = [(0, 9), (10, 100), (0, 4)] }
    #expect(table.allDurations == Array(repeating: 100, count: 10))
  }

  @Test func `then samples without a chunk have no offset, and this is reported`() throws {
    let movie = try ClipBuilder.with { $0.chunkOffsets = [0] }.read()
    let table = try movie.tracks[0].samples()
    #expect(table.count == 10)
    #expect(table.offset(4) != nil)
    #expect(table.offset(5) == nil)
    #expect(movie.tracks[0].placement.unplacedCount == 5)
    #expect(movie.problemKinds == [.unplacedSamples])
    #expect(!movie.isComplete)
  }

  @Test func `then nonexistent sync samples are ignored, and this is reported`() throws {
    let movie = try ClipBuilder.with { $0.syncSamples = [6, 0, 1, 6, 536_871_117] }.read()
    #expect(try movie.tracks[0].samples().allSyncIndices == [0, 5])
    #expect(movie.problemKinds == [.invalidEntries])
  }

  @Test(
    arguments: zip(
      [4, 8, 16] as [UInt8], [[0x12, 0x30], [1, 2, 3], [0, 1, 0, 2, 0, 3]] as [[UInt8]]))
  func `then compact sizes are read`(bits: UInt8, entries: [UInt8]) throws {
    var clip = ClipBuilder()
    clip.tracks[0].tableBoxes = [
      BoxBuilder("stz2", fields: [.full(), .zeros(3), .u8(bits), .u32(3), .bytes(entries)])
    ]
    var bytes = clip.bytes
    // Hides the plain size table: a box of unknown type.
    let place = try #require(bytes.firstRange(of: Array("stsz".utf8))).lowerBound
    bytes.replaceSubrange(place..<place + 4, with: Array("free".utf8))
    let table = try ISOMovie(reading: InMemoryBytes(bytes)).tracks[0].samples()
    #expect(table.allSizes == [1, 2, 3])
  }

  @Test func `then an hour of PCM uses no memory per sample`() throws {
    var clip = ClipBuilder.with {
      $0.handler = "soun"
      $0.entry = ClipBuilder.audioEntry("sowt")
      $0.timescale = 48_000
      $0.durations = [(200_000, 1)]
      $0.uniformSize = 4
      $0.sampleCount = 200_000
      $0.syncSamples = nil
      $0.chunkRuns = [(1, 200_000, 1)]
      $0.chunkOffsets = [0]
    }
    clip.mediaBytes = 800_000
    let movie = try clip.read()
    let table = try movie.tracks[0].samples()
    #expect(movie.isComplete)
    #expect(table.decodeTimes.isLinear)
    #expect(table.offsets.isLinear)
    #expect(table.sizes.common == 4)
    #expect(movie.tracks[0].timing.constantDuration == 1)
  }

  @Test func `then QuickTime's PCM size of 1 is the size of a frame`() throws {
    var clip = ClipBuilder.with {
      $0.handler = "soun"
      $0.entry = ClipBuilder.audioEntry("sowt")
      $0.uniformSize = 1
      $0.syncSamples = nil
    }
    clip.mediaBytes = 520
    let movie = try clip.read()
    #expect(try movie.tracks[0].samples().sizes.common == 4)
    #expect(movie.isComplete)
  }
}
