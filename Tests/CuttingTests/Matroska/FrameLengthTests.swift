import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given Matroska with long frames of varying duration` {
  /// A frame now and then: most stay on screen for a long time.
  private static func clip(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip.webm")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i",
      "testsrc2=size=160x96:rate=30:duration=5,select='not(mod(n\\,31))+not(mod(n\\,2))*lt(n\\,40)'",
      "-fps_mode", "vfr", "-c:v", "libvpx", "-g", "2", "-deadline", "realtime", "-cpu-used", "8",
      path,
    ])
    return path
  }

  @Test(arguments: ["webm", "mkv"])
  func `when a part ends within one then report and file end there`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let clip = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(try await Self.clip(in: folder).utf8)))
    let output = folder.path(of: "cut." + ending)
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(29, 10)))
    let container = try #require(OutputContainer(nameEnding: ending))
    let report = try clip.cut(CutRequest(range: range), to: Array(output.utf8), as: container)
    #expect(report.plan.length == range.length)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    #expect(written.facts.durations.presented?.length == range.length)
    #expect(written.facts.durations.declared?.length == range.length)
    // The frame duration is the one in the source's header, not the average.
    let (old, new) = (clip.source.tracks[0], written.source.tracks[0])
    #expect(new.statedFrameRate == old.statedFrameRate)
  }
}
