import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Its header states neither the bit rate nor the sample size in the way that AVI's does.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a QuickTime file with uncompressed audio that is cut into AVI` {
  private static func samples(_ path: String) async throws -> [UInt8] {
    try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-map", "0:a", "-f", "s32le", "-"]).out
  }

  @Test(arguments: ["pcm_s16le", "pcm_s24le", "pcm_mulaw"])
  func `when a part is cut then every sample of it is there and no other`(
    _ codec: String
  ) async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "clip.mov"), folder.path(of: "cut.avi"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-f", "lavfi",
      "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:v", "mjpeg", "-ac", "2", "-c:a", codec, path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let (source, cut) = (try await Self.samples(path), try await Self.samples(output))
    // Two channels of four bytes.
    let isSame = cut[...] == source[48_000 * 8..<3 * 48_000 * 8]
    #expect(isSame)
  }
}
