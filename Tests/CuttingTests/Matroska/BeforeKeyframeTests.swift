import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// A capture begins anywhere in a GOP: its sound at once, its picture at the next keyframe.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a file whose audio begins before its first keyframe` {
  /// Without its first keyframe; 25 pictures and one keyframe a second.
  private func clip(
    _ codec: [String], _ ending: String, in folder: ScratchFolder
  ) async throws -> String {
    let (whole, path) = (folder.path(of: "whole.mkv"), folder.path(of: "capture." + ending))
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=192x108:rate=25:duration=4", "-f",
        "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4",
      ] + codec + ["-g", "25", "-c:a", "aac", whole])
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", whole, "-c", "copy", "-copyinkf", "-bsf:v", "noise=drop=lt(n\\,3)", path,
    ])
    return path
  }

  @Test(
    arguments: [
      (["-c:v", "libx264", "-bf", "2"], "mkv"), (["-c:v", "libx264", "-bf", "2"], "mp4"),
      (["-c:v", "mpeg2video", "-bf", "0"], "ts"), (["-c:v", "libx264", "-bf", "0"], "flv"),
    ] as [([String], String)])
  func `when it is cut from its beginning then the video begins with that keyframe`(
    _ codec: [String], _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await clip(codec, ending, in: folder)
    let output = folder.path(of: "cut.mkv")
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(2)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(report.examination?.damage.isEmpty == true)
    let facts = try Prober().probe(.file(path: Array(output.utf8)))
    let picture = try #require(facts.tracks.first { $0.kind == .video })
    #expect(picture.frameCount == 25)
    let start = try #require(picture.durations.presented?.start)
    #expect(try start.distance(from: MediaTime(1)).magnitude <= MediaDuration(1, 20))
    let messages = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", output, "-f", "null", "-",
    ]).errText
    #expect(messages.isEmpty)
  }

  @Test func `when it has no keyframe then only its audio is cut`() async throws {
    let folder = try ScratchFolder()
    let (whole, path) = (folder.path(of: "whole.mkv"), folder.path(of: "capture.mkv"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=192x108:rate=25:duration=3", "-f", "lavfi",
      "-i", "anoisesrc=r=48000:d=3:seed=3:a=0.4", "-c:v", "libvpx", "-g", "500", "-c:a", "libopus",
      whole,
    ])
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", whole, "-c", "copy", "-copyinkf", "-bsf:v", "noise=drop=lt(n\\,1)", path,
    ])
    let output = folder.path(of: "cut.mkv")
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(2)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let facts = try Prober().probe(.file(path: Array(output.utf8)))
    #expect(facts.tracks.map(\.kind) == [.audio])
  }
}
