import ExactTime
import Support
import Testing

@testable import ISOMedia

@Suite struct `Given boxes that a cut carries over` {
  @Test func `then unknown boxes are copied byte for byte`() throws {
    var builder = Clips.rich
    let unknown = BoxBuilder("uuid", fields: [.bytes((0..<40).map { UInt8($0) })])
    builder.movieBoxes.append(unknown)
    builder.tracks[0].trackBoxes.append(unknown)
    builder.tracks[0].tableBoxes.append(BoxBuilder("subs", fields: [.full(), .u32(0)]))
    builder.movieBoxes.append(BoxBuilder("iods", fields: [.zeros(12)]))
    let bytes = builder.bytes
    let clip = try WrittenClip.output(of: bytes)
    #expect(try clip.boxes("uuid").map(\.payload.bytes) == [[UInt8](0..<40), [UInt8](0..<40)])
    #expect(
      try clip.boxes("stsd").map(\.payload.bytes)
        == HeaderBytes.boxes("stsd", in: bytes).map(\.payload.bytes))
    #expect(clip.tracks[0].boxes.dropped == ["subs"])
    #expect(clip.movie.dropped == ["iods"])
    let movie = try ISOMovie(reading: InMemoryBytes(try WrittenClip.copy(of: bytes)))
    let source = try ISOMovie(reading: InMemoryBytes(bytes))
    #expect(movie.tags == source.tags)
    #expect(movie.protectionSystems == source.protectionSystems)
    #expect(movie.tracks[0].title == "Main picture")
    let table = try movie.tracks[0].samples()
    #expect(table.partialSyncIndices == [2])
    #expect(table.dependencies.common == 0x60)
  }

  /// FFmpeg reads the items of `udta` by the keys of a `meta` box that it has seen before.
  @Test func `then QuickTime metadata come after the user data`() throws {
    let user = BoxBuilder("udta", [BoxBuilder("name", fields: [.text("A name")])])
    let handler = BoxBuilder("hdlr", fields: [.zeros(8), .text("mdta"), .zeros(14)])
    var builder = ClipBuilder()
    builder.movieBoxes = [BoxBuilder("meta", [handler]), user]
    let header = try ISOFileLayout(WrittenClip.output(of: builder.bytes)).headerBytes
    let first = try #require(header.firstRange(of: Array("udta".utf8))).lowerBound
    let second = try #require(header.firstRange(of: Array("mdta".utf8))).lowerBound
    #expect(first < second)
  }

  @Test func `then a sample keeps its group, wherever it ends up in the output`() throws {
    var clip = try WrittenClip.output(of: Clips.rich.bytes)
    let source = clip.tracks[0].boxes.groups[0]
    #expect((0..<11).map(source.description(ofSample:)) == [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0])
    var group = ISOOutputGroup(source)
    for index in [4, 3, nil, 9, 10] { group.append(sourceSample: index) }
    clip.tracks[0].groups = [group]
    let written = try #require(clip.read().tracks[0].sampleGroup("roll"))
    #expect((0..<6).map { written.rollDistance(ofSample: $0) } == [-2, nil, nil, -2, nil, nil])
  }

  /// The default index after the length of all entries, without that length, and before the length
  /// of each.
  @Test(arguments: [
    [BoxBuilder.Field.u32(2), .u32(1), .u32(1)], [.u32(1), .u32(1)],
    [.u32(0), .u32(1), .u32(1), .u32(2)],
  ])
  func `then a default group applies to every copied sample`(
    fields: [BoxBuilder.Field]
  ) throws {
    let descriptions = BoxBuilder(
      "sgpd", fields: [.full(2), .text("prol")] + fields + [.i16(-3)])
    let bytes = ClipBuilder.with { $0.tableBoxes = [descriptions] }.bytes
    let clip = try WrittenClip.output(of: bytes)
    #expect(clip.tracks[0].boxes.groups.map { $0.description(ofSample: 7) } == [1])
    #expect(try clip.read().tracks[0].sampleGroup("prol")?.entries == [[0xFF, 0xFD]])
    #expect(
      try clip.boxes("sgpd").map(\.payload.bytes)
        == HeaderBytes.boxes("sgpd", in: bytes).map(\.payload.bytes))
    #expect(try clip.boxes("sbgp").map { $0.payload.u32(12) } == [10])
  }

  @Test func `then a group without remaining samples is not written`() throws {
    var clip = try WrittenClip.output(of: Clips.rich.bytes)
    clip.tracks[0].groups = clip.tracks[0].boxes.groups.map { ISOOutputGroup($0) }
    #expect(try clip.boxes("sgpd").isEmpty)
    #expect(try clip.boxes("sbgp").isEmpty)
  }

  @Test func `then a free-form tag can be removed without touching the others`() throws {
    var clip = try WrittenClip.output(of: Clips.rich.bytes)
    let before = try clip.read()
    #expect(before.tags.contains { $0.key == "iTunSMPB" })
    clip.movie.removeFreeformTags(named: "iTunSMPB")
    let after = try clip.read()
    #expect(after.tags == before.tags.filter { $0.key != "iTunSMPB" })
    #expect(after.coverArt.count == before.coverArt.count)
  }

  @Test func `then top-level boxes are copied unless they point into the old file`() throws {
    let places = BoxBuilder("meta", fields: [.full()], [BoxBuilder("iloc", fields: [.full()])])
    let profile = BoxBuilder("uuid", fields: [.zeros(20)])
    var boxes = ClipBuilder().boxes
    boxes.insert(contentsOf: [profile, places], at: 1)
    let source = try ISOSourceBoxes(reading: InMemoryBytes(boxes.bytes))
    #expect(source.movie.fileBoxes.map(\.bytes) == [profile.bytes])
    #expect(source.movie.dropped == ["meta"])
  }

  @Test func `then brands for segmented files are not carried over into a whole file`() throws {
    var clip = try Synthetic.clip()
    clip.movie.brands = ISOBrands(major: "dash", compatible: ["iso6", "cmfc"])
    #expect(try clip.read().majorBrand == "isom")
    #expect(try clip.read().compatibleBrands == ["iso6", "isom"])
    let fragmented = try ISOFragmentedLayout(clip)
    let movie = try ISOMovie(
      reading: HeaderBytes(fragmented.initSegment, total: Int64(fragmented.initSegment.count)))
    #expect(movie.majorBrand == "dash")
    #expect(movie.compatibleBrands == ["iso6", "cmfc"])
  }
}

