import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// FFmpeg's decoder crops pictures of H.264 to the container's size, and no encoder accepts an odd width.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given MP4 that states a width of 853 for pictures 854 pixels wide` {
  @Test func `when its edges are re-encoded then they have the size of the others`() async throws {
    let folder = try ScratchFolder()
    let made = folder.path(of: "even.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=854x48:rate=25:duration=3", "-c:v",
      "libx264", "-g", "25", made,
    ])
    var bytes = try fileBytes(made)
    let table = try #require(bytes.firstRange(of: Array("stsd".utf8))).upperBound
    let entry = try #require(bytes[table...].firstRange(of: Array("avc1".utf8))).lowerBound
    // Width of a visual sample entry (ISO 14496-12, 12.1.3).
    bytes.replaceSubrange(entry + 28..<entry + 30, with: [0x03, 0x55])
    let path = try folder.write(bytes, to: "odd.mp4")
    let range = try #require(MediaTimeRange(from: MediaTime(3, 5), to: MediaTime(5, 2)))
    let output = folder.path(of: "cut.mp4")
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(report.plan.encodedFrames > 0)
    let facts = try Prober().probe(.file(path: Array(output.utf8)))
    #expect(facts.tracks[0].video?.width == 854)
  }
}
