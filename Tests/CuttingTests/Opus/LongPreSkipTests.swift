import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// The pre-skip of Opus (RFC 7845, 4.2) may be as long as a second, in files cut from others.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Opus with a long pre-skip` {
  private static let skipped = 31_200

  private static func clip(in folder: ScratchFolder) async throws -> (
    whole: String, skipping: String
  ) {
    let whole = folder.path(of: "whole.ogg")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "aevalsrc=0.5*sin(500*t*t):d=4:s=48000", "-c:a",
      "libopus",
      "-page_duration", "20000", whole,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(whole.utf8)))
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(4)))
    let copy = folder.path(of: "copy.mp4")
    _ = try clip.cut(CutOrder(CutRequest(range: range), to: Array(copy.utf8)))
    var bytes = try fileBytes(copy)
    // The version and channel count come first (Encapsulation of Opus in ISO Base Media File
    // Format, 4.3.2).
    let place = try #require(bytes.firstRange(of: Array("dOps".utf8))).upperBound + 2
    bytes[place] = UInt8(skipped >> 8)
    bytes[place + 1] = UInt8(skipped & 0xFF)
    return (copy, try folder.write(bytes, to: "skipping.mp4"))
  }

  private static func samples(
    _ path: String, from: MediaTime, in folder: ScratchFolder
  ) throws -> ArraySlice<UInt8> {
    let output = Array(folder.path(of: "cut.wav").utf8)
    let range = try #require(
      MediaTimeRange(from: from, to: from.advanced(by: MediaDuration(1, 5))))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range), to: output, replaces: true))
    return try fileBytes(folder.path(of: "cut.wav")).suffix(48_000 / 5 * 2)
  }

  @Test(arguments: [MediaTime(1), MediaTime(23, 10)])
  func `when a part in the middle is re-encoded then it is heard from IN on`(
    _ from: MediaTime
  ) async throws {
    let folder = try ScratchFolder()
    let clip = try await Self.clip(in: folder)
    let skipped = try FileCutter(isCancelled: { false })
      .open(.file(path: Array(clip.skipping.utf8))).facts.durations.presented?.start
    let lead = try #require(skipped).distance(from: .zero)
    let expected = try Self.samples(clip.whole, from: from, in: folder)
    let found = try Self.samples(
      clip.skipping, from: from.advanced(by: MediaDuration.zero.subtracting(lead)), in: folder)
    #expect(found == expected)
  }
}
