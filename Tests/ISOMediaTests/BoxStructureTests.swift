import ISOMedia
import Support
import Testing

@Suite struct `Given boxes of unusual sizes` {
  @Test func `then a 64-bit size is read`() throws {
    let boxes = ClipBuilder().boxes
    let bytes = [boxes[0], boxes[1].large(), boxes[2].large()].bytes
    let movie = try ISOMovie(reading: InMemoryBytes(bytes))
    #expect(movie.topLevel.map(\.type) == ["ftyp", "moov", "mdat"])
    #expect(movie.tracks.count == 1)
  }

  @Test func `then a last box of size 0 extends to the end of the file`() throws {
    var boxes = ClipBuilder().boxes
    boxes[2] = boxes[2].claiming(0)
    let movie = try ISOMovie(reading: InMemoryBytes(boxes.bytes))
    #expect(movie.topLevel.last?.size == 1008)
    #expect(movie.isComplete)
    #expect(movie.problems.isEmpty)
  }

  @Test func `then mdat longer than the file is reported with the missing byte count`() throws {
    var boxes = ClipBuilder().boxes
    boxes[2] = boxes[2].claiming(1016)
    let movie = try ISOMovie(reading: InMemoryBytes(boxes.bytes))
    #expect(movie.truncation?.type == "mdat")
    #expect(!movie.isComplete)
    #expect(movie.samplesOutsideFile.count == 0)
    let problem = try #require(movie.problems.first)
    #expect(problem.kind == .truncatedBox)
    #expect(problem.count == 8)
  }

  @Test func `then a file truncated in its media counts the missing samples`() throws {
    let bytes = ClipBuilder().bytes
    let movie = try ISOMovie(reading: InMemoryBytes(Array(bytes.dropLast(250))))
    #expect(movie.tracks[0].placement.outsideCount == 3)
    #expect(movie.samplesOutsideFile.firstOffset == Int64(bytes.count - 300))
    #expect(movie.problemKinds == [.truncatedBox, .samplesOutsideFile])
  }

  @Test func `then a box that exceeds its parent is clipped to it and reported`() throws {
    var clip = ClipBuilder()
    clip.movieBoxes = [BoxBuilder("udta", fields: [.zeros(4)]).claiming(5000)]
    let movie = try clip.read()
    let problem = try #require(movie.problems.first)
    #expect(problem.kind == .overrunningBox)
    #expect(problem.count == 4988)
    #expect(movie.tracks.count == 1)
  }

  @Test func `then a box smaller than its header ends its parent and is reported`() throws {
    var clip = ClipBuilder()
    clip.movieBoxes = [BoxBuilder("free").claiming(7)]
    let movie = try clip.read()
    #expect(movie.problemKinds == [.malformedBox])
    #expect(movie.tracks.count == 1)
  }

  @Test func `then bytes that are not a box are reported`() throws {
    let movie = try ISOMovie(
      reading: InMemoryBytes(ClipBuilder().bytes + [UInt8](repeating: 0, count: 100)))
    #expect(movie.problemKinds == [.trailingBytes])
    #expect(movie.isComplete)
  }

  @Test func `then the first of two headers is used`() throws {
    var other = ClipBuilder()
    other.timescale = 77
    let movie = try ISOMovie(
      reading: InMemoryBytes(ClipBuilder().bytes + other.boxes[1].bytes))
    #expect(movie.timescale == 1000)
    #expect(movie.problemKinds == [.duplicateBox])
  }

  @Test func `then a file truncated before its header reports where it ends`() throws {
    let boxes = [BoxBuilder("ftyp", fields: [.zeros(8)]), BoxBuilder("mdat", fields: [.zeros(9)])]
    let error = try #require(throws: ISOError.self) {
      try ISOMovie(reading: InMemoryBytes(Array(boxes.bytes.dropLast(3))))
    }
    #expect(error.code == .missingMovie)
    #expect(error.byteOffset == 30)
  }
}