@Suite struct `Given a file larger than 4 GiB` {
  private func clip(bytes: UInt32, count: Int) throws -> ISOOutputFile {
    var picture = try Synthetic.video()
    picture.samples.append(ISOOutputSample(byteCount: bytes, duration: 512), count: count)
    return ISOOutputFile(movie: ISOMovieBoxes(brands: .mp4), tracks: [picture])
  }

  @Test func `then chunk offsets and the size of the media take 64 bits`() throws {
    let clip = try clip(bytes: 3_000_000_000, count: 4)
    let layout = try ISOFileLayout(clip)
    #expect(HeaderBytes.boxes("co64", in: layout.headerBytes).count == 1)
    let table = try clip.read().tracks[0].samples()
    let start = Int64(layout.headerBytes.count)
    #expect((0..<4).map { table.offset($0) } == (0..<4).map { start + $0 * 3_000_000_000 })
    #expect(try clip.read().isComplete)
    #expect(try clip.read().topLevel.last?.size == 12_000_000_016)
  }

  @Test func `then 32 bits are enough as long as the last chunk begins within them`() throws {
    let clip = try clip(bytes: 2_200_000_000, count: 2)
    #expect(try clip.boxes("stco").count == 1)
    #expect(try clip.read().isComplete)
  }

  @Test func `then a fragment of more than 2 GiB is refused`() throws {
    var clip = try clip(bytes: 2_200_000_000, count: 1)
    var sound = try Synthetic.audio()
    sound.samples.append(ISOOutputSample(byteCount: 1, duration: 1), count: 1)
    clip.tracks.append(sound)
    #expect(throws: ISOWriteError.self) { try ISOFragmentedLayout(clip) }
  }
}

@Suite struct `Given uncompressed audio` {
  @Test func `then millions of samples take no more memory than a few`() throws {
    var sound = try Synthetic.audio()
    sound.samples.append(ISOOutputSample(byteCount: 4, duration: 1), count: 48_000 * 7200)
    let clip = ISOOutputFile(movie: ISOMovieBoxes(brands: .quickTime), tracks: [sound])
    let layout = try ISOFileLayout(clip)
    #expect(layout.chunks.count == 14_400)
    #expect(layout.fileByteCount == Int64(layout.headerBytes.count) + 48_000 * 7200 * 4)
    #expect(layout.headerBytes.count < 60_000)
  }
}
