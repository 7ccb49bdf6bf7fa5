import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// Fragments and screen recorders leave the last sample's duration at 0; the headers show whether
/// it has one.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given an MP4 whose last frame has a duration of 0` {
  /// Two seconds at 25 frames a second.
  ///
  /// - Parameter counts: whether the headers count the last frame anyway.
  private func clip(counts: Bool, in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "whole.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=2", "-c:v", "libx264", "-bf",
      "0", "-g", "25", "-video_track_timescale", "25000", "-movie_timescale", "1000", path,
    ])
    var bytes = try fileBytes(path)
    func number(_ value: Int) -> [UInt8] {
      (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    // stts (ISO 14496-12, 8.6.1.2): one run of 50 becomes one of 49 and one of 1, overwriting what follows.
    let table = try #require(bytes.firstRange(of: Array("stts".utf8))).upperBound
    try #require(Array(bytes[table + 4..<table + 16]) == number(1) + number(50) + number(1000))
    bytes.replaceSubrange(
      table + 4..<table + 16, with: number(2) + number(49) + number(1000) + number(1) + number(0))
    bytes.replaceSubrange(table - 8..<table - 4, with: number(32))
    for box in ["stbl", "minf", "mdia", "trak", "moov"] {
      let place = try #require(bytes.firstRange(of: Array(box.utf8))).lowerBound - 4
      let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      bytes.replaceSubrange(place..<place + 4, with: number(size + 8))
    }
    if !counts {
      for (box, offset) in [("mvhd", 16), ("tkhd", 20), ("mdhd", 16), ("elst", 8)] {
        let place = try #require(bytes.firstRange(of: Array(box.utf8))).upperBound + offset
        let stated = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        bytes.replaceSubrange(place..<place + 4, with: number(stated * 49 / 50))
      }
    }
    return try folder.write(bytes, to: "clip.mp4")
  }

  @Test(arguments: ["mp4", "mkv"], [true, false])
  func `when it is cut beyond its end then the cut ends where a probe reports the end`(
    _ ending: String, _ counts: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await clip(counts: counts, in: folder)
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    let end = try #require(facts.durations.presented?.length)
    #expect(end == (counts ? MediaDuration(2) : MediaDuration(49, 25)))
    let output = folder.path(of: "cut." + ending)
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(
        CutRequest(
          range: try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3))),
          verification: .full), to: Array(output.utf8)))
    #expect(report.plan.frames == (counts ? 25 : 24))
    let written = try Prober().probe(.file(path: Array(output.utf8)))
    #expect(written.durations.presented?.length == (try end.subtracting(MediaDuration(1))))
  }
}
