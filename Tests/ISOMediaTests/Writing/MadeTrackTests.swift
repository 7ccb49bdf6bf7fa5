import ExactTime
import Support
import Testing

@testable import ISOMedia

/// The synthetic file with chapters and a timecode, as a file.
private struct Chaptered {
  let file: [UInt8]

  static let chapters = [
    ISOOutputChapter(start: MediaTime(seconds: Rational(1, 4)), title: "Anfang ä"),
    ISOOutputChapter(start: MediaTime(seconds: Rational(1)), title: ""),
    ISOOutputChapter(start: MediaTime(seconds: Rational(3, 2)), title: "Ende"),
  ]

  init(brands: ISOBrands = .mp4, lists: Bool = true) throws {
    let source = try SampleClips.bytes("silent.mp4")
    let table = try ISOMovie(reading: InMemoryBytes(source)).tracks[0].samples()
    var clip = try WrittenClip.output(of: source)
    clip.movie.brands = brands
    let titles = try ISOMadeTrack.chapters(
      Self.chapters, end: MediaTime(seconds: Rational(2)),
      in: ISOTrackBoxes(
        making: .chapters, id: 3, timescale: 1000, sampleEntries: [.chapterTitle]))
    let entry = ISORawSampleEntry.timecode(
      flags: 1, timescale: 30_000, frameDuration: 1001, framesPerSecond: 30)
    let timecode = try ISOMadeTrack.timecode(
      frame: 107_892, length: MediaDuration(2),
      in: ISOTrackBoxes(making: .timecode, id: 4, timescale: 30_000, sampleEntries: [entry]))
    clip.tracks += [titles.track, timecode.track]
    clip.tracks[0].boxes.references = [
      ISOTrackReference("chap", ids: [3]), ISOTrackReference("tmcd", ids: [4]),
    ]
    if lists { clip.chapterList = Self.chapters }
    let payloads = [[], titles.payloads, timecode.payloads]
    file = WrittenClip.write(clip, try ISOFileLayout(clip)) { placed in
      guard placed.track == 0 else { return payloads[placed.track][placed.index][...] }
      let offset = Int(table.offset(placed.index) ?? 0)
      return source[offset..<offset + placed.byteCount]
    }
  }

  var movie: ISOMovie { get throws { try ISOMovie(reading: InMemoryBytes(file)) } }
}

@Suite struct `Given chapters and timecode that are rebuilt` {
  @Test func `then the reader finds the titles and the times`() throws {
    let movie = try Chaptered().movie
    #expect(movie.problems == [])
    #expect(movie.chapters.map(\.title) == ["Anfang ä", nil, "Ende"])
    #expect(movie.chapters.map(\.start) == Chaptered.chapters.map(\.start))
    #expect(movie.chapters.last?.end == MediaTime(seconds: Rational(2)))
    #expect(movie.tracks[1].isChapterTrack)
    #expect(!movie.tracks[1].isEnabled)
    let timecode = try #require(movie.tracks[2].timecode)
    #expect(timecode.startFrame == 107_892)
    #expect(timecode.isDropFrame)
    #expect(timecode.frameDuration == 1001)
    #expect(movie.tracks[2].headerDuration == 2000)
  }

  @Test func `then the chapter list alone gives the starts and titles, too`() throws {
    var clip = try Synthetic.clip()
    clip.chapterList = Chaptered.chapters
    let chapters = try clip.read().chapters
    #expect(chapters.map(\.title) == ["Anfang ä", nil, "Ende"])
    #expect(chapters.map(\.start) == Chaptered.chapters.map(\.start))
  }

  @Test func `then a long list is cut at 255 chapters and a long title before its 256th byte`()
    throws
  {
    var clip = try Synthetic.clip()
    clip.chapterList = (0..<300).map {
      ISOOutputChapter(
        start: MediaTime(seconds: Rational($0, 300)), title: String(repeating: "ä", count: 200))
    }
    let chapters = try clip.read().chapters
    #expect(chapters.count == 255)
    #expect(chapters[0].title == String(repeating: "ä", count: 127))
  }

  @Test(
    .enabled(if: FFmpegTool.isInstalled, "ffmpeg and ffprobe are not installed"),
    arguments: [ISOBrands.mp4, .quickTime], [true, false])
  func `then ffprobe finds them, in each file type and with or without a list`(
    brands: ISOBrands, lists: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(try Chaptered(brands: brands, lists: lists).file, to: "clip")
    let said = try await FFmpegTool.description(path, leavingOut: [])
    // It takes the end of the last chapter from the media, which do not include the empty edit.
    for line in [
      "start_time=0.250000", "end_time=1.000000", "TAG:title=Anfang ä", "start_time=1.500000",
      "TAG:title=Ende", "TAG:timecode=01:00:00;00",
      "TAG:handler_name=VideoHandler",
    ] {
      #expect(said.contains(line), "\(line) is not in \(said)")
    }
  }

  @Test func `then chapters out of order are refused`() throws {
    let boxes = ISOTrackBoxes(
      making: .chapters, id: 3, timescale: 1000, sampleEntries: [.chapterTitle])
    #expect(throws: ISOWriteError.self) {
      try ISOMadeTrack.chapters(
        Chaptered.chapters.reversed(), end: MediaTime(seconds: Rational(2)), in: boxes)
    }
  }
}
