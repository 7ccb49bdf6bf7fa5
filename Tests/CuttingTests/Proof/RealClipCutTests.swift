import ExactTime
import MediaFacts
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: Corpus.shared != nil, "\(Corpus.absence)"), .timeLimit(Sample.limit))
struct `Given real files whose packets are not what they seem` {
  struct Clip: Sendable, CustomTestStringConvertible {
    var path: String
    var testDescription: String
    var endings: [String]
  }

  static let clips = [
    Clip(
      path: "sindresorhus+file-type/fixture-raw.mts",
      testDescription: "the fields of a frame are packets of their own", endings: ["mts", "mkv"]),
    Clip(
      path: "mozilla+firefox-esr-140/bipbop.mp4",
      testDescription: "pictures are reordered later than a reader of Matroska guesses",
      endings: ["mp4", "mkv"]),
    Clip(
      path: "Vanilagy+mediabunny/missing-keyframe-labels.ts",
      testDescription: "sound is rounded to ticks, and begins before the picture",
      endings: ["ts", "mp4"]),
    Clip(
      path: "androidx+media/bbb_2500ms.ts", testDescription: "frames are missing",
      endings: ["ts", "mp4"]),
    Clip(
      path: "Zulko+moviepy/no_duration.webm", testDescription: "the sound has gaps",
      endings: ["webm", "mp4"]),
    Clip(
      path: "androidx+media/sample.avi", testDescription: "MPEG-4 without reordering",
      endings: ["avi", "mkv", "mp4"]),
    Clip(
      path: "mozilla+firefox-esr-140/A4.ogv", testDescription: "Theora and FLAC",
      endings: ["ogv", "mkv"]),
    Clip(
      path: "mozilla+firefox-esr-140/counting.mp4",
      testDescription: "the size of its pictures is left to their decoder",
      endings: ["mkv", "avi", "mov"]),
    Clip(
      path: "sannies+mp4parser/foreman-hevc-384.mp4",
      testDescription: "the configuration holds messages", endings: ["ts", "mkv"]),
    Clip(
      path: "sannies+mp4parser/example.f4v",
      testDescription: "room is left behind the sample entries", endings: ["mp4", "mov"]),
    Clip(
      path: "sindresorhus+file-type/fixture.mxf",
      testDescription: "a timecode among the tags", endings: ["mp4", "mkv"]),
  ]

  private static func open(_ path: String) throws -> OpenedFile {
    let folder = try #require(Corpus.shared).folder
    return try FileCutter(isCancelled: { false }).open(
      .file(path: Array((folder + "/" + path).utf8)))
  }

  /// From a quarter to three quarters of what is presented.
  private static func middle(of clip: OpenedFile) throws -> MediaTimeRange {
    let length = try #require(clip.facts.durations.presented?.length)
    let quarter = try length.scaled(by: Rational(1, 4))
    let start = try MediaTime.zero.advanced(by: quarter)
    return try MediaTimeRange(from: start, length: quarter.adding(quarter))
  }

  @Test(
    .enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), arguments: Sample.of(clips, 2))
  func `when their middle is cut then all of it decodes as planned`(_ real: Clip) async throws {
    let folder = try ScratchFolder()
    let clip = try Self.open(real.path)
    let request = CutRequest(range: try Self.middle(of: clip), verification: .full)
    for ending in real.endings {
      let output = folder.path(of: "cut." + ending)
      let container = try #require(OutputContainer(nameEnding: ending))
      let report = try clip.cut(request, to: Array(output.utf8), as: container)
      // Another decoder finds the same number of pictures.
      let run = try await EncodedClip.ffmpeg([
        "-v", "error", "-i", output, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5",
        "-",
      ])
      let pictures = run.outText.split(separator: "\n").count { !$0.hasPrefix("#") }
      #expect(pictures == report.plan.frames, "\(ending)")
      #expect(report.plan.frames > 10, "\(ending)")
    }
  }

  @Test func `when H.264 in AVI has no timestamps then its display order gives them`() async throws
  {
    let folder = try ScratchFolder()
    let clip = try Self.open("contentauth+c2pa-rs/fixtures--test.avi")
    let request = CutRequest(range: try Self.middle(of: clip))
    for (container, ending) in [(OutputContainer.matroska, "mkv"), (.mp4, "mp4")] {
      let output = folder.path(of: "cut." + ending)
      let report = try clip.cut(request, to: Array(output.utf8), as: container)
      let run = try await EncodedClip.ffmpeg([
        "-v", "error", "-i", output, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5",
        "-",
      ])
      #expect(run.outText.split(separator: "\n").count { !$0.hasPrefix("#") } == report.plan.frames)
    }
  }
}
