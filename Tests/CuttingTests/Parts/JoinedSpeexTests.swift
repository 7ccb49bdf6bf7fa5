import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(
  .enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given joined parts of Speex` {
  /// Ogg pages state positions in one continuous stream, and Speex is not encoded here to make one.
  @Test func `then Ogg is refused, and Matroska takes them`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.spx")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=r=16000:d=6", "-c:a", "libspeex", "-f", "ogg", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    var request = CutRequest(
      range: try MediaTimeRange(from: MediaTime(1), length: MediaDuration(1)))
    request.join(try MediaTimeRange(from: MediaTime(4), length: MediaDuration(1)))
    let output = folder.path(of: "cut.ogg")
    let error = #expect(throws: MediaError.self) {
      try clip.cut(request, to: Array(output.utf8), as: .ogg)
    }
    #expect(error?.code == .notCuttable)
    #expect(error?.hint?.contains(".mka") == true)
    let report = try clip.cut(
      request, to: Array(folder.path(of: "cut.mka").utf8), as: .matroska)
    #expect(report.plan.parts.count == 2)
  }
}
