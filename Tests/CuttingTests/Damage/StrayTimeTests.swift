import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1)))
struct `Given a transport stream with one timestamp far ahead` {
  @Test func `when it is copied then it is where the others leave room, and listed`() throws {
    let folder = try ScratchFolder()
    var bytes = try fileBytes(SampleClips.path("wrapped.ts"))
    // A bit of a packet's counter, and one of a PTS (ISO/IEC 13818-1, 2.4.3.6).
    bytes[20260] ^= 4
    bytes[24218] ^= 1
    let path = try folder.write(bytes, to: "stray.ts")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    #expect(clip.facts.notes.contains { $0.id == .ptsOutlier })
    let end = try #require(clip.facts.durations.presented?.length)
    #expect(end < MediaDuration(4))
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(seconds: end.seconds)))
    let report = try clip.cut(
      CutOrder(CutRequest(range: range, mode: .copy), to: Array(folder.path(of: "cut.ts").utf8)))
    #expect(report.examination?.damage.contains { $0.kind == .timing } == true)
  }
}
