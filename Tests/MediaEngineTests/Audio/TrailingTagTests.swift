import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// Tags after the last frame, which FFmpeg takes for part of it.
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given audio with a tag after its last frame` {
  private static let plain = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)

  /// APEv2 items, with a header and a footer that state their size.
  private static let ape = ape("Title", 0, Array("name".utf8))

  private static func ape(_ key: String, _ flags: UInt8, _ value: [UInt8]) -> [UInt8] {
    func number(_ count: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    }
    let item = number(value.count) + [flags, 0, 0, 0] + Array(key.utf8) + [0] + value
    func edge(_ flags: UInt8) -> [UInt8] {
      Array("APETAGEX".utf8) + [0xD0, 7, 0, 0] + number(item.count + 32) + [1, 0, 0, 0]
        + [0, 0, 0, flags] + [UInt8](repeating: 0, count: 8)
    }
    return edge(0xA0) + item + edge(0x80)
  }

  private static let tails = [plain, ape, ape + plain, plain + ape]

  private func sound(_ ending: String, in folder: ScratchFolder) async throws -> [UInt8] {
    let path = folder.path(of: "whole." + ending)
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=d=2:r=44100", path,
    ])
    return try fileBytes(path)
  }

  @Test(arguments: ["flac", "ac3"], tails)
  func `then all of its frames are presented, and nothing is damaged`(
    _ ending: String, _ tail: [UInt8]
  ) async throws {
    let folder = try ScratchFolder()
    let whole = try await sound(ending, in: folder)
    let paths = [
      try folder.write(whole, to: "plain." + ending),
      try folder.write(whole + tail, to: "tagged." + ending),
    ]
    for depth in [RequestedDepth.packets, .frames] {
      let facts = try paths.map {
        try Prober().probe(.file(path: Array($0.utf8)), options: ProbeOptions(depth: depth))
      }
      #expect(facts[1].damage.isEmpty)
      #expect(facts[1].durations.presented == facts[0].durations.presented)
      #expect(facts[1].durations.decoded == facts[0].durations.decoded)
      #expect(facts[1].byteCount == Int64(whole.count + tail.count))
    }
  }

  /// Taggers put covers there; this one holds frames of the sound itself.
  @Test(arguments: ["mp3", "aac", "wv"], [false, true])
  func `when a picture in it contains sync words then it is not audio`(
    _ ending: String, _ isBeforePlain: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let whole = try await sound(ending, in: folder)
    let picture = Self.ape("Cover Art (Front)", 2, Array("cover.png\0".utf8) + whole.suffix(6000))
    let paths = [
      try folder.write(whole, to: "plain." + ending),
      try folder.write(
        whole + picture + (isBeforePlain ? Self.plain : []), to: "tagged." + ending),
    ]
    for depth in [RequestedDepth.packets, .frames] {
      let facts = try paths.map {
        try Prober().probe(.file(path: Array($0.utf8)), options: ProbeOptions(depth: depth))
      }
      #expect(facts[1].damage.isEmpty)
      #expect(facts[1].durations.presented == facts[0].durations.presented)
      #expect(facts[1].tracks.count { $0.kind == .audio } == 1)
    }
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(paths[1].utf8)))
      .cut(CutOrder(CutRequest(range: range), to: Array(folder.path(of: "cut.wav").utf8)))
    #expect(report.length <= MediaDuration(21, 20) && report.length >= MediaDuration(19, 20))
  }

  @Test func `when its end is cut then the cut is the same as without the tag`() async throws {
    let folder = try ScratchFolder()
    let whole = try await sound("flac", in: folder)
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    let cuts = try [whole, whole + Self.plain].enumerated().map { number, bytes in
      let path = try folder.write(bytes, to: "source\(number).flac")
      let output = folder.path(of: "cut\(number).flac")
      _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
        CutRequest(range: range, verification: .full), to: Array(output.utf8), as: .flac)
      return try fileBytes(output)
    }
    #expect(cuts[0] == cuts[1])
  }

  @Test func `then a frame truncated before the end is still damage`() async throws {
    let folder = try ScratchFolder()
    let whole = try await sound("flac", in: folder)
    let path = try folder.write(whole.dropLast(40) + Self.plain, to: "cut.flac")
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    #expect(facts.damage.map(\.kind) == [.truncated])
  }
}
