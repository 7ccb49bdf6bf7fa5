import ISOMedia
import Support
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Given a file made to do harm` {
  @Suite struct `When a table claims more than it can hold` {
    @Test(arguments: [20_000_000, 80_000_000, 1 << 31, UInt32.max] as [UInt32])
    func `then one size for all samples is not trusted beyond the size of the file`(
      count: UInt32
    ) throws {
      let movie = try ClipBuilder.with { $0.sampleCount = count }.read()
      #expect(movie.problemKinds.contains(.countImpossible))
      let error = try #require(throws: ISOError.self) { try movie.tracks[0].samples() }
      #expect(error.code == .sampleTableImpossible)
    }

    @Test(arguments: ["stts", "ctts", "stss", "stsc", "co64", "elst"])
    func `then only the entries it has room for are read`(type: String) throws {
      let clip = ClipBuilder.with {
        $0.compositionOffsets = [(10, 0)]
        $0.edits = [(1000, 0, 1)]
      }
      var bytes = clip.bytes
      let place = try #require(bytes.firstRange(of: Array(type.utf8))).upperBound + 4
      bytes.replaceSubrange(place..<place + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
      let movie = try ISOMovie(reading: InMemoryBytes(bytes))
      #expect(movie.problems.contains { $0.kind == .countImpossible && $0.byteOffset != nil })
      _ = try movie.tracks[0].samples()
    }

    @Test func `then runs of 2^32 samples stop at the actual sample count`() throws {
      let movie = try ClipBuilder.with {
        $0.durations = Array(repeating: (.max, 1), count: 4)
        $0.compositionOffsets = Array(repeating: (.max, 1), count: 4)
        $0.chunkRuns = [(1, .max, 1)]
      }.read()
      #expect(try movie.tracks[0].samples().count == 10)
      #expect(movie.tracks[0].timing.totalDuration == 10)
    }

    @Test func `then a fragment's run of default samples is not trusted either`() throws {
      var fragment = FragmentBuilder([.init()])
      fragment.usesDefaults = true
      fragment.claimedCount = .max
      let movie = try ClipBuilder.fragmented([fragment]).read()
      #expect(movie.tracks[0].sampleCount == 0)
      #expect(movie.problemKinds.contains(.countImpossible))
      #expect(!movie.isComplete)
    }
  }

  @Suite struct `When there is too much of anything` {
    @Test func `then 5,000 tracks are a typed error`() throws {
      var clip = ClipBuilder()
      clip.tracks = Array(repeating: clip.tracks[0], count: 5000)
      let error = try #require(throws: ISOError.self) { try clip.read() }
      #expect(error.code == .limitExceeded(.tracks))
    }

    @Test func `then 20,000 nested boxes are not followed`() throws {
      var nested: [UInt8] = []
      for depth in stride(from: 20_000, to: 0, by: -1) {
        nested += BoxBuilder.Field.u32(UInt32(depth * 8)).bytes + Array("moov".utf8)
      }
      // Written inside out: the outermost box first, each holding the rest.
      let movie = try ISOMovie(reading: InMemoryBytes(nested))
      #expect(movie.tracks.isEmpty)
    }

    @Test func `then 100,000 edits are read`() throws {
      let movie = try ClipBuilder.with {
        $0.edits = Array(repeating: (1, 0, 1), count: 100_000)
      }.read()
      #expect(movie.tracks[0].edits.count == 100_000)
    }

    @Test func `then a thousand of a million metadata keys are kept`() throws {
      let thousand = (1000..<2000).flatMap {
        BoxBuilder("©nam", fields: [.u16(4), .u16(0x55C4), .text("\($0)")]).bytes
      }
      var million: [UInt8] = []
      for _ in 0..<1000 { million += thousand }
      var clip = ClipBuilder()
      clip.movieBoxes = [BoxBuilder("udta", fields: [.bytes(million)])]
      let movie = try clip.read()
      #expect(movie.tags.count == 1000)
      #expect(movie.problemKinds == [.limitReached])
    }

    @Test func `then a title of 10 MB is truncated`() throws {
      let text = BoxBuilder(
        "data",
        fields: [.u32(1), .u32(0), .zeros(0), .text(String(repeating: "x", count: 10 << 20))])
      let list = BoxBuilder("ilst", [BoxBuilder("©nam", [text])])
      var clip = ClipBuilder()
      clip.movieBoxes = [BoxBuilder("udta", [BoxBuilder("meta", fields: [.full()], [list])])]
      #expect(try clip.read().tags.first?.value.utf8.count == 64 << 10)
    }

    @Test func `then a header beyond the limit is a typed error`() throws {
      var limits = ISOLimits()
      limits.headerBytes = 100
      let error = try #require(throws: ISOError.self) { try ClipBuilder().read(limits: limits) }
      #expect(error.code == .limitExceeded(.headerBytes))
    }

    @Test func `then more samples than the limit are a typed error`() throws {
      let track = try ClipBuilder().read().tracks[0]
      let error = try #require(throws: ISOError.self) { try track.samples(limit: 9) }
      #expect(error.code == .limitExceeded(.samples))
    }
  }

  @Test func `then a compressed header is reported and not unpacked`() throws {
    let bomb = BoxBuilder("moov", [BoxBuilder("cmov", fields: [.zeros(1000)])])
    let movie = try ISOMovie(reading: InMemoryBytes(bomb.bytes))
    #expect(movie.problemKinds.contains(.compressedHeader))
    #expect(movie.tracks.isEmpty)
  }

  @Test func `then media in another file are reported, and that file is not opened`() throws {
    var bytes = ClipBuilder().bytes
    let place = try #require(bytes.firstRange(of: Array("url ".utf8))).upperBound
    bytes[place + 3] = 0
    let movie = try ISOMovie(reading: InMemoryBytes(bytes))
    #expect(movie.tracks[0].isExternal)
    #expect(movie.problemKinds == [.externalReference])
  }
}
