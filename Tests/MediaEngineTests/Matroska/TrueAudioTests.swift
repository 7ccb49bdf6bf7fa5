import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Frames of True Audio last 256/245 s, but for the last one, whose length is in a header that
/// Matroska does not keep.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given True Audio in Matroska whose last frame is short` {
  private func sound(at rate: Int, in folder: borrowing ScratchFolder) async throws -> String {
    let path = folder.path(of: "sound.mka")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=\(rate):d=3.7:seed=1", "-c:a", "tta", path,
    ])
    return path
  }

  @Test(arguments: [8000, 11_025, 44_100])
  func `then it is as long as its samples, without contradiction`(
    _ rate: Int
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await sound(at: rate, in: folder)
    let facts = try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: .packets))
    let length = try #require(facts.durations.presented?.length)
    let error = try length.subtracting(MediaDuration(37, 10)).checkedMagnitude()
    #expect(error < MediaDuration(1, 1000))
    #expect(!facts.notes.contains { $0.id == .declaredTooShort })
  }

  @Test func `when a part is cut into Matroska then it is as long as the range`() async throws {
    let folder = try ScratchFolder()
    let path = try await sound(at: 11_025, in: folder)
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(5, 2)))
    let output = folder.path(of: "cut.mka")
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      .cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let cut = try Prober().probe(.file(path: Array(output.utf8)))
    #expect(cut.durations.presented?.length == MediaDuration(2))
  }
}
