import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@testable import Cutting

/// Chromium seeks only to IDR pictures in MP4, whatever the sample table lists (`stss`).
@Suite(.timeLimit(.minutes(1))) struct `Given H.264 whose copied keyframes are of open groups` {
  private func reasons(
    _ name: String, _ container: OutputContainer, _ mode: CutMode = .smart
  ) throws -> [TrackPlan.Reason] {
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(7, 2))))
    request.mode = mode
    let clip = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(SampleClips.path(name).utf8)))
    let plan = try clip.plan(request, for: container)
    return try #require(plan.tracks.first { $0.kind == .video }).reasons
  }

  @Test func `when the output is MP4 then the plan says that Chromium cannot seek to them`() throws
  {
    #expect(try reasons("open-gop.mp4", .mp4) == [.openGOPKeyframes])
    #expect(try reasons("open-gop.mp4", .matroska) == [])
  }

  @Test func `when they are re-encoded, or groups are closed, then there is nothing to say`() throws
  {
    #expect(!(try reasons("open-gop.mp4", .mp4, .reencode)).contains(.openGOPKeyframes))
    #expect(try reasons("b-frames.mp4", .mp4) == [])
  }
}
