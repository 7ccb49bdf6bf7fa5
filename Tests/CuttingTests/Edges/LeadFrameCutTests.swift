import ExactTime
import MediaFacts
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given a range that begins within a frame` {
  private static func open(_ path: String) throws -> OpenedFile {
    try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var clip: String
    var ending: String
    /// In hundredths of a second.
    var from: Int64
    var to: Int64
    var encoded: Int?
    var testDescription: String { "\(clip) into .\(ending) from \(from) to \(to)" }
  }

  static let cases = [
    Case(clip: "H.264, closed groups", ending: "mp4", from: 30, to: 210, encoded: nil),
    // After a keyframe: only a timestamp changes.
    Case(clip: "H.264, closed groups", ending: "mp4", from: 49, to: 144, encoded: 0),
    Case(clip: "H.264, closed groups in Matroska", ending: "mkv", from: 49, to: 144, encoded: 0),
    Case(clip: "H.264, open groups", ending: "ts", from: 30, to: 210, encoded: nil),
    Case(
      clip: "HEVC, open groups with RADL pictures", ending: "mp4", from: 101, to: 203,
      encoded: nil),
    // One frame is on screen all the time.
    Case(clip: "H.264, closed groups", ending: "mp4", from: 101, to: 103, encoded: nil),
  ]

  @Test(arguments: cases)
  func `then the frame on screen at IN is the first, shown for what is left of it`(
    _ cut: Case
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await EncodedClip.named(cut.clip).make(in: folder)
    let range = try #require(
      MediaTimeRange(from: MediaTime(cut.from, 100), to: MediaTime(cut.to, 100)))
    let container = try #require(OutputContainer(nameEnding: cut.ending))
    let output = folder.path(of: "cut." + cut.ending)
    let report = try Self.open(path).cut(
      CutRequest(range: range), to: Array(output.utf8), as: container)
    if let encoded = cut.encoded { #expect(report.plan.encodedFrames == encoded) }
    let written = try Self.open(output)
    let track = try #require(written.source.tracks.first)
    var starts = try track.coded.packets.map { try track.coded.time(atTick: $0.pts) }
    starts.sort()
    // Frames begin every 40 ms.
    let expected =
      [MediaTime.zero]
      + stride(from: cut.from / 4 * 4 + 4, to: cut.to, by: 4).map {
        MediaTime($0 - cut.from, 100)
      }
    #expect(starts.count == expected.count)
    let slack = container.isISO ? MediaDuration(1, 1_000_000) : MediaDuration(1, 500)
    for (start, wanted) in zip(starts, expected) {
      #expect(try start.distance(from: wanted).checkedMagnitude() <= slack)
    }
    if container.isISO {
      #expect(written.facts.durations.presented?.length == range.length)
      #expect(written.facts.durations.declared?.length == range.length)
    }
  }
}
