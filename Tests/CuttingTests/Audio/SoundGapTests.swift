import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Recorders leave out silence, and MP4 states the gap as part of the duration of the packet before it.
///
/// What a decoder skips is counted in samples, and a gap has none.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(2)))
struct `Given audio with a gap in which a range begins` {
  private static func make(_ codec: [String], _ ending: String, in folder: ScratchFolder)
    async throws -> String
  {
    let path = folder.path(of: "clip." + ending)
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=6", "-f", "lavfi", "-i",
        "anoisesrc=r=48000:d=6:seed=3:a=0.4", "-af",
        "lowpass=4000,aselect='not(between(t,2,4))'", "-c:v", "libx264", "-g", "25", "-bf", "0",
        "-preset", "ultrafast",
      ] + codec + [path])
    return path
  }

  /// All samples at the time they are heard, from the beginning of the file.
  private static func heard(_ path: String) async throws -> [Int16] {
    HeardAudio.samples(
      try await EncodedClip.ffmpeg([
        "-v", "error", "-i", path, "-map", "0:a", "-af", "aresample=async=1:first_pts=0", "-f",
        "s16le", "-ac", "1", "-ar", "48000", "-",
      ]).out)
  }

  @Test(
    arguments: [["-c:a", "libopus"], ["-c:a", "aac"], ["-c:a", "libmp3lame"], ["-c:a", "ac3"]],
    ["mp4", "mkv"])
  func `then what follows is heard where the source has it`(
    _ codec: [String], _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(codec, ending, in: folder)
    let output = folder.path(of: "cut.mp4")
    let range = try #require(MediaTimeRange(from: MediaTime(3), to: MediaTime(6)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let (source, cut) = (try await Self.heard(path), try await Self.heard(output))
    let (place, first) = (90_000, 90_000 + 3 * 48_000)
    try #require(cut.count > place + 8000 && source.count > first + 8000)
    let lag = HeardAudio.lag(of: cut[place..<place + 8000], in: source, near: first)
    // A millisecond, the rounding of Matroska's times.
    #expect(abs(lag) <= 48, "\(codec) in \(ending)")
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Opus whose last packet is not heard completely` {
  @Test(arguments: ["mka", "opus"], ["mkv", "webm", "opus"])
  func `then a part that extends to the end does not play it completely either`(
    _ source: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound." + source)
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=2.003:seed=3:a=0.4", "-c:a",
      "libopus", path,
    ])
    let output = folder.path(of: "cut." + ending)
    let range = try #require(MediaTimeRange(from: MediaTime(11, 10), to: MediaTime(5, 2)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let run = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", output, "-f", "s16le", "-ac", "1", "-",
    ])
    // 0.903 s, apart from a millisecond at each end in Matroska.
    #expect(abs(run.out.count / 2 - 43_344) <= 96)
  }
}
