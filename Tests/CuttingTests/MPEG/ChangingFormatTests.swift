import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Broadcasts and concatenated streams can change size or aspect ratio in the middle.
///
/// Frames 0 to 49 have 160 x 96 square pixels, 50 to 99 are smaller, 100 to 149 have 160 x 96 wide
/// pixels.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a transport stream whose pictures change size and aspect ratio` {
  private static let words = [
    "h264": ["-c:v", "libx264", "-preset", "veryfast", "-x264-params", "bframes=2"],
    "hevc": [
      "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:bframes=2",
    ],
    "mpeg2video": ["-c:v", "mpeg2video", "-bf", "2", "-q:v", "3"],
  ]

  struct Format: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var frames: ClosedRange<Int64>
    var size: (Int, Int)
    var aspect: Rational
  }

  static let formats = [
    Format(testDescription: "as the first", frames: 7...43, size: (160, 96), aspect: .one),
    Format(testDescription: "smaller", frames: 57...93, size: (96, 64), aspect: .one),
    Format(
      testDescription: "wider", frames: 107...143, size: (160, 96), aspect: Rational(16, 15)),
  ]

  /// - Parameter ending: the file extension; Matroska's header describes only the first pictures.
  private func clip(
    _ codec: String, as ending: String = "ts", in folder: ScratchFolder
  ) async throws -> OpenedFile {
    let words = try #require(Self.words[codec])
    // MPEG-2 states the display aspect ratio: 16:9 with 160 x 96 pixels.
    let path = try await StreamsEndToEnd.make(
      [
        .init(words: words, filters: ",setsar=1"),
        .init(words: words, size: "96x64", filters: ",setsar=1"),
        .init(words: words, filters: ",setsar=16/15"),
      ], in: folder)
    let copy = folder.path(of: "clip." + ending)
    if copy != path {
      _ = try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-c", "copy", copy])
    }
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(copy.utf8)))
  }

  private func cut(
    _ clip: OpenedFile, _ frames: ClosedRange<Int64>, _ mode: CutMode = .smart, to output: String
  ) throws -> CutReport {
    let range = try #require(
      MediaTimeRange(
        from: MediaTime(frames.lowerBound, 25), to: MediaTime(frames.upperBound + 1, 25)))
    return try clip.cut(
      CutOrder(
        CutRequest(range: range, mode: mode, verification: .full), to: Array(output.utf8)))
  }

  /// Every copied picture is in its place.
  private func check(
    _ output: String, _ frames: ClosedRange<Int64>, of folder: ScratchFolder
  ) async throws {
    let source = try await EncodedClip.pictures(of: folder.path(of: "clip.ts"))
    let cut = try await EncodedClip.pictures(of: output)
    try #require(source.count == 150 && cut.count == frames.count)
    let same = zip(cut, frames).count { $0 == source[Int($1)] }
    // Short ranges are re-encoded completely, so no picture is identical.
    #expect(same >= frames.count / 2 || frames.count < 10)
    let misplaced = zip(cut, frames).contains { picture, frame in
      source.firstIndex(of: picture).map { $0 != frame } ?? false
    }
    #expect(!misplaced)
  }

  @Test(arguments: ["h264", "hevc", "mpeg2video"], formats)
  func
    `when they do not change within the range then the file states their size and aspect ratio`(
      _ codec: String, _ format: Format
    ) async throws
  {
    let folder = try ScratchFolder()
    let clip = try await clip(codec, in: folder)
    for ending in ["mp4", "mov", "mkv", "ts"] {
      let output = folder.path(of: "cut." + ending)
      let report = try cut(clip, format.frames, to: output)
      #expect(report.plan.frames == format.frames.count)
      let facts = try Prober().probe(.file(path: Array(output.utf8)))
      let video = try #require(facts.tracks[0].video)
      #expect([video.width, video.height] == [format.size.0, format.size.1], "\(ending)")
      #expect((video.sampleAspectRatio ?? .one) == format.aspect, "\(ending)")
      // FFmpeg's MPEG-2 decoder drops one picture of the source at each change.
      if codec != "mpeg2video" { try await check(output, format.frames, of: folder) }
    }
  }

  @Test(arguments: ["h264", "hevc"], ["ts", "mkv"])
  func `when they change at an edge then the pictures on each side keep their size`(
    _ codec: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let clip = try await clip(codec, as: ending, in: folder)
    // A re-encoded head, a re-encoded tail, and a range that is re-encoded completely.
    for frames in [43...73, 23...56, 93...123, 63...106, 53...58] as [ClosedRange<Int64>] {
      for ending in ["mkv", "mp4", "ts"] {
        let output = folder.path(of: "cut\(frames.lowerBound)." + ending)
        let report = try cut(clip, frames, to: output)
        #expect(report.plan.tracks[0].encoded > 0)
        try await check(output, frames, of: folder)
        // Only the second stretch has smaller pictures.
        if frames == 53...58 {
          let video = try Prober().probe(.file(path: Array(output.utf8))).tracks[0].video
          #expect(video?.width == 96 && video?.height == 64)
        }
      }
    }
  }

  /// `avc1` and `hvc1` do not allow parameter sets in samples (ISO 14496-15, 5.3.3.1.1 and 8.3.3.1.1).
  @Test(arguments: [("h264", "avc3"), ("hevc", "hev1")], ["ts", "mkv"])
  func `when they change among copied pictures then MP4 signals parameter sets in samples`(
    _ codec: (name: String, tag: String), _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let clip = try await clip(codec.name, as: ending, in: folder)
    let output = folder.path(of: "cut.mp4")
    let report = try cut(clip, 30...79, to: output)
    #expect(report.plan.tracks[0].encoded == 0)
    try await check(output, 30...79, of: folder)
    #expect(try Prober().probe(.file(path: Array(output.utf8))).tracks[0].codecTag == codec.tag)
  }

  @Test func `when it is probed then the change is reported`() async throws {
    let folder = try ScratchFolder()
    let clip = try await clip("mpeg2video", in: folder)
    let note = try #require(clip.facts.notes.first { $0.id == .picturesChange })
    #expect(note.text.contains("2 times") && note.text.contains("96x64"), "\(note.text)")
  }

  @Test(arguments: ["h264", "hevc", "mpeg2video"])
  func `when all of a range with a change is re-encoded then it is refused for that reason`(
    _ codec: String
  ) async throws {
    let folder = try ScratchFolder()
    let clip = try await clip(codec, in: folder)
    for (ending, frames) in [("mkv", 43...73), ("mp4", 93...123)] as [(String, ClosedRange<Int64>)]
    {
      let output = folder.path(of: "cut." + ending)
      let error = #expect(throws: MediaError.self) {
        try cut(clip, frames, .reencode, to: output)
      }
      #expect(error?.code == .notCuttable)
      #expect(error?.message.contains("size, aspect ratio or pixel format") == true)
      #expect((try? fileBytes(output)) == nil)
    }
  }

  /// FFmpeg's decoder drops the picture that it holds at the change, in the source too.
  @Test(arguments: [43...73, 98...123, 23...56] as [ClosedRange<Int64>])
  func `when MPEG-2 changes next to re-encoded pictures then all pictures are there`(
    _ frames: ClosedRange<Int64>
  ) async throws {
    let folder = try ScratchFolder()
    let clip = try await clip("mpeg2video", in: folder)
    for ending in ["ts", "mp4"] {
      let report = try cut(clip, frames, to: folder.path(of: "cut." + ending))
      #expect(report.plan.frames == frames.count && report.plan.tracks[0].encoded > 0)
    }
  }

  /// FLV states no aspect ratio, so the bitstream's counts; Matroska states one for the whole track.
  ///
  /// There, 96 x 64 pixels are displayed with the aspect ratio of 160 x 96.
  @Test(arguments: [("flv", [.one, Rational(16, 15)]), ("mkv", [Rational(10, 9), .one])])
  func `when only the bitstream states the aspect ratio then a later part has its own`(
    _ container: (ending: String, aspects: [Rational])
  ) async throws {
    let folder = try ScratchFolder()
    let clip = try await clip("h264", as: container.ending, in: folder)
    let parts: [(ClosedRange<Int64>, [Int])] = [(57...93, [96, 64]), (107...143, [160, 96])]
    for ((frames, size), aspect) in zip(parts, container.aspects) {
      let output = folder.path(of: "cut\(frames.lowerBound).mp4")
      _ = try cut(clip, frames, to: output)
      let video = try #require(
        try Prober().probe(.file(path: Array(output.utf8))).tracks[0].video)
      #expect([video.width, video.height] == size)
      #expect((video.sampleAspectRatio ?? .one) == aspect)
    }
  }

  @Test(arguments: ["h264", "hevc"])
  func `when parts of different video formats are joined then it is refused for that reason`(
    _ codec: String
  ) async throws {
    let folder = try ScratchFolder()
    let clip = try await clip(codec, in: folder)
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(0), to: MediaTime(1))))
    request.join(try #require(MediaTimeRange(from: MediaTime(5, 2), to: MediaTime(3))))
    let output = folder.path(of: "cut.mkv")
    let error = #expect(throws: MediaError.self) {
      try clip.cut(CutOrder(request, to: Array(output.utf8)))
    }
    #expect(error?.code == .notCuttable)
    #expect(error?.message.contains("size, aspect ratio or pixel format") == true)
  }

  /// `frame_mbs_only_flag` changes the syntax of slice headers.
  @Test(arguments: ["ts", "mkv"])
  func `when H.264 switches to progressive then both parts are cut`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let path = try await StreamsEndToEnd.make(
      [1, 0].map { tff in
        .init(words: ["-c:v", "libx264", "-x264-params", "bframes=2:tff=\(tff)"])
      }, in: folder)
    let copy = folder.path(of: "copy." + ending)
    _ = try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-c", "copy", copy])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(copy.utf8)))
    for frames in [43...73, 23...56, 30...79] as [ClosedRange<Int64>] {
      for ending in ["mkv", "ts"] {
        let output = folder.path(of: "cut\(frames.lowerBound)." + ending)
        _ = try cut(clip, frames, to: output)
        let source = try await EncodedClip.pictures(of: path)
        let pictures = try await EncodedClip.pictures(of: output)
        try #require(source.count == 100 && pictures.count == frames.count)
        let places = pictures.map { source.firstIndex(of: $0).map(Int64.init) }
        #expect(places.count { $0 != nil } >= frames.count / 3)
        #expect(!zip(places, frames).contains { $0 != nil && $0 != $1 })
      }
    }
  }

  @Test func `when its audio changes within what is re-encoded then it is refused for that reason`()
    async throws
  {
    let folder = try ScratchFolder()
    let streams = [("1", "1"), ("3", "2")].map { offset, channels in
      StreamsEndToEnd.Part(words: [
        "-itsoffset", offset, "-f", "lavfi", "-i", "sine=r=48000:d=2", "-c:v", "mpeg2video", "-c:a",
        "ac3", "-ac", channels,
      ])
    }
    let path = try await StreamsEndToEnd.make(streams, in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3))))
    request.audio = .reencode
    let output = folder.path(of: "cut.mkv")
    let error = #expect(throws: MediaError.self) {
      try clip.cut(CutOrder(request, to: Array(output.utf8)))
    }
    #expect(error?.code == .notCuttable)
    #expect(error?.message.contains("channel count") == true)
  }

  /// AVI has no timestamps: after a change FFmpeg shows pictures at the wrong time.
  @Test func `when they change within the range then AVI is refused`() async throws {
    let folder = try ScratchFolder()
    let clip = try await clip("mpeg2video", in: folder)
    let output = folder.path(of: "cut.avi")
    let error = #expect(throws: MediaError.self) { try cut(clip, 33...73, to: output) }
    #expect(error?.code == .notCuttable)
    #expect(error?.message.contains("size, aspect ratio or pixel format") == true)
    _ = try cut(clip, 57...93, to: output)
    let pictures = try await EncodedClip.pictures(of: output)
    #expect(pictures.count == 37)
  }
}
