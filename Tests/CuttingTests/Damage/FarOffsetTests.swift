import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given MP4 in which one frame is shown days before the others` {
  /// A bit error in the table: the third frame has the lowest possible offset.
  private func clip(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-c:v",
      "libx264", "-g", "25", "-bf", "2", "-x264-params", "scenecut=0", path,
    ])
    var bytes = try fileBytes(path)
    let table = try #require(bytes.firstRange(of: Array("ctts".utf8))).upperBound
    let entry = table + 8 + 2 * 8
    bytes.replaceSubrange(entry + 4..<entry + 8, with: [0x80, 0, 0, 0])
    return try folder.write(bytes, to: "far.mp4")
  }

  @Test(arguments: [CutMode.smart, .editList, .copy])
  func `when it is cut then it is written, or the source is blamed`(_ mode: CutMode) async throws {
    let folder = try ScratchFolder()
    let path = try await clip(in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(3)))
    do {
      _ = try clip.cut(
        CutOrder(
          CutRequest(range: range, mode: mode, verification: .full),
          to: Array(folder.path(of: "cut.mp4").utf8)))
    } catch {
      #expect(error.code == .damaged)
    }
  }
}
