import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Speex in one page that ends before its last packet begins` {
  /// 35 packets of 320 samples; FFmpeg gives the last one a duration of 2^32 - 123.
  private func clip(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "whole.ogg")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=r=16000:d=0.69", "-ac", "1", "-c:a", "libspeex",
      path,
    ])
    var pages = OggPages(try fileBytes(path))
    pages.pages[pages.pages.count - 1].granule = 35 * 320 - 443
    return try folder.write(pages.file, to: "clip.ogg")
  }

  @Test func `then it is as long as its page states, and a cut as long as asked`() async throws {
    let folder = try ScratchFolder()
    let path = try await clip(in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    #expect(clip.facts.durations.presented?.length == MediaDuration(35 * 320 - 443, 16_000))
    let range = try #require(MediaTimeRange(from: MediaTime(1, 5), to: MediaTime(1, 2)))
    let output = folder.path(of: "cut.mkv")
    _ = try clip.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let cut = try Prober().probe(
      .file(path: Array(output.utf8)), options: ProbeOptions(depth: .packets))
    let length = try #require(cut.durations.presented?.length)
    // Whole packets of 20 ms.
    #expect(MediaDuration(3, 10)...MediaDuration(17, 50) ~= length, "\(length)")
  }

  @Test(.enabled(if: Cases.folder != nil, Comment(rawValue: Cases.absence)))
  func `then the reported file ends at its granule position`() throws {
    let path = Cases.path("real/sindresorhus+file-type/fixture.spx")
    let facts = try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions())
    #expect(facts.durations.presented?.length == MediaDuration(11_146, 16_000))
  }
}
