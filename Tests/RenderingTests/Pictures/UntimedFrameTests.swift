import ExactTime
import Rendering
import Support
import Testing

/// AVI files and raw streams do not state when their pictures are shown: the screen must show what
/// a cut writes.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given numbered frames without presentation times` {
  struct Clip: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var ending: String
    var words: [String]
    /// Some encoders lose frames at the end.
    var mayLoseSome: Bool { words.contains("libxvid") }

    /// From a raw stream to MP4: it states only decoding times.
    var isCopied = false

    static let all = [
      Clip(
        testDescription: "H.264 in MP4", ending: "h264", words: h264("open-gop=1"), isCopied: true),
      Clip(testDescription: "MPEG-4 in AVI", ending: "avi", words: mpeg4("mpeg4")),
      Clip(
        testDescription: "MPEG-4 in AVI, two in a packet", ending: "avi", words: mpeg4("libxvid")),
      Clip(testDescription: "MPEG-4 in ASF", ending: "asf", words: mpeg4("mpeg4")),
      Clip(testDescription: "MPEG-2 in ASF", ending: "asf", words: mpeg4("mpeg2video")),
      Clip(testDescription: "H.264 in ASF", ending: "asf", words: h264("open-gop=0")),
      Clip(
        testDescription: "MPEG-2 in MP4", ending: "m2v", words: mpeg4("mpeg2video"), isCopied: true),
      Clip(testDescription: "MPEG-4, raw", ending: "m4v", words: mpeg4("mpeg4") + ["-f", "m4v"]),
      Clip(
        testDescription: "MPEG-4, raw, two in a packet", ending: "m4v",
        words: mpeg4("libxvid") + ["-f", "m4v"]),
      Clip(testDescription: "MPEG-2 in AVI", ending: "avi", words: mpeg4("mpeg2video")),
      Clip(testDescription: "MPEG-2, raw", ending: "m2v", words: mpeg4("mpeg2video")),
      Clip(testDescription: "H.264 in AVI", ending: "avi", words: h264("open-gop=0")),
      Clip(testDescription: "H.264 in AVI, open groups", ending: "avi", words: h264("open-gop=1")),
      Clip(testDescription: "H.264 in MXF", ending: "mxf", words: h264("open-gop=0")),
      Clip(
        testDescription: "H.264, raw, refreshed slowly", ending: "h264",
        words: [
          "-c:v", "libx264", "-crf", "18", "-x264-params", "intra-refresh=1:keyint=30:bframes=0",
        ]),
      Clip(testDescription: "H.264, raw", ending: "h264", words: h264("open-gop=0")),
      Clip(
        testDescription: "HEVC, raw", ending: "hevc",
        words: [
          "-c:v", "libx265", "-preset", "ultrafast", "-crf", "18", "-g", "12", "-x265-params",
          "log-level=none:bframes=3:open-gop=1:min-keyint=12:scenecut=0",
        ]),
    ]

    private static func mpeg4(_ encoder: String) -> [String] {
      ["-c:v", encoder, "-g", "12", "-bf", "2", "-q:v", "2"]
    }

    private static func h264(_ parameters: String) -> [String] {
      [
        "-c:v", "libx264", "-preset", "fast", "-crf", "18", "-g", "12", "-x264-params",
        "bframes=3:b-pyramid=normal:min-keyint=12:scenecut=0:threads=1:" + parameters,
      ]
    }

    func make(in folder: ScratchFolder) async throws -> [UInt8] {
      let path = folder.path(of: "clip." + ending)
      _ = try await EncodedClip.ffmpeg(
        ["-v", "error", "-i", SampleClips.path("b-frames.mp4"), "-an"] + words + [path])
      guard isCopied else { return Array(path.utf8) }
      let copy = folder.path(of: "clip.mp4")
      _ = try await EncodedClip.ffmpeg(["-v", "error", "-r", "25", "-i", path, "-c", "copy", copy])
      return Array(copy.utf8)
    }
  }

  /// The numbers of the pictures, read in order.
  private static func numbers(of track: PictureTrack) throws -> [Int?] {
    let reader = try FrameReader(track, size: .full)
    var numbers: [Int?] = []
    while let shown = try reader.next() {
      #expect(shown.frame.number == numbers.count)
      numbers.append(FrameCode.number(in: shown.picture))
    }
    return numbers
  }

  @Test(arguments: Sample.of(Clip.all, 5))
  func `when frames are read in a row, or fetched in any order, then each is the one on screen`(
    _ clip: Clip
  ) async throws {
    let folder = try ScratchFolder()
    let track = try PictureTrack(try await clip.make(in: folder))
    let numbers = try Self.numbers(of: track).map { $0 ?? -1 }
    try #require(numbers.count == track.frameCount)
    if clip.mayLoseSome {
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
      #expect(numbers.prefix(96) == Array(0..<96)[...])
    } else {
      // FFmpeg hides the first ones by an edit, as their guessed times are below zero.
      let hidden = clip.isCopied ? 100 - track.frameCount : 0
      #expect(hidden <= 3)
      #expect(numbers == Array(hidden..<100))
    }
    let grabber = try FrameGrabber(track)
    var random = SeededGenerator(seed: 5)
    for _ in 0..<40 {
      let number = Int.random(in: numbers.indices, using: &random)
      let shown = try grabber.picture(ofFrame: number, size: .full)
      #expect(shown.frame.number == number)
      #expect(FrameCode.number(in: shown.picture) == numbers[number], "frame \(number)")
    }
  }
}