@Suite struct `Given the boxes at the top level of a file` {
  @Test func `then the header size includes the movie and all fragments`() {
    let types = ["ftyp", "moov", "mdat", "moof", "mdat", "moof"]
    let boxes = types.enumerated().flatMap { index, type in
      BoxBuilder(type, fields: [.zeros(10 * (index + 1))]).bytes
    }
    #expect(ISOMovie.headerByteCount(of: InMemoryBytes(boxes)) == 28 + 48 + 68)
  }

  @Test func `then only the existing part of a truncated header counts`() {
    let boxes = BoxBuilder("moov", fields: [.zeros(100)]).bytes.dropLast(60)
    #expect(ISOMovie.headerByteCount(of: InMemoryBytes(Array(boxes))) == 48)
  }

  @Test func `then a file without boxes has a header size of zero`() {
    #expect(ISOMovie.headerByteCount(of: InMemoryBytes(Array("ffconcat version".utf8))) == 0)
  }
}

@Suite struct `Given the first bytes of a file` {
  @Test(arguments: ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp", "moof", "sidx"])
  func `then files of this family are recognized`(type: String) {
    #expect(ISOMovie.looksLikeISO(firstBytes: BoxBuilder(type, fields: [.zeros(8)]).bytes))
  }

  @Test(
    arguments: zip(
      ["Matroska", "text", "too short", "size 5"],
      [
        [0x1A, 0x45, 0xDF, 0xA3, 0, 0, 0, 0], Array("ffconcat version".utf8), [0, 0, 0, 8],
        BoxBuilder("ftyp").claiming(5).bytes,
      ] as [[UInt8]]))
  func `then other files are not recognized, and reading them throws a typed error`(
    name: String, bytes: [UInt8]
  ) throws {
    #expect(!ISOMovie.looksLikeISO(firstBytes: bytes))
    let error = try #require(throws: ISOError.self) {
      try ISOMovie(reading: InMemoryBytes(bytes))
    }
    #expect(error.code == .notISO)
  }

  @Test func `then a QuickTime movie needs no brand`() throws {
    let boxes = ClipBuilder().boxes.dropFirst()
    let movie = try ISOMovie(reading: InMemoryBytes(Array(boxes).bytes))
    #expect(movie.isQuickTime)
    #expect(movie.majorBrand == nil)
  }
}

@Suite struct `Given a file that cannot be read` {
  struct Broken: RandomAccessBytes {
    struct Failure: Error {}
    let bytes: InMemoryBytes
    let failsFrom: Int64

    var byteCount: Int64 { bytes.byteCount }

    func read(at offset: Int64, count: Int) throws -> [UInt8] {
      guard offset + Int64(count) <= failsFrom else { throw Failure() }
      return bytes.read(at: offset, count: count)
    }
  }

  @Test func `then the error states the byte offset and keeps the cause`() throws {
    let file = Broken(bytes: InMemoryBytes(ClipBuilder().bytes), failsFrom: 100)
    let error = try #require(throws: ISOError.self) { try ISOMovie(reading: file) }
    #expect(error.code == .readFailed)
    #expect(error.byteOffset != nil)
    #expect(error.cause is Broken.Failure)
  }

  @Test func `then a read that fails anywhere throws that error, or does no harm`() throws {
    let bytes = InMemoryBytes(Clips.manyFragments.bytes)
    for place in 0..<bytes.byteCount {
      do throws(ISOError) {
        _ = try ISOMovie(reading: Broken(bytes: bytes, failsFrom: place))
      } catch {
        #expect(error.code == .readFailed)
      }
    }
  }

  @Test func `then short reads never trap`() throws {
    let bytes = ClipBuilder().bytes
    for length in 8..<bytes.count {
      let file = Lying(bytes: InMemoryBytes(Array(bytes[..<length])), byteCount: Int64(bytes.count))
      _ = try? ISOMovie(reading: file)
    }
  }

  /// A file that shrank after its size was queried.
  struct Lying: RandomAccessBytes {
    let bytes: InMemoryBytes
    let byteCount: Int64

    func read(at offset: Int64, count: Int) -> [UInt8] { bytes.read(at: offset, count: count) }
  }
}
