import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given a file whose frame size changes` {
  /// Two seconds of one size, then two of another.
  private func clip(_ folder: ScratchFolder) async throws -> String {
    var bytes: [UInt8] = []
    for size in ["160x96", "96x64"] {
      let part = folder.path(of: size + ".h264")
      _ = try await EncodedClip.ffmpeg([
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=25:duration=2", "-c:v",
        "libx264", "-preset", "ultrafast", "-g", "25", part,
      ])
      bytes += try fileBytes(part)
    }
    let both = try folder.write(bytes, to: "both.h264")
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-fflags", "+genpts", "-r", "25", "-i", both, "-c", "copy", path,
    ])
    return path
  }

  @Test func `when all of the range is re-encoded then it is refused for that reason`() async throws
  {
    let folder = try ScratchFolder()
    let clip = try FileCutter(isCancelled: { false })
      .open(.file(path: Array(try await clip(folder).utf8)))
    let output = folder.path(of: "cut.mkv")
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    let error = #expect(throws: MediaError.self) {
      try clip.cut(
        CutRequest(range: range, mode: .reencode), to: Array(output.utf8), as: .matroska)
    }
    #expect(error?.code == .notCuttable)
    #expect(error?.message.contains("changes its size") == true)
    #expect((try? fileBytes(output)) == nil)
  }
}
