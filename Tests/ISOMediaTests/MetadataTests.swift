import ExactTime
import Support
import Testing

@testable import ISOMedia

@Suite struct `Given a file with metadata` {
  @Test func `then tags have FFmpeg's names`() throws {
    #expect(
      try Clips.rich.read().tags == [
        ISOTag(key: "title", value: "A clip"), ISOTag(key: "encoder", value: "Lavf"),
        ISOTag(key: "track", value: "3/12"),
        ISOTag(key: "iTunSMPB", value: "00000000 00000840"),
      ])
  }

  @Test func `then cover art stays in the file and is reported with its location`() throws {
    let clip = Clips.rich
    let cover = try #require(try clip.read().coverArt.first)
    #expect(cover.format == .jpeg)
    #expect(cover.byteCount == 4)
    let place = Int(cover.byteOffset)
    #expect(Array(clip.bytes[place..<place + 4]) == [0xFF, 0xD8, 0xFF, 0xE0])
  }

  @Test func `then QuickTime's keys keep their own names`() throws {
    let keys = BoxBuilder(
      "keys",
      fields: [.full(), .u32(2)],
      [
        BoxBuilder("mdta", fields: [.text("com.apple.quicktime.make")]),
        BoxBuilder("mdta", fields: [.text("com.apple.quicktime.model")]),
      ])
    let list = BoxBuilder(
      "ilst",
      [
        BoxBuilder("\0\0\0\u{1}", [Clips.text("Apple")]),
        BoxBuilder("\0\0\0\u{2}", [Clips.text("X")]),
      ])
    let handler = BoxBuilder("hdlr", fields: [.full(), .u32(0), .text("mdta"), .zeros(13)])
    var clip = ClipBuilder()
    clip.movieBoxes = [BoxBuilder("meta", [handler, keys, list])]
    #expect(
      try clip.read().tags == [
        ISOTag(key: "com.apple.quicktime.make", value: "Apple"),
        ISOTag(key: "com.apple.quicktime.model", value: "X"),
      ])
  }

  @Test(
    arguments: zip(
      [0x55C4, 0] as [UInt16], [Array("caf\u{E9}".utf8), [0x63, 0x61, 0x66, 0x8E]] as [[UInt8]]))
  func `then user data are UTF-8 or Mac Roman, depending on their language code`(
    language: UInt16, text: [UInt8]
  ) throws {
    var clip = ClipBuilder()
    clip.movieBoxes = [
      BoxBuilder(
        "udta",
        [
          BoxBuilder("©nam", fields: [.u16(UInt16(text.count)), .u16(language), .bytes(text)]),
          // QuickTime ends the list with a zero.
          BoxBuilder("\0\0\0\0").claiming(0),
        ])
    ]
    let movie = try clip.read()
    #expect(movie.tags == [ISOTag(key: "title", value: "caf\u{E9}")])
    #expect(movie.problems.isEmpty)
  }

  @Test(arguments: zip([0.5, -240, 29.97], ["0.500000", "-240.000000", "29.970000"]))
  func `then numbers have six decimal places`(value: Double, text: String) throws {
    let data = BoxBuilder("data", fields: [.u32(24), .u32(0), .u64(value.bitPattern)])
    let list = BoxBuilder("ilst", [BoxBuilder("fps ", [data])])
    var clip = ClipBuilder()
    clip.movieBoxes = [BoxBuilder("meta", fields: [.full()], [list])]
    #expect(try clip.read().tags == [ISOTag(key: "fps ", value: text)])
  }

  @Test func `then a 3GPP title may be UTF-16`() throws {
    var clip = ClipBuilder()
    clip.movieBoxes = [
      BoxBuilder(
        "udta",
        [
          BoxBuilder(
            "titl", fields: [.full(), .u16(0x15C7), .u16(0xFEFF), .u16(0x41), .u16(0x416)])
        ])
    ]
    #expect(try clip.read().tags == [ISOTag(key: "title", value: "A\u{416}")])
  }
}

@Suite struct `Given a file with chapters` {
  @Test func `then the chapter track's full titles take precedence over the short list`() throws {
    let movie = try Clips.chaptered.read()
    #expect(
      movie.chapters == [
        ISOChapter(title: "First", start: .zero, end: MediaTime(2, 5)),
        ISOChapter(title: "Second", start: MediaTime(2, 5), end: MediaTime(1)),
      ])
    #expect(movie.tracks.map(\.isChapterTrack) == [false, true, false])
  }

  @Test func `then without that track the list is used`() throws {
    var clip = Clips.chaptered
    clip.tracks[0].references = []
    #expect(
      try clip.read().chapters == [
        ISOChapter(title: "One", start: MediaTime(1, 2), end: nil)
      ])
  }

  @Test func `then an empty edit of the chapter track delays its chapters`() throws {
    var clip = Clips.chaptered
    clip.tracks[1].edits = [(250, -1, 1), (1000, 0, 1)]
    #expect(try clip.read().chapters.map(\.start) == [MediaTime(1, 4), MediaTime(13, 20)])
  }

  @Test func `then a timecode track gives rate, kind and first frame`() throws {
    let timecode = try #require(try Clips.chaptered.read().tracks[2].timecode)
    #expect(timecode.isDropFrame)
    #expect(timecode.timescale == 30_000)
    #expect(timecode.frameDuration == 1001)
    #expect(timecode.framesPerSecond == 30)
    #expect(timecode.startFrame == 107_892)
  }
}

@Suite struct `Given a creation time` {
  @Test(
    arguments: zip(
      [0, 2_082_844_800, 3_786_825_600, 1_400_000_000] as [UInt64],
      [
        nil, "1970-01-01T00:00:00.000000Z", "2023-12-31T00:00:00.000000Z",
        "2014-05-13T16:53:20.000000Z",
      ] as [String?]))
  func `then it is a date, whether the writer counted from 1904 or from 1970`(
    field: UInt64, expected: String?
  ) throws {
    var bytes = ClipBuilder().bytes
    let place = try #require(bytes.firstRange(of: Array("mvhd".utf8))).upperBound + 4
    bytes.replaceSubrange(
      place..<place + 4, with: BoxBuilder.Field.u32(UInt32(field)).bytes)
    let tags = try ISOMovie(reading: InMemoryBytes(bytes)).tags
    #expect(tags.first { $0.key == "creation_time" }?.value == expected)
  }
}
