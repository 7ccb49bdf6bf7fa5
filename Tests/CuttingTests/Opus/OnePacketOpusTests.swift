import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// A Matroska reader gives no timestamp to a block before zero; if others follow it can recover it,
/// but not for a single one.
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given one packet of Opus in WebM that does not state its codec delay` {
  /// One picture of a thirtieth of a second, and 20 ms of sound.
  private func clip(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "stated.webm")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=0.03", "-f", "lavfi", "-i",
      "anoisesrc=r=48000:d=0.01:seed=3", "-c:v", "libvpx-vp9", "-deadline", "realtime",
      "-cpu-used", "8", "-c:a", "libopus", path,
    ])
    var bytes = try fileBytes(path)
    // CodecDelay (RFC 9559, 5.1.4.1.25) becomes a Void element (RFC 8794, 11.3.2) of the same size.
    let place = try #require(bytes.firstRange(of: [0x56, 0xAA])).lowerBound
    let length = bytes[place + 2]
    try #require(length & 0x80 != 0 && length & 0x7F <= 8)
    bytes[place] = 0xEC
    bytes[place + 1] = length + 1
    return try folder.write(bytes, to: "unstated.webm")
  }

  @Test(arguments: ["webm", "mkv"])
  func `when IN is between two milliseconds then no block is stamped before zero`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await clip(in: folder)
    let output = folder.path(of: "cut." + ending)
    let range = try MediaTimeRange(
      from: MediaTime(seconds: Rational(335, 100_000)), length: MediaDuration(67, 10_000))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let facts = try Prober().probe(.file(path: Array(output.utf8)))
    let sound = try #require(facts.tracks.first { $0.kind == .audio })
    let start = try #require(sound.durations.presented?.start)
    #expect(start == .zero)
  }
}
