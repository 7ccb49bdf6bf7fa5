import ISOMedia
import Support
import Testing

@Suite struct `Given a fragmented file` {
  @Test func `then its fragments make one table`() throws {
    let movie = try Clips.manyFragments.read()
    let track = movie.tracks[0]
    let table = try track.samples()
    #expect(movie.isFragmented)
    #expect(movie.movieFragmentCount == 3)
    #expect(movie.fragmentDuration == 1100)
    #expect(movie.duration == nil)
    #expect(track.firstFragmentTime == 1000)
    // The second fragment does not state its start time; the third one starts after the second
    // ends.
    #expect(table.allDecodeTimes == [1000, 1100, 1200, 1300, 1400, 2000])
    #expect(table.allPresentationTimes == [1000, 1050, 1150, 1300, 1350, 2000])
    #expect(table.allSyncIndices == [0, 3, 5])
    #expect(track.timing.totalDuration == 600)
    #expect(track.timing.constantDuration == 100)
    #expect(movie.isComplete)
    #expect(movie.problems.isEmpty)
  }

  @Test func `then offsets count from the fragment itself`() throws {
    let movie = try Clips.manyFragments.read()
    let media = movie.topLevel.filter { $0.type == "mdat" && $0.size > 8 }.map { $0.offset + 8 }
    let table = try movie.tracks[0].samples()
    #expect(
      (0..<6).map { table.offset($0) } == [0, 10, 20].map { $0 + media[0] }
        + [0, 10].map { $0 + media[1] } + [media[2]])
  }

  @Test func `then an explicit base offset is used, and defaults fill in missing fields`() throws {
    var fragment = FragmentBuilder(Array(repeating: .init(), count: 3))
    fragment.usesDefaults = true
    fragment.headerFlags = 0x1 | 0x8
    fragment.headerFields = [.u64(40), .u32(7)]
    let extends = FragmentBuilder.extends(duration: 100, size: 10, flags: 0x1_0000)
    let table = try ClipBuilder.fragmented([fragment], extends: extends).read().tracks[0].samples()
    #expect(table.allDurations == [7, 7, 7])
    #expect(table.allSizes == [10, 10, 10])
    #expect(table.allSyncIndices == [])
    let first = try #require(table.offset(0))
    #expect(table.offset(2) == first + 20)
  }

  @Test(
    arguments: zip(
      [0, 0x200_0000, 0x1_0000, 0x100_0000, 0x101_0000] as [UInt32],
      [true, true, false, false, false]))
  func `then a sample that depends on others is not a sync sample`(
    flags: UInt32, isSync: Bool
  ) throws {
    var sample = FragmentBuilder.Sample()
    sample.flags = flags
    let table = try ClipBuilder.fragmented([FragmentBuilder([sample])]).read().tracks[0].samples()
    #expect(table.isSync(0) == isSync)
    #expect(table.dependencies[0] == UInt8(flags >> 20))
  }

  @Test(arguments: [UInt8(0), 1])
  func `then the start of a fragment is read in both versions`(version: UInt8) throws {
    var fragment = FragmentBuilder([.init()], start: 4_000_000_000)
    fragment.startVersion = version
    let movie = try ClipBuilder.fragmented([fragment]).read()
    #expect(movie.tracks[0].firstFragmentTime == 4_000_000_000)
  }

  @Test func `then fragments continue where the samples of moov end`() throws {
    var clip = ClipBuilder()
    clip.movieBoxes = [FragmentBuilder.extends()]
    clip.trailingBoxes = FragmentBuilder([.init(), .init(isSync: false)], start: nil).boxes
    let table = try clip.read().tracks[0].samples()
    #expect(table.allDecodeTimes == (0..<12).map { $0 * 100 })
    #expect(table.allSyncIndices == [0, 5, 10])
    #expect(table.allSizes == Array(repeating: 100, count: 10) + [10, 10])
  }

  @Test func `then a file truncated inside its last fragment reports the missing samples`() throws {
    let bytes = Clips.manyFragments.bytes
    let whole = try ISOMovie(reading: InMemoryBytes(bytes))
    let table = try whole.tracks[0].samples()
    let movie = try ISOMovie(reading: InMemoryBytes(Array(bytes.dropLast(5))))
    #expect(!movie.isComplete)
    #expect(movie.truncation?.type == "mdat")
    #expect(movie.samplesOutsideFile.count == 1)
    #expect(movie.samplesOutsideFile.firstOffset == table.offset(5))
    #expect(movie.problemKinds == [.truncatedBox, .samplesOutsideFile])
  }

  @Test func `then a file truncated inside a fragment's header keeps everything before it`() throws
  {
    let clip = Clips.manyFragments
    let whole = try clip.read()
    let last = try #require(whole.topLevel.last { $0.type == "moof" })
    let cut = Array(clip.bytes[..<Int(last.offset + last.size - 8)])
    let movie = try ISOMovie(reading: InMemoryBytes(cut))
    #expect(movie.tracks[0].sampleCount == 5)
    #expect(movie.tracks[0].placement.unplacedCount == 1)
    #expect(movie.truncation?.type == "moof")
    #expect(!movie.isComplete)
  }

  @Test func `then a fragment of an unknown track is reported and skipped`() throws {
    var fragment = FragmentBuilder([.init()])
    fragment.trackID = 9
    let movie = try ClipBuilder.fragmented([fragment]).read()
    #expect(movie.tracks[0].sampleCount == 0)
    #expect(movie.problems.contains { $0.kind == .unknownTrack && $0.trackID == 9 })
  }

  @Test func `then segments without an initialization segment are a typed error`() throws {
    let segment = BoxBuilder("styp", fields: [.text("msdh"), .u32(0)])
    let bytes = ([segment] + FragmentBuilder([.init()]).boxes).bytes
    let error = try #require(throws: ISOError.self) {
      try ISOMovie(reading: InMemoryBytes(bytes))
    }
    #expect(error.code == .missingInitialization)
    #expect(error.byteOffset == 16)
  }
}
