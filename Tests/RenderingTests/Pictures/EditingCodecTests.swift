import Rendering
import Support
import Testing

/// Formats of cameras, editing programs and archives.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(2)))
struct `Given a file of a codec for cameras, editing or archives` {
  struct Kind: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var ending: String
    var words: [String]
  }

  static let kinds = [
    Kind(
      testDescription: "DNxHR", ending: "mov",
      words: ["-s", "640x360", "-c:v", "dnxhd", "-profile:v", "dnxhr_sq", "-pix_fmt", "yuv422p"]),
    Kind(
      testDescription: "DV", ending: "avi",
      words: ["-s", "720x576", "-c:v", "dvvideo", "-pix_fmt", "yuv420p"]),
    Kind(
      testDescription: "ProRes", ending: "mov",
      words: ["-c:v", "prores_ks", "-pix_fmt", "yuv422p10le"]),
    Kind(
      testDescription: "CineForm", ending: "mov",
      words: ["-s", "640x360", "-c:v", "cfhd", "-pix_fmt", "yuv422p10le"]),
    Kind(
      testDescription: "uncompressed, 10 bits", ending: "mov",
      words: ["-c:v", "v210", "-pix_fmt", "yuv422p10le"]),
    Kind(testDescription: "Windows Media Video 8", ending: "asf", words: ["-c:v", "wmv2"]),
    Kind(testDescription: "HuffYUV", ending: "avi", words: ["-c:v", "huffyuv"]),
    Kind(testDescription: "HuffYUV of FFmpeg", ending: "mkv", words: ["-c:v", "ffvhuff"]),
    Kind(testDescription: "Ut Video", ending: "avi", words: ["-c:v", "utvideo"]),
    Kind(testDescription: "FFV1", ending: "mkv", words: ["-c:v", "ffv1", "-level", "3"]),
    Kind(
      testDescription: "uncompressed", ending: "avi",
      words: ["-c:v", "rawvideo", "-pix_fmt", "yuv420p"]),
    Kind(
      testDescription: "QuickTime RLE", ending: "mov",
      words: ["-c:v", "qtrle", "-pix_fmt", "rgb24"]),
  ]

  @Test(arguments: kinds) func `then its frames are shown, each once and in order`(
    _ kind: Kind
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip." + kind.ending)
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-i", SampleClips.path("b-frames.mp4"), "-an", "-frames:v", "30"]
        + kind.words + [path])
    let reader = try FrameReader(try PictureTrack(Array(path.utf8)), size: .full)
    var numbers: [Int?] = []
    while let shown = try reader.next() { numbers.append(FrameCode.number(in: shown.picture)) }
    #expect(numbers == Array(0..<30))
  }
}
