import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// PTS and DTS that differ only by rounding do not reorder: a head that signals reordering makes a
/// decoder wait unnecessarily, and it loses a picture.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given MPEG-4 part 2 without B pictures in Matroska` {
  @Test(arguments: ["30", "24000/1001", "15", "25"])
  func `when it is cut into MP4 then every frame is there`(_ rate: String) async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "clip.mkv"), folder.path(of: "cut.mp4"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=\(rate):d=5", "-c:v", "mpeg4", "-g",
      "30", "-q:v", "3", path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(13, 10), to: MediaTime(4)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(report.plan.encodedFrames > 0)
    let (pictures, log) = try await EncodedClip.pictures(output)
    #expect(log.isEmpty && pictures.count == report.plan.frames, "\(log)")
  }
}

/// A first frame that is shown for only part of its time gives a rate that MPEG-2 cannot state.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a cut of MPEG-2 that begins within a frame` {
  @Test(arguments: ["mpeg1video", "mpeg2video"])
  func `then it can be cut again`(_ codec: String) async throws {
    let folder = try ScratchFolder()
    let (path, once) = (folder.path(of: "clip.ts"), folder.path(of: "once.ts"))
    let twice = folder.path(of: "twice.ts")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=6", "-c:v", codec, "-g", "12",
      "-bf", "2", path,
    ])
    let first = try #require(MediaTimeRange(from: MediaTime(187, 1000), to: MediaTime(5893, 1000)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: first), to: Array(once.utf8)))
    let second = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(5)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(once.utf8))).cut(
      CutOrder(CutRequest(range: second, verification: .full), to: Array(twice.utf8)))
    #expect(report.plan.encodedFrames > 0)
    let (pictures, log) = try await EncodedClip.pictures(twice)
    #expect(log.isEmpty && pictures.count == report.plan.frames, "\(log)")
  }
}
