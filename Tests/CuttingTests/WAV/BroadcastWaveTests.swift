import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

/// Recorders state when the first sample was recorded, in samples since midnight (EBU Tech 3285, 2.3).
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a Broadcast Wave File` {
  private static func tags(
    in folder: ScratchFolder, reference: String, to output: String
  ) async throws -> [String: String] {
    let path = folder.path(of: "a.wav")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=d=4:r=48000", "-write_bext", "1", "-metadata",
      "description=Take 1", "-metadata", "originator=Recorder", "-metadata",
      "origination_date=2026-01-02", "-metadata", "origination_time=01:00:00", "-metadata",
      "time_reference=\(reference)", path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(3, 2), to: MediaTime(3)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(
        CutRequest(range: range, verification: .full), to: Array(folder.path(of: output).utf8)))
    let written = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(folder.path(of: output).utf8)))
    return Dictionary(
      written.source.facts.tags.map { ($0.key.lowercased(), $0.value) },
      uniquingKeysWith: { first, _ in first })
  }

  @Test func `when it is cut then the part states when it was recorded`() async throws {
    let folder = try ScratchFolder()
    let tags = try await Self.tags(in: folder, reference: "172800000", to: "cut.wav")
    #expect(tags["time_reference"] == "172872000")
    #expect(tags["comment"] == "Take 1")
    #expect(tags["encoded_by"] == "Recorder")
    #expect(tags["date"] == "2026-01-02")
    #expect(tags["creation_time"] == "01:00:00")
    // The chunk precedes the samples.
    let head = try fileBytes(folder.path(of: "cut.wav")).prefix(64)
    #expect(head.firstRange(of: Array("bext".utf8)) != nil)
  }

  @Test func `when it becomes FLAC then its tag states that, and the time of day is not a date`()
    async throws
  {
    let folder = try ScratchFolder()
    let tags = try await Self.tags(in: folder, reference: "0", to: "cut.flac")
    #expect(tags["time_reference"] == "72000")
    #expect(tags["creation_time"] == nil)
    #expect(tags["origination_time"] == "01:00:00")
  }

  @Test(arguments: ["\(Int64.max)", "late", "-5"])
  func `when the time reference is not a sample count then the part states none`(
    _ reference: String
  ) {
    let tags = BroadcastWave.tags(
      [("title", "x"), ("time_reference", reference)], from: MediaTime(1),
      samplesPerSecond: 48_000, isWave: true)
    #expect(tags.map(\.key) == ["title"])
  }
}
