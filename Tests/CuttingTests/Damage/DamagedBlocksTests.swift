import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given ADPCM in WAV with a damaged block` {
  @Test(arguments: [true, false])
  func `when it is copied then it is reported, and nothing is reported when intact`(
    _ isDamaged: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.wav")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=44100:d=4:seed=5:a=0.4", "-c:a",
      "adpcm_ima_wav", path,
    ])
    var bytes = try fileBytes(path)
    let data = try #require(bytes.firstRange(of: Array("data".utf8))).upperBound + 4
    let format = try #require(bytes.firstRange(of: Array("fmt ".utf8))).upperBound + 4
    let blockSize = Int(bytes[format + 12]) | Int(bytes[format + 13]) << 8
    // The step index of a block in the middle; valid up to 88.
    let block = (bytes.count - data) / blockSize / 2
    if isDamaged { bytes[data + block * blockSize + 2] = 200 }
    let source = try folder.write(bytes, to: "source.wav")
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(source.utf8))).cut(
      CutOrder(
        CutRequest(range: range, verification: .full), to: Array(folder.path(of: "cut.mka").utf8)))
    #expect(report.examination?.damage.isEmpty == !isDamaged)
  }
}
