import ExactTime
import Foundation
import MediaEngine
import Support
import Testing
import Trimming

/// Recordings may begin at a keyframe whose leading pictures refer to pictures that were never
/// recorded.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(2)))
struct `Given a file that begins with an open GOP` {
  struct Coding: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var words: [String]
  }

  static let codings = [
    Coding(
      testDescription: "H.264",
      words: [
        "-c:v", "libx264", "-preset", "veryfast", "-x264-params",
        "open-gop=1:bframes=3:b-adapt=0:b-pyramid=none:keyint=24:min-keyint=24:scenecut=0",
      ]),
    Coding(
      testDescription: "H.264, with a pyramid",
      words: [
        "-c:v", "libx264", "-preset", "veryfast", "-x264-params",
        "open-gop=1:bframes=5:b-adapt=0:b-pyramid=normal:keyint=24:min-keyint=24:scenecut=0",
      ]),
    Coding(
      testDescription: "MPEG-2",
      words: ["-c:v", "mpeg2video", "-g", "12", "-bf", "2", "-sc_threshold", "1000000000"]),
  ]

  private static let source =
    "testsrc2=size=\(EncodedClip.width)x\(EncodedClip.height):rate=25:duration=6"

  private func clip(
    _ coding: Coding, _ ending: String, in folder: ScratchFolder
  ) async throws -> String {
    let whole = folder.path(of: "whole." + ending)
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", Self.source, "-f", "lavfi", "-i",
        "anoisesrc=r=48000:d=6:a=0.3:seed=3", "-pix_fmt", "yuv420p", "-c:a", "mp2",
      ] + coding.words + [whole])
    let path = folder.path(of: "clip." + ending)
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-ss", "2.3", "-i", whole, "-c", "copy", path])
    return path
  }

  @Test(arguments: [
    (codings[0], "ts"), (codings[0], "mkv"), (codings[1], "mkv"), (codings[2], "ts"),
    (codings[2], "mkv"),
  ])
  func `then leading pictures of its first keyframe are neither counted nor cut`(
    _ coding: Coding, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await clip(coding, ending, in: folder)
    let decoded = try await EncodedClip.pictures(path).pictures.count
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(path.utf8)))
    let video = try #require(facts.tracks.first { $0.kind == .video })
    #expect(video.frameCount == decoded)
    let output = folder.path(of: "cut." + ending)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(2)))
    let report = try clip.cut(
      CutRequest(range: range, verification: .full), to: Array(output.utf8),
      as: try #require(OutputContainer(nameEnding: ending)))
    let (pictures, _) = try await EncodedClip.pictures(output)
    #expect(pictures.count == report.plan.tracks.first { $0.kind == .video }?.packets)
  }
}
