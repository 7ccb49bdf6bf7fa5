import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given the PCM of a disc or camera, in packets with a header` {
  private static func clip(
    _ name: String, _ words: [String], in folder: ScratchFolder
  ) async throws -> String {
    let path = folder.path(of: name)
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x64:r=25:d=1.5", "-f", "lavfi", "-i",
        "anoisesrc=r=48000:d=1.5:seed=3:a=0.4", "-ac", "2",
      ] + words + [path])
    return path
  }

  /// Each sample of both channels.
  private static func samples(_ path: String) async throws -> [[Int16]] {
    let out = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-",
    ]).out
    let all = HeardAudio.samples(out)
    return stride(from: 0, to: all.count - 1, by: 2).map { [all[$0], all[$0 + 1]] }
  }

  private static func cut(_ path: String, to output: String) throws -> CutReport {
    let range = try #require(MediaTimeRange(from: MediaTime(1, 3), to: MediaTime(1)))
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      .cut(CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
  }

  @Test(arguments: [("m2ts", "pcm_bluray"), ("mkv", "pcm_s16le"), ("mov", "pcm_s16be")])
  func `when it is Blu-ray's then every sample from IN to OUT is kept`(
    _ ending: String, _ codec: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(
      "a.m2ts",
      ["-c:v", "libx264", "-preset", "ultrafast", "-sample_fmt", "s16", "-c:a", "pcm_bluray"],
      in: folder)
    let output = folder.path(of: "cut." + ending)
    _ = try Self.cut(path, to: output)
    let (heard, source) = (try await Self.samples(output), try await Self.samples(path))
    // A packet lasts 5 ms, and the last one of a transport stream ends in silence.
    #expect(heard.count == (ending == "m2ts" ? 32_160 : 32_000))
    #expect(heard.prefix(32_000) == source[16_000..<48_000])
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
    #expect(facts.tracks.last?.codec == Codec(codec))
  }

  @Test(arguments: [("mkv", "le"), ("mov", "be"), ("wav", "le")], [16, 24])
  func `when it is AES3 (SMPTE ST 302) then it becomes PCM of its depth, sample by sample`(
    _ container: (ending: String, order: String), _ bits: Int
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(
      "a.ts",
      [
        "-c:v", "mpeg2video", "-sample_fmt", bits == 16 ? "s16" : "s32", "-c:a", "s302m",
        "-strict", "-2",
      ], in: folder)
    let output = folder.path(of: "cut." + container.ending)
    let report = try Self.cut(path, to: output)
    let heard = report.plan.tracks.last?.source
    #expect(heard?.length == MediaDuration(2, 3))
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
    #expect(facts.tracks.last?.codec.rawValue == "pcm_s\(bits)" + container.order)
    let (cut, source) = (try await Self.samples(output), try await Self.samples(path))
    #expect(cut.count == 32_000)
    let start = try #require(source.indices.first { source[$0...].starts(with: cut.prefix(64)) })
    #expect(source[start..<start + 32_000].elementsEqual(cut))
  }

  /// With 24 bits, FFmpeg's packets end within a group of samples.
  @Test(arguments: [("mkv", "le"), ("mov", "be"), ("wav", "le")], [16, 24])
  func `when it is DVD-Video's then it becomes PCM of its depth, sample by sample`(
    _ container: (ending: String, order: String), _ bits: Int
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(
      "a.vob",
      ["-c:v", "mpeg2video", "-sample_fmt", bits == 16 ? "s16" : "s32", "-c:a", "pcm_dvd"],
      in: folder)
    let output = folder.path(of: "cut." + container.ending)
    let report = try Self.cut(path, to: output)
    #expect(report.plan.tracks.last?.source?.length == MediaDuration(2, 3))
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
    #expect(facts.tracks.last?.codec.rawValue == "pcm_s\(bits)" + container.order)
    let (cut, source) = (try await Self.samples(output), try await Self.samples(path))
    #expect(cut.count == 32_000)
    let start = try #require(source.indices.first { source[$0...].starts(with: cut.prefix(64)) })
    let isWhole = source[start..<start + 32_000].elementsEqual(cut)
    #expect(isWhole)
    // Both tracks begin together.
    #expect(abs(start - 16_000) <= 1)
  }

  @Test(.enabled(if: Cases.folder != nil, Comment(rawValue: Cases.absence)))
  func `when it is the reported camera's then its default output has it`() throws {
    let folder = try ScratchFolder()
    let report = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(Cases.path("lpcm-m2ts/00001.MTS").utf8))
    ).cut(
      CutOrder(
        CutRequest(
          range: try #require(MediaTimeRange(from: MediaTime(3, 10), to: MediaTime(9, 10)))),
        to: Array(folder.path(of: "cut.MTS").utf8)))
    #expect(report.plan.tracks.last?.codec == "pcm_bluray")
    #expect(report.plan.tracks.last?.encodedAs == nil)
  }
}
