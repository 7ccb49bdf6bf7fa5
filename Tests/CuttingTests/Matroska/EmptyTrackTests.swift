import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Recorders declare a track that stays empty: a microphone that was off.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a file with an audio track that has no packets` {
  private func clip(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip.webm")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=2", "-f", "lavfi",
      "-i", "sine=r=48000:d=2", "-c:v", "libvpx", "-g", "5", "-c:a", "libvorbis", "-frames:a", "0",
      path,
    ])
    return path
  }

  private func cut(_ path: String, to output: String) throws -> CutReport {
    let range = try #require(MediaTimeRange(from: MediaTime(2, 5), to: MediaTime(6, 5)))
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
  }

  @Test func `when it is cut then the track is left out, and that is reported`() async throws {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut.webm")
    let report = try cut(try await clip(in: folder), to: output)
    #expect(report.plan.frames == 20)
    #expect(report.plan.tracks.map(\.dropped) == [nil, "it has no packets"])
    let facts = try Prober().probe(.file(path: Array(output.utf8)))
    #expect(facts.tracks.map(\.codec) == ["vp8"])
  }

  @Test func `when the file is truncated then the track may be what is missing`() async throws {
    let folder = try ScratchFolder()
    let bytes = try fileBytes(try await clip(in: folder))
    let path = try folder.write(Array(bytes.dropLast(2000)), to: "short.webm")
    #expect(throws: MediaError.self) { try cut(path, to: folder.path(of: "cut.webm")) }
  }
}
