import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given audio that is re-encoded` {
  private func cut(
    _ coding: [String], as source: String, into name: String, in folder: ScratchFolder
  ) async throws -> String {
    let path = folder.path(of: source)
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-strict", "-2",
      ] + coding + [path])
    let output = folder.path(of: name)
    var request = CutRequest(
      range: try #require(
        MediaTimeRange(from: MediaTime(7773, 10_000), to: MediaTime(31_111, 10_000))))
    request.audio = .reencode
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    return output
  }

  /// A WMA decoder outputs nothing for its first packet, a TrueHD decoder nothing before a major sync.
  @Test(arguments: [("wmav2", "clip.wma"), ("truehd", "clip.thd")])
  func `when a decoder needs packets from before IN then it gets them, and audio starts at IN`(
    _ codec: String, _ source: String
  ) async throws {
    let folder = try ScratchFolder()
    let output = try await cut(["-c:a", codec], as: source, into: "cut.wav", in: folder)
    let raw = folder.path(of: "cut.raw")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", output, "-ac", "1", "-f", "s16le", raw,
    ])
    let samples = HeardAudio.samples(try fileBytes(raw))
    // In noise, hardly any sample is zero.
    #expect(samples.prefix(48).count { $0 == 0 } < 5)
    #expect(samples.count == 112_022)
  }

  /// Readers split packets again, and apply the stated padding to the packet before.
  @Test(arguments: ["ac3", "eac3"])
  func `when it is AC-3 in Matroska then no padding is stated`(_ codec: String) async throws {
    let folder = try ScratchFolder()
    let output = try await cut(
      ["-c:a", codec], as: "clip." + codec, into: "cut.mka", in: folder)
    let reported = try await ProgramRun(
      ["ffprobe", "-v", "error", "-show_packets", output].map { Array($0.utf8) },
      limit: .seconds(60))
    #expect(reported.outText.contains("pts_time"))
    #expect(
      !reported.outText.contains("discard_padding=") && !reported.outText.contains("Skip Samples"))
  }
}
