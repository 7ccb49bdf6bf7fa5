import Bitstreams
import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Layouts without a channel configuration number (ISO 14496-3, table 1.19): an element of the
/// first frame describes them.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given AAC whose channel layout is in its frames` {
  private static let cases = ["aac", "ts", "m4a"].flatMap { source in
    ["aac", "ts", "m4a", "mkv"].map { (source, $0) }
  }

  @Test(arguments: Sample.of(cases, 4))
  func `when a later part is cut then its channels are described`(
    _ source: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let (whole, path) = (folder.path(of: "whole.m4a"), folder.path(of: "sound." + source))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=5:a=0.4", "-af",
      "aformat=channel_layouts=2.1", "-c:a", "aac", "-b:a", "128k", whole,
    ])
    _ = try await EncodedClip.ffmpeg(["-v", "error", "-i", whole, "-c", "copy", path])
    let output = folder.path(of: "cut." + ending)
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let cut = try await samples(output, from: "0")
    #expect(cut.count >= 3 * 2 * 48000)
    // A frame of AAC has 1,024 samples, and all but MP4 begin with a whole one.
    let lag = HeardAudio.lag(
      of: cut[60_000..<75_000], in: try await samples(path, from: "1"), near: 60_000, atMost: 3072)
    #expect(ending == "m4a" ? lag == 0 : lag % 3 == 0)
  }

  @Test func `when all is re-encoded then the encoder's description is written`()
    async throws
  {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "sound.aac"), folder.path(of: "cut.aac"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=3:seed=5:a=0.4", "-af",
      "aformat=channel_layouts=7.0", "-c:a", "aac", path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    var request = CutRequest(range: range)
    request.audio = .reencode
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    #expect(try await samples(output, from: "0").count >= 7 * 48_000)
  }

  private func samples(_ path: String, from start: String) async throws -> [Int16] {
    HeardAudio.samples(
      try await EncodedClip.ffmpeg([
        "-v", "error", "-xerror", "-i", path, "-af", "atrim=start=\(start)", "-f", "s16le", "-",
      ]).out)
  }

  @Test func `then what describes them is a whole element with its comment`() {
    // One front pair and an LFE; no mixdown; a comment of two bytes.
    let element: [UInt8] = [0xA0, 0x98, 0x80, 0x20, 0x04, 0x00, 0x02, 0x41, 0x42]
    let frame = AACProgramConfig(frame: (element + [0x21, 0x10])[...])
    #expect(frame?.byteCount == element.count)
    #expect(AACProgramConfig(frame: element.dropLast()) == nil)
    #expect(Array(AACProgramConfig.left(of: (element + [0x21, 0x10])[...])) == [0x21, 0x10])
    #expect(Array(AACProgramConfig.left(of: [0x21, 0x10])) == [0x21, 0x10])
  }
}
