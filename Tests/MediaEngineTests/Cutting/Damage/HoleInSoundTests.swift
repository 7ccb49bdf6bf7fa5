import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedFilm.isPossible, "\(EncodedFilm.absence)"), .timeLimit(.minutes(1)))
struct `Given sound with a hole that its table states as the length of a packet` {
  /// - Parameter hole: how many samples longer than its own 1024 a packet is said to last.
  private func blamed(hole: Int) async throws -> CutError {
    let folder = try ScratchFolder()
    let path = folder.path(of: "film.mp4")
    _ = try await EncodedFilm.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=sample_rate=44100:duration=1", "-c:a", "aac",
      "-bsf:a", "setts=ts=if(gt(N\\,20)\\,PTS+\(hole)\\,PTS)", path,
    ])
    let film = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    let plan = try film.plan(CutRequest(range: range, mode: .copy), for: .mpegts)
    let tracks = try CutAssembly(
      source: film.source, plan: plan, number: 0, spool: PayloadSpool(), limits: .standard,
      isCancelled: { false }
    ).tracks()
    let proof = CutProof(
      tracks: tracks, fingerprints: [], source: film.source, container: .mpegts, isFull: false,
      limits: .standard, isCancelled: { false })
    return proof.blamed(proof.failure("packet 21 is not shown when it should be", 0, 21))
  }

  @Test func `when a reader misses the hole then the source is to blame, with where`() async throws
  {
    let error = try await blamed(hole: 1940)
    #expect(error.code == .damaged)
    #expect(error.times != nil)
  }

  @Test func `when there is none then the program is to blame`() async throws {
    #expect(try await blamed(hole: 0).code == .verificationFailed)
  }
}
