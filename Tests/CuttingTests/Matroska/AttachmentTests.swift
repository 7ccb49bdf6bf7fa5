import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

/// Files that Matroska stores next to its tracks (RFC 9559, 5.1.6): fonts for rendering subtitles.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a file with attachments` {
  /// Larger than the file's header without it.
  private static let font: [UInt8] = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* $0) }

  private static func clip(in folder: ScratchFolder) async throws -> String {
    try folder.write(font, to: "a font.ttf")
    try folder.write(Array("What this is.\n".utf8), to: "notes.txt")
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", try await EncodedClip.named("H.264, open groups").make(in: folder), "-c",
      "copy", "-attach", folder.path(of: "a font.ttf"), "-metadata:s:1",
      "mimetype=application/x-truetype-font", "-attach", folder.path(of: "notes.txt"),
      "-metadata:s:2", "mimetype=text/plain", path,
    ])
    return path
  }

  private static func cut(
    _ path: String, to output: String, isJoined: Bool = false
  ) throws -> CutReport {
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(3, 2)))
    var request = CutRequest(range: range, verification: .full)
    if isJoined {
      request.join(try #require(MediaTimeRange(from: MediaTime(2), to: MediaTime(3))))
    }
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
  }

  @Test(arguments: [false, true])
  func `when it is cut into Matroska then they are kept unchanged`(
    isJoined: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(in: folder)
    let output = folder.path(of: "cut.mkv")
    let report = try Self.cut(path, to: output, isJoined: isJoined)
    #expect(report.plan.tracks.map(\.dropped) == [nil, nil, nil])
    let written = try `Given a file made by an encoder`.open(output).tracks
    #expect(written.map(\.facts.kind) == [.video, .attachment, .attachment])
    #expect(written[1].attachedByteCount == Self.font.count)
    #expect(written[1].configuration == Array(Self.font.prefix(1 << 20)))
    #expect(written[2].configuration == Array("What this is.\n".utf8))
    // What is written after them is found too.
    let duration = written[0].facts.tags.first { $0.key.lowercased() == "duration" }
    #expect(duration?.value == (isJoined ? "00:00:02.000000000" : "00:00:01.000000000"))
    for (track, expected) in [
      (1, ["filename": "a font.ttf", "mimetype": "application/x-truetype-font"]),
      (2, ["filename": "notes.txt", "mimetype": "text/plain"]),
    ] {
      let tags = written[track].facts.tags.map { ($0.key.lowercased(), $0.value) }
      for (key, value) in expected { #expect(tags.contains { $0 == (key, value) }) }
    }
  }

  /// It states element sizes of its own.
  @Test func `when one of them is itself Matroska then it is not changed`() async throws {
    let folder = try ScratchFolder()
    let clip = try await EncodedClip.named("H.264, open groups").make(in: folder)
    let inner = folder.path(of: "inner.mkv")
    _ = try await EncodedClip.ffmpeg(["-v", "error", "-i", clip, "-c", "copy", inner])
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", clip, "-c", "copy", "-attach", inner, "-metadata:s:1",
      "mimetype=video/x-matroska", path,
    ])
    let output = folder.path(of: "cut.mkv")
    _ = try Self.cut(path, to: output)
    let bytes = try fileBytes(inner)
    #expect(try fileBytes(output).firstRange(of: bytes) != nil)
    let written = try `Given a file made by an encoder`.open(output)
    let duration = written.tracks[0].facts.tags.first { $0.key.lowercased() == "duration" }
    #expect(duration?.value == "00:00:01.000000000")
  }

  @Test(arguments: ["mp4", "ts"])
  func `when the container cannot hold them then that is reported`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(in: folder)
    let report = try Self.cut(path, to: folder.path(of: "cut." + ending))
    let reason = ".\(ending) cannot hold it"
    #expect(report.plan.tracks.map(\.dropped) == [nil, reason, reason])
  }
}
