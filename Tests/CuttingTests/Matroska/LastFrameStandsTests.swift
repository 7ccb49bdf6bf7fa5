import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// The last frame of Matroska lasts as long as its block says, whatever the rate of those before.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given WebM of one frame that lasts a second` {
  @Test(arguments: ["webm", "mkv", "mp4"], [0, 1] as [Int64])
  func `when it is cut then it lasts as long as requested`(
    _ ending: String, _ quarters: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "one.webm")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "color=red:s=64x64:r=1:d=1", "-c:v", "libvpx-vp9", path,
    ])
    let output = folder.path(of: "cut." + ending)
    let range = try #require(MediaTimeRange(from: MediaTime(quarters, 4), to: MediaTime(7, 10)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let facts = try Prober().probe(.file(path: Array(output.utf8)))
    #expect(facts.durations.presented?.length == (try range.end.distance(from: range.start)))
  }
}

/// A transport stream does not state how long its last frame lasts.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a file whose last frame lasts two seconds` {
  @Test(arguments: [Int64](1...3))
  func `when it is cut into .ts then the plan is as long as the file, and no longer than the range`(
    _ end: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=3.04", "-vf",
      "select='lt(t,1)+gt(t,3)'", "-fps_mode", "passthrough", "-c:v", "mpeg2video", "-g", "5",
      "-bf", "0", path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(1, 5), to: MediaTime(end)))
    let output = folder.path(of: "cut.ts")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let request = CutRequest(range: range, verification: .full)
    let plan = try clip.plan(request, for: .mpegts)
    let report = try clip.cut(CutOrder(request, to: Array(output.utf8)))
    #expect(plan.length == report.length)
    #expect(report.length <= range.length)
  }
}
