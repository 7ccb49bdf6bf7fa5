import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given Ogg Opus with a missing page` {
  /// Pages of one second, without the third.
  private func sound(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "whole.opus")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=d=6", "-c:a", "libopus",
      "-page_duration", "1000000", path,
    ])
    let bytes = try fileBytes(path)
    let pages = bytes.ranges(of: Array("OggS".utf8)).map(\.lowerBound)
    // Two pages of headers come first (RFC 7845, 3).
    return try folder.write(Array(bytes[..<pages[4]] + bytes[pages[5]...]), to: "gapped.opus")
  }

  @Test func `when the part has the gap then the source is blamed, with the place`() async throws {
    let folder = try ScratchFolder()
    let clip = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(try await sound(in: folder).utf8)))
    let range = try MediaTimeRange(
      from: MediaTime(seconds: Rational(1, 2)), length: MediaDuration(4))
    let error = #expect(throws: MediaError.self) {
      try clip.cut(
        CutRequest(range: range), to: Array(folder.path(of: "cut.opus").utf8), as: .ogg,
        replaces: true)
    }
    #expect(error?.code == .damaged)
    #expect(error?.times != nil)
  }

  @Test func `when the part ends before the gap then it is written`() async throws {
    let folder = try ScratchFolder()
    let clip = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(try await sound(in: folder).utf8)))
    let range = try MediaTimeRange(from: .zero, length: MediaDuration(1))
    _ = try clip.cut(
      CutRequest(range: range), to: Array(folder.path(of: "cut.opus").utf8), as: .ogg,
      replaces: true)
  }
}
