import ExactTime
import Foundation
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@testable import Bitstreams
@testable import Cutting

/// Re-encoded pictures are compared with the source's, as an independent decoder shows them.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given pictures that were coded with a known quantiser` {
  struct Clip: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var ending: String
    var encoder: [String]
    var quantiser: Int
    /// The option that sets it.
    var option = "-q:v"
  }

  static let clips = [
    Clip(testDescription: "H.263, fine", ending: "3gp", encoder: ["h263"], quantiser: 3),
    Clip(testDescription: "H.263, coarse", ending: "3gp", encoder: ["h263"], quantiser: 8),
    Clip(testDescription: "MPEG-4", ending: "mp4", encoder: ["mpeg4"], quantiser: 4),
    Clip(testDescription: "Sorenson's", ending: "flv", encoder: ["flv1"], quantiser: 4),
    Clip(
      testDescription: "H.264", ending: "mp4", encoder: ["libx264", "-preset", "fast"],
      quantiser: 26, option: "-qp"),
  ]

  private static let size = (width: 128, height: 96)
  private static var pixels: Int { size.width * size.height }

  /// Luma.
  private func pictures(
    _ path: String, _ count: Int = Self.pixels
  ) async throws -> [ArraySlice<UInt8>] {
    let run = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-pix_fmt", "gray",
      "-f", "rawvideo", "-",
    ])
    return stride(from: 0, to: run.out.count - count + 1, by: count).map {
      run.out[$0..<$0 + count]
    }
  }

  /// The mean squared error of the worst picture.
  private func error(
    _ pictures: some Collection<ArraySlice<UInt8>>, _ others: some Collection<ArraySlice<UInt8>>
  ) -> Double {
    var worst = 0.0
    for (one, other) in zip(pictures, others) {
      var sum = 0
      for (value, same) in zip(one, other) {
        let difference = Int(value) - Int(same)
        sum += difference * difference
      }
      worst = max(worst, Double(sum) / Double(one.count))
    }
    return worst
  }

  private func decibels(_ error: Double) -> Double { 10 * log10(255 * 255 / max(error, 1e-9)) }

  @Test(arguments: clips)
  func `then no picture of an edge is worse than that quantiser makes it`(
    _ clip: Clip
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip." + clip.ending)
    let quality = ["-g", "12", "-bf", "0", clip.option, "\(clip.quantiser)"]
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i",
        "testsrc2=size=\(Self.size.width)x\(Self.size.height):rate=25:duration=1", "-vf",
        "noise=alls=10:allf=t:all_seed=3", "-pix_fmt", "yuv420p", "-c:v",
      ] + clip.encoder + quality + [path])
    // The same pictures, encoded again with the same quantiser.
    let again = folder.path(of: "again." + clip.ending)
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-ss", "0.16", "-i", path, "-c:v"] + clip.encoder + quality + [again])
    let output = folder.path(of: "cut." + clip.ending)
    let opened = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let starts = try #require(opened.frameStarts)
    let range = try #require(
      MediaTimeRange(from: starts.start(ofFrame: 4), to: starts.start(ofFrame: 20)))
    let report = try opened.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let made = try #require(report.plan.tracks.first?.encodedHead)
    try #require(made == 8)
    let (all, cut, other) = (
      try await pictures(path), try await pictures(output), try await pictures(again)
    )
    try #require(cut.count == 16 && other.count >= 8)
    let edge = decibels(error(cut.prefix(made), all[4...]))
    let own = decibels(error(other.prefix(made), all[4...]))
    // The quality of H.264 follows from the source's size instead.
    let least = clip.option == "-qp" ? 0.0 : 38
    #expect(edge > own - 0.5 && edge > least, "\(edge) dB, and \(own) dB by the source's quantiser")
    let source = opened.source.tracks[0].coded.packets[5..<12].reduce(0) { $0 + $1.byteCount }
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let bytes = written.source.tracks[0].coded.packets[1..<8].reduce(0) { $0 + $1.byteCount }
    #expect(bytes > source / 2 && bytes < source * 8, "\(bytes) bytes instead of \(source)")
  }

  @Test(.enabled(if: Cases.folder != nil, Comment(rawValue: Cases.absence)))
  func `then the edge of the reported clip is as fine as the source`() async throws {
    let folder = try ScratchFolder()
    let path = Cases.path("real/androidx+media/bbb_176x144_128kbps_15fps_h263.3gp")
    let output = folder.path(of: "cut.3gp")
    let opened = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1, 5), to: MediaTime(7, 10)))
    let report = try opened.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let made = try #require(report.plan.tracks.first?.encodedHead)
    try #require(made == 5)
    let (all, cut) = (
      try await pictures(path, 176 * 144), try await pictures(output, 176 * 144)
    )
    // The picture on screen at IN is the fourth.
    let edge = decibels(error(cut.prefix(made), all[3...]))
    #expect(edge > 40, "\(edge) dB")
    let source = opened.source.tracks[0].coded.packets[4..<8].reduce(0) { $0 + $1.byteCount }
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let bytes = written.source.tracks[0].coded.packets[1..<made].reduce(0) { $0 + $1.byteCount }
    #expect(bytes > source / 2 && bytes < source * 2, "\(bytes) bytes instead of \(source)")
  }
}
