import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1))) struct `Given a video that its container rotates` {
  @Test(arguments: ["mp4", "mov", "mkv", "ts"])
  func `when it is cut then its rotation is kept, or reported as lost`(_ ending: String) throws {
    let folder = try ScratchFolder()
    let clip = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(SampleClips.path("rotated.mp4").utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1, 5), to: MediaTime(1)))
    let output = folder.path(of: "cut." + ending)
    let report = try clip.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let rotation = try Prober().probe(.file(path: Array(output.utf8))).tracks[0].video?.rotation
    let isSaid = report.plan.tracks[0].reasons.contains(.rotationNotWritten)
    #expect((rotation == 0) == isSaid)
    if ["mp4", "mov"].contains(ending) { #expect(!isSaid) }
  }
}
