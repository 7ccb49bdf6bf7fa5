import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// QuickTime has its own name for many codecs, and accepts those of AVI and WAV too.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given QuickTime files with old and professional codecs` {
  private static let pictures: [([String], String)] = [
    (["-c:v", "mpeg2video", "-bf", "2", "-g", "12", "-tag:v", "xd54"], "mpeg2video"),
    (["-c:v", "rawvideo", "-pix_fmt", "yuyv422"], "rawvideo"), (["-c:v", "v410"], "v410"),
    (["-c:v", "r210"], "r210"), (["-c:v", "utvideo", "-pix_fmt", "yuv420p"], "utvideo"),
    (["-c:v", "tiff"], "tiff"),
  ]

  @Test(arguments: pictures)
  func `when one is cut within a frame then every frame is there`(
    _ words: [String], _ codec: String
  ) async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "clip.mov"), folder.path(of: "cut.mov"))
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2"] + words
        + [path])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    #expect(clip.facts.tracks.map(\.codec) == [Codec(codec)])
    let range = try #require(MediaTimeRange(from: MediaTime(51, 100), to: MediaTime(3, 2)))
    _ = try clip.cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let shown = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", output, "-vf", "scale=8:8,format=gray", "-f", "rawvideo", "-",
    ]).out
    // From the one on screen at IN.
    #expect(shown.count == 26 * 64)
  }

  @Test(arguments: ["adpcm_ms", "adpcm_ima_wav"])
  func `when audio is described as samples of one byte then its blocks are cut`(
    _ codec: String
  ) async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "sound.mov"), folder.path(of: "cut.mov"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:a", codec, path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    #expect(clip.facts.tracks.map(\.codec) == [Codec(codec)])
    let range = try #require(MediaTimeRange(from: MediaTime(102, 100), to: MediaTime(5, 2)))
    _ = try clip.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let (cut, whole) = (try await samples(output), try await samples(path))
    let place = 20_000
    let lag = HeardAudio.lag(
      of: cut[place..<place + 15_000], in: Array(whole.dropFirst(102 * 480)), near: place)
    #expect(lag == 0)
  }

  @Test func `when Vorbis is re-encoded into one then it can be read back`() async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "sound.ogg"), folder.path(of: "cut.mov"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:a",
      "libvorbis", path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    var request = CutRequest(range: range)
    request.audio = .reencode
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    let facts = try Prober().probe(.file(path: Array(output.utf8)))
    #expect(facts.tracks.map(\.codec) == ["vorbis"])
  }

  /// Three texture formats, distinguished only by the tag.
  @Test(arguments: ["hap", "hap_alpha", "hap_q"], ["mkv", "mov"])
  func `when Hap frames are cut then they are those of the source`(
    _ kind: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "clip.mov"), folder.path(of: "cut." + ending))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2", "-c:v", "hap",
      "-format", kind, "-pix_fmt", "rgba", path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(2, 5), to: MediaTime(6, 5)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let (source, cut) = (try await decoded(path), try await decoded(output))
    let frame = 96 * 64 * 3
    let isSame = cut[...] == source[10 * frame..<30 * frame]
    #expect(isSame)
  }

  private func decoded(_ path: String) async throws -> [UInt8] {
    try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-pix_fmt", "rgb24", "-f", "rawvideo", "-",
    ]).out
  }

  private func samples(_ path: String) async throws -> [Int16] {
    HeardAudio.samples(
      try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-f", "s16le", "-"]).out)
  }
}
