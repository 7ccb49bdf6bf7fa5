import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

/// Where an edit hides part of a packet, FFmpeg's decoder drops that much from every block in it.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given ADPCM whose packets hold several blocks` {
  private static func samples(_ path: String) async throws -> [Int16] {
    let run = try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-f", "s16le", "-"])
    #expect(run.errText.isEmpty)
    return HeardAudio.samples(run.out)
  }

  @Test(arguments: ["adpcm_ms", "adpcm_ima_wav"])
  func `when it is cut into QuickTime then players play it from IN on`(
    _ codec: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.wav")
    let output = folder.path(of: "cut.mov")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=22050:d=3:seed=3:a=0.4", "-ac", "1",
      "-block_size", "512", "-c:a", codec, path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(3, 2)))
    let report = try clip.cut(
      CutRequest(range: range, verification: .full), to: Array(output.utf8), as: .mov)
    #expect(report.plan.encodedFrames == 0)
    let source = try await Self.samples(path)
    let heard = try await Self.samples(output)
    #expect(heard.count >= 22_050)
    // At most one more block, which FFmpeg does not trim.
    #expect(heard.count <= 22_050 + 1024)
    #expect(heard.prefix(22_050) == source[11_025..<33_075])
  }

  /// FFmpeg reads eight of these blocks at once, 0.37 s in all.
  @Test(arguments: ["adpcm_ms", "adpcm_ima_wav"])
  func `when it is cut into a container that cannot hide samples then whole blocks are written`(
    _ codec: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.wav")
    let output = folder.path(of: "cut.mka")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=22050:d=3:seed=3:a=0.4", "-ac", "1",
      "-block_size", "512", "-c:a", codec, path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let block = try #require(clip.source.tracks.first?.coded.packets.first?.duration)
    #expect((900..<1100).contains(block))
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(3, 2)))
    let report = try clip.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let length = report.plan.written.length
    #expect((length - MediaDuration(1)).magnitude <= MediaDuration(block, 22_050))
    let source = try await Self.samples(path)
    let first = Int((11_025 + block - 1) / block * block)
    let heard = try await Self.samples(output)
    #expect(MediaDuration(Int64(heard.count), 22_050) == length)
    #expect(heard[...] == source[first..<first + heard.count])
  }
}
