import Glibc
import Testing

/// A file made by FFmpeg's encoders while the tests run: 100 different frames at 25 a second.
package struct EncodedClip: Sendable, CustomTestStringConvertible {
  package var testDescription: String
  package var ending: String
  package var words: [String]
  /// The inputs in addition to its pictures.
  package var inputs: [String]

  package init(
    testDescription: String, ending: String = "mp4", words: [String], inputs: [String] = []
  ) {
    self.testDescription = testDescription
    self.ending = ending
    self.words = words
    self.inputs = inputs
  }

  package static let frameCount = 100
  package static let width = 160
  package static let height = 96

  package static let isPossible = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"].contains {
    (try? fileBytes($0)) != nil
  }
  /// What a test reports where it is not possible.
  package static let absence = "ffmpeg's command is not installed: no clips can be made"

  private static func x264(
    _ name: String, _ parameters: String, ending: String = "mp4", _ more: [String] = []
  ) -> EncodedClip {
    EncodedClip(
      testDescription: "H.264, \(name)", ending: ending,
      words: ["-c:v", "libx264", "-preset", "fast", "-g", "12"] + more
        + ["-x264-params", "min-keyint=12:scenecut=0:threads=1:" + parameters])
  }

  private static func x265(
    _ name: String, _ parameters: String, ending: String = "mp4", _ more: [String] = []
  ) -> EncodedClip {
    EncodedClip(
      testDescription: "HEVC, \(name)", ending: ending,
      words: ["-c:v", "libx265", "-preset", "veryfast", "-g", "12", "-tag:v", "hvc1"] + more
        + ["-x265-params", "log-level=none:min-keyint=12:scenecut=0:" + parameters])
  }

  private static let allH264 = [
    x264("closed groups", "bframes=3:open-gop=0"),
    x264("closed groups, several references and slices", "bframes=2:ref=4:slices=3:weightp=2"),
    x264("open groups", "bframes=2:open-gop=1:b-pyramid=none"),
    x264("closed groups with a pyramid", "bframes=3:open-gop=0:b-pyramid=normal:ref=4"),
    x264("closed groups without reordering in Matroska", "bframes=0:open-gop=0", ending: "mkv"),
    x264("no reordering, order of type 2", "bframes=0"),
    x264("Baseline", "bframes=0", ["-profile:v", "baseline"]),
    x264("without arithmetic coding", "cabac=0:bframes=2:8x8dct=1"),
    x264("Main", "bframes=2:open-gop=1", ["-profile:v", "main"]),
    x264("ten bits", "bframes=2:open-gop=1", ["-pix_fmt", "yuv420p10le"]),
    x264("full chroma", "bframes=2:open-gop=0", ["-pix_fmt", "yuv444p"]),
    x264("scaling lists", "bframes=2:open-gop=1:cqm=jvt"),
    x264("interlaced", "bframes=2:open-gop=0:tff=1"),
    x264("interlaced, open groups", "bframes=2:open-gop=1:tff=1"),
    x264("frames in an interlaced sequence", "bframes=2:open-gop=0:fake-interlaced=1"),
    x264("open groups with a pyramid", "bframes=3:b-pyramid=normal:open-gop=1:ref=4"),
    x264("open groups with a strict pyramid", "bframes=3:b-pyramid=strict:open-gop=1:ref=3"),
    x264("open groups in a transport stream", "bframes=3:open-gop=1", ending: "ts"),
    x264("closed groups in Matroska", "bframes=3:open-gop=0", ending: "mkv"),
    x264("refreshed step by step", "bframes=0:intra-refresh=1"),
    x264("luma alone", "bframes=2:open-gop=0", ["-pix_fmt", "gray"]),
    x264("luma alone of ten bits", "bframes=2:open-gop=1", ["-pix_fmt", "gray10le"]),
    x264(
      "red, green and blue", "bframes=2:open-gop=1", ["-c:v", "libx264rgb", "-pix_fmt", "rgb24"]),
    x264(
      "lines cut off above", "bframes=2:open-gop=0:crop-rect=0,2,0,2", ["-vf", "pad=160:100:0:2"]),
    x264(
      "margins cut off", "bframes=2:open-gop=1:crop-rect=64,16,0,16",
      ["-vf", "pad=224:128:64:16"]),
  ]

  private static let allHEVC = [
    x265("closed groups", "open-gop=0:bframes=3"),
    x265("open groups", "open-gop=1:bframes=3"),
    x265("open groups without a pyramid", "open-gop=1:bframes=4:b-pyramid=0"),
    x265("open groups with RADL pictures", "open-gop=0:bframes=3:radl=2"),
    x265("open groups, ten bits", "open-gop=1:bframes=3", ["-pix_fmt", "yuv420p10le"]),
    x265("open groups in a transport stream", "open-gop=1:bframes=3", ending: "ts"),
    x265("slices", "open-gop=1:bframes=2:slices=2:wpp=1"),
  ]

  private static let allOther = [
    EncodedClip(
      testDescription: "VP9", ending: "webm",
      words: ["-c:v", "libvpx-vp9", "-g", "12", "-deadline", "realtime", "-cpu-used", "8"]),
    EncodedClip(
      testDescription: "VP8", ending: "webm",
      words: [
        "-c:v", "libvpx", "-g", "12", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "2M",
      ]),
    EncodedClip(
      testDescription: "AV1", ending: "mp4",
      words: ["-c:v", "libsvtav1", "-g", "12", "-preset", "12", "-svtav1-params", "lp=1"]),
    EncodedClip(
      testDescription: "ProRes", ending: "mov", words: ["-c:v", "prores_ks", "-profile:v", "0"]),
    EncodedClip(
      testDescription: "MPEG-2", ending: "ts",
      words: ["-c:v", "mpeg2video", "-g", "12", "-bf", "2", "-q:v", "3"]),
    EncodedClip(
      testDescription: "MPEG-2, closed groups", ending: "ts",
      words: [
        "-c:v", "mpeg2video", "-g", "12", "-bf", "2", "-q:v", "3", "-flags", "+cgop",
        "-sc_threshold", "1000000000",
      ]),
    EncodedClip(
      testDescription: "MPEG-4 part 2", ending: "mp4",
      words: ["-c:v", "mpeg4", "-g", "12", "-bf", "2", "-q:v", "3"]),
    EncodedClip(
      testDescription: "MPEG-4 part 2, interlaced", ending: "mp4",
      words: ["-c:v", "mpeg4", "-g", "12", "-bf", "2", "-q:v", "3", "-flags", "+ildct+ilme"]),
    EncodedClip(
      testDescription: "MPEG-4 part 2, quarters of samples", ending: "mp4",
      words: ["-c:v", "mpeg4", "-g", "12", "-bf", "2", "-q:v", "3", "-flags", "+qpel"]),
    EncodedClip(
      testDescription: "MPEG-4 part 2, matrices", ending: "mkv",
      words: ["-c:v", "mpeg4", "-g", "12", "-bf", "2", "-q:v", "3", "-mpeg_quant", "1"]),
    EncodedClip(
      testDescription: "MPEG-4 part 2, data in partitions", ending: "mp4",
      words: ["-c:v", "mpeg4", "-g", "12", "-q:v", "3", "-data_partitioning", "1"]),
    EncodedClip(testDescription: "Motion JPEG", ending: "mov", words: ["-c:v", "mjpeg"]),
  ]

  package static let h264 = enough(allH264)
  package static let hevc = enough(allHEVC)
  package static let all = h264 + hevc + enough(allOther)

  /// The clip with this description, optionally in another container.
  package static func named(_ name: String, ending: String? = nil) -> EncodedClip {
    guard var clip = (allH264 + allHEVC + allOther).first(where: { $0.testDescription == name })
    else { fatalError("there is not a clip \(name)") }
    clip.ending = ending ?? clip.ending
    return clip
  }

  /// Under the address sanitizer, every fourth file exercises the same code in a quarter of the time.
  private static func enough(_ clips: [EncodedClip]) -> [EncodedClip] {
    guard getenv("TRIM_SANITIZED") != nil else { return clips }
    return stride(from: 0, to: clips.count, by: 4).map { clips[$0] }
  }

  /// Makes it in a folder, and returns its path.
  ///
  /// - Parameter name: whose extension determines the container.
  package func make(in folder: ScratchFolder, named name: String? = nil) async throws -> String {
    let path = folder.path(of: name ?? "clip." + ending)
    let source =
      "testsrc2=size=\(Self.width)x\(Self.height):rate=25,trim=end_frame=\(Self.frameCount)"
    _ = try await Self.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", source] + inputs + ["-pix_fmt", "yuv420p"] + words
        + [path])
    return path
  }

  /// All pictures of a file as planes of 8 bits, from an independent decoder.
  package static func pictures(_ path: String) async throws -> (
    pictures: [ArraySlice<UInt8>], log: String
  ) {
    let run = try await ffmpeg([
      "-v", "warning", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-pix_fmt",
      "yuv420p", "-f", "rawvideo", "-",
    ])
    let size = width * height * 3 / 2
    return (
      stride(from: 0, to: run.out.count, by: size).map {
        run.out[$0..<min($0 + size, run.out.count)]
      },
      run.errText.split(separator: "\n").filter { line in !guesses.contains { line.contains($0) } }
        .joined(separator: "\n")
    )
  }

  /// Messages about FFmpeg's guesses and color conversion, which do not concern the file.
  private static let guesses = [
    "If you want to help", "start time for stream",
    "no TS found", "swscaler", "Last message repeated",
  ]

  package static func ffmpeg(_ words: [String]) async throws -> ProgramRun {
    let run = try await ProgramRun(
      (["ffmpeg", "-nostdin", "-y"] + words).map { Array($0.utf8) }, limit: .seconds(600))
    guard run.status == 0 else { throw Failed(text: run.errText) }
    return run
  }

  package struct Failed: Error {
    package var text: String

    package init(text: String) { self.text = text }
  }

  /// The checksums of a file's pictures, in display order.
  package static func pictures(of path: String) async throws -> [Substring] {
    let run = try await ffmpeg([
      "-v", "error", "-i", path, "-map", "0:v", "-autoscale", "0", "-fps_mode", "passthrough", "-f",
      "framehash", "-hash", "md5", "-",
    ])
    return String(decoding: run.out, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: " ").last }
  }
}
