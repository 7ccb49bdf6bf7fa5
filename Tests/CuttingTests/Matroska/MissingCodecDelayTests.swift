import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@testable import Cutting

/// Opus states how much of its beginning is not heard; Matroska should repeat that, but some files
/// do not.
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given Opus in Matroska without a codec delay` {
  private func clip(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "stated.webm")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=2", "-f", "lavfi", "-i",
      "sine=r=48000:d=2", "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-g",
      "10", "-c:a", "libopus", path,
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

  @Test func `then its pre-skip is not heard`() async throws {
    let folder = try ScratchFolder()
    let path = try await clip(in: folder)
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    let sound = try #require(facts.tracks.first { $0.kind == .audio })
    #expect(sound.audio?.priming == 312)
    #expect(sound.durations.presented?.start == MediaTime(seconds: Rational(312, 48000)))
  }

  @Test(arguments: ["mp4", "mkv", "webm"])
  func `when it is cut from its beginning then the cut is proven`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let path = try await clip(in: folder)
    let output = folder.path(of: "cut." + ending)
    let container = try #require(OutputContainer(nameEnding: ending))
    let range = try MediaTimeRange(from: .zero, length: MediaDuration(6, 5))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutRequest(range: range), to: Array(output.utf8), as: container, replaces: true)
    let facts = try Prober().probe(.file(path: Array(output.utf8)))
    let length = try #require(facts.durations.presented?.length)
    #expect(try length.subtracting(MediaDuration(6, 5)).magnitude < MediaDuration(1, 100))
  }
}
