import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

/// A camera states when it began to record: a part began later.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a file that states when it was recorded` {
  private static let date = "com.apple.quicktime.creationdate"

  /// Two seconds of sound with some tags.
  private static func clip(
    _ tags: [String: String], in folder: ScratchFolder, as name: String = "clip.mp4"
  ) async throws -> String {
    let path = folder.path(of: name)
    var words = ["-v", "error", "-f", "lavfi", "-i", "sine=d=2:r=8000", "-c:a", "aac"]
    for (key, value) in tags { words += ["-metadata", "\(key)=\(value)"] }
    if name.hasSuffix(".mp4") { words += ["-movflags", "use_metadata_tags"] }
    _ = try await EncodedClip.ffmpeg(words + [path])
    return path
  }

  /// From 1.5 s.
  private static func cut(
    _ path: String, to output: String, keeps: Bool = false
  ) throws -> (creation: CreationTime?, tags: [String: String]) {
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(3, 2), to: MediaTime(2))))
    request.keepsCreationTime = keeps
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let tags = written.facts.tags.map { ($0.key.lowercased(), $0.value) }
    return (report.plan.creation, Dictionary(tags) { first, _ in first })
  }

  @Test(arguments: ["cut.mp4", "cut.mkv"])
  func `when a camera wrote it then the part states its own time, in the same zone`(
    _ name: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(
      [
        Self.date: "2023-12-31T23:59:59+0200", "com.apple.quicktime.make": "Apple",
        "creation_time": "2023-12-31T21:59:59Z",
      ], in: folder)
    let (creation, tags) = try Self.cut(path, to: folder.path(of: name))
    #expect(tags[Self.date] == "2024-01-01T00:00:00+0200")
    #expect(tags["creation_time"]?.hasPrefix("2023-12-31T22:00:00") == true)
    #expect(
      creation
        == CreationTime(
          field: Self.date, source: "2023-12-31T23:59:59+0200",
          written: "2024-01-01T00:00:00+0200"))
    let kept = try Self.cut(path, to: folder.path(of: "kept" + name), keeps: true)
    #expect(kept.tags[Self.date] == "2023-12-31T23:59:59+0200")
    #expect(kept.tags["creation_time"]?.hasPrefix("2023-12-31T21:59:59") == true)
    #expect(kept.creation?.isMoved == false)
  }

  /// The header of the second was written when the file was exported; nothing says that the third is from
  /// a camera; the time of the last is that of the recording, since its date says the same.
  @Test(
    arguments: [
      (["make": "Canon", "creation_time": "2023-05-06T10:00:00Z"], "2023-05-06T10:00:01"),
      (
        [
          "make": "Apple", date: "2023-05-06T12:00:00+0200",
          "creation_time": "2024-05-06T10:00:00Z",
        ], "2024-05-06T10:00:00"
      ),
      (["creation_time": "2023-05-06T10:00:00Z"], "2023-05-06T10:00:00"),
      (
        [date: "2023-05-06T12:00:00+0200", "creation_time": "2023-05-06T10:00:00Z"],
        "2023-05-06T10:00:01"
      ),
    ] as [([String: String], String)])
  func `then the time of the header is moved only if it is that of the recording`(
    _ tags: [String: String], _ written: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(tags, in: folder)
    let found = try Self.cut(path, to: folder.path(of: "cut.mp4")).tags["creation_time"]
    #expect(found?.hasPrefix(written) == true, "\(found ?? "none")")
  }
}

@Suite struct `Given a date with a time of day` {
  @Test(
    arguments: [
      ("2024-02-28T23:59:59Z", Rational(1), "2024-02-29T00:00:00Z"),
      ("2023-02-28 23:59:59", Rational(2), "2023-03-01 00:00:01"),
      ("2023-05-06T12:00:00.250-07:00", Rational(1, 3), "2023-05-06T12:00:00.583-07:00"),
      ("2023-05-06T12:00:00+02", Rational(999_999, 1_000_000), "2023-05-06T12:00:00+02"),
      ("2023-05-06T12:00:00.000000Z", Rational(1001, 30_000), "2023-05-06T12:00:00.033366Z"),
    ])
  func `then later times keep its format`(
    _ text: String, _ seconds: Rational, _ later: String
  ) throws {
    let time = try #require(CalendarTime(text))
    #expect("\(time)" == text)
    #expect("\(try #require(time.later(by: MediaDuration(seconds: seconds))))" == later)
  }

  @Test func `then its zone counts for the instant`() throws {
    let times = try ["2023-05-06T12:00:00+0200", "2023-05-06T03:30:00-06:30"].map {
      try #require(CalendarTime($0)).unixSeconds
    }
    #expect(times == [Rational(1_683_367_200), Rational(1_683_367_200)])
  }

  @Test(arguments: [
    "", "2023-05-06", "10:00:00", "2023-13-06T12:00:00", "2023-05-06T24:00:00", "2023-05-06T12:00",
    "2023-05-06T12:00:00 CEST", "2023-05-06T12:00:00.", "0000-05-06T12:00:00",
    "2023-05-06T12:00:00+2", "2023-05-06T12:00:00.0123456789",
  ])
  func `then other texts are none`(_ text: String) {
    #expect(CalendarTime(text) == nil)
  }
}
