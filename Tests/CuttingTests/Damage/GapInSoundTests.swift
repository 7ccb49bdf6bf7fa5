import ExactTime
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given audio with a gap that its table states as a longer packet` {
  /// - Parameter gap: how many samples longer than its 1024 a packet is stated to last.
  private func blamed(gap: Int) async throws -> MediaError {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=sample_rate=44100:duration=1", "-c:a", "aac",
      "-bsf:a", "setts=ts=if(gt(N\\,20)\\,PTS+\(gap)\\,PTS)", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    let proof = try clip.copyProof(of: range, in: .mpegts)
    return proof.blamed(proof.failure("packet 21 is presented at the wrong time", 0, 21))
  }

  @Test func `when a reader misses the gap then the source is blamed, with the place`() async throws
  {
    let error = try await blamed(gap: 1940)
    #expect(error.code == .damaged)
    #expect(error.times != nil)
  }

  @Test func `when there is none then the program is blamed`() async throws {
    #expect(try await blamed(gap: 0).code == .verificationFailed)
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given compressed audio with a second of packets missing` {
  @Test(arguments: [("libmp3lame", OutputContainer.mp3), ("ac3", .ac3)])
  func `when it is copied to where it has no times then it is refused, with the place`(
    _ encoder: String, _ container: OutputContainer
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.mka")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=5:seed=3:a=0.4", "-af",
      "aselect='not(between(t,2,3))'", "-c:a", encoder, path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let output = Array(folder.path(of: "cut." + container.rawValue).utf8)
    func request(_ from: MediaTime, _ to: MediaTime) throws -> CutRequest {
      CutRequest(range: try #require(MediaTimeRange(from: from, to: to)))
    }
    let across = try request(MediaTime(1), MediaTime(4))
    let error = #expect(throws: MediaError.self) { try clip.cut(across, to: output, as: container) }
    #expect(error?.code == .damaged)
    #expect(error?.times != nil)
    _ = try clip.cut(try request(MediaTime(1, 2), MediaTime(3, 2)), to: output, as: container)
  }
}
