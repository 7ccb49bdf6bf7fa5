import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given HEVC in AVI` {
  private func clip(in folder: ScratchFolder) async throws -> OpenedFile {
    let path = folder.path(of: "clip.avi")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=4", "-c:v", "libx265",
      "-x265-params", "log-level=none:bframes=0", "-g", "25", "-tag:v", "hevc", path,
    ])
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  @Test(arguments: [CutMode.smart, .copy, .reencode])
  func `when it is cut into AVI again then it is refused`(_ mode: CutMode) async throws {
    let folder = try ScratchFolder()
    let clip = try await clip(in: folder)
    let range = try #require(MediaTimeRange(from: MediaTime(11, 10), to: MediaTime(3)))
    let error = #expect(throws: MediaError.self) {
      try clip.cut(
        CutOrder(
          CutRequest(range: range, mode: mode), to: Array(folder.path(of: "cut.avi").utf8)))
    }
    #expect(error?.code == .codecDoesNotFit)
    #expect(error?.hint?.contains(".mkv") == true)
  }
}
