import ExactTime
import Support
import Testing
import Trimming

@testable import Bitstreams
@testable import Cutting

/// DVD-Video subtitles state their duration in their commands; their containers often do not.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given DVD subtitles` {
  private static func number(_ value: Int) -> [UInt8] {
    [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
  }

  /// Eight rows of a color, shown at once for a number of units of 1,024 ticks.
  private static func picture(units: Int?) -> [UInt8] {
    let pixels: [UInt8] = Array(repeating: [0, 1], count: 8).flatMap(\.self)
    let show: [UInt8] =
      [3, 0x32, 0x10, 4, 0xFF, 0xFF, 5, 0, 0xA0, 0x17, 0x01, 0x40, 0x1B, 6]
      + number(4) + number(4 + 8) + [1, 0xFF]
    let first = 4 + pixels.count
    let second = first + 4 + show.count
    var bytes = pixels + number(0) + number(units == nil ? first : second) + show
    if let units { bytes += number(units) + number(second) + [2, 0xFF] }
    if bytes.count % 2 == 1 { bytes.append(0xFF) }
    return number(4 + bytes.count) + number(first) + bytes
  }

  @Test(arguments: [0, 1, 88, 0xFFFF])
  func `then the time at which one is removed from the screen is known`(
    _ units: Int
  ) {
    #expect(
      SubPicture.end(of: Self.picture(units: units)) == MediaDuration(Int64(units) * 1024, 90_000))
  }

  @Test func `when that is not stated, or it is truncated, then it is not known`() {
    #expect(SubPicture.end(of: Self.picture(units: nil)) == nil)
    let whole = Self.picture(units: 88)
    for count in whole.indices { #expect(SubPicture.end(of: Array(whole[..<(count / 2)])) == nil) }
    #expect(SubPicture.end(of: [0, 8, 0, 4, 0, 0, 0, 4, 7, 0xFF]) == nil)
  }

  /// Shown from 1 s to 2 s, and from 3 s on; the Matroska file that FFmpeg makes states no durations.
  private static func clip(in folder: ScratchFolder) async throws -> String {
    var bytes: [UInt8] = []
    var index = "# VobSub index file, v7 (do not modify this line!)\nsize: 720x576\n"
    index += "palette: \(Array(repeating: "ffffff", count: 16).joined(separator: ", "))\n"
    index += "langidx: 0\nid: en, index: 0\n"
    for (second, units) in [(1, 88), (3, nil)] as [(Int64, Int?)] {
      index += "timestamp: 00:00:0\(second):000, filepos: "
      index += String(repeating: "0", count: 5) + (bytes.isEmpty ? "0000" : "0800") + "\n"
      let content = [0x20] + picture(units: units)
      let pts = second * 90_000
      let stamp: [UInt8] = [
        0x21 | UInt8(pts >> 29 & 0x0E), UInt8(pts >> 22 & 0xFF), UInt8(pts >> 14 & 0xFE) | 1,
        UInt8(pts >> 7 & 0xFF), UInt8(pts << 1 & 0xFE) | 1,
      ]
      var pack: [UInt8] = [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1, 1, 0x89, 0xC3, 0xF8]
      pack += [0, 0, 1, 0xBD] + number(8 + content.count) + [0x81, 0x80, 5] + stamp + content
      let rest = 2048 - pack.count - 6
      pack += [0, 0, 1, 0xBE] + number(rest) + Array(repeating: 0xFF, count: rest)
      bytes += pack
    }
    try folder.write(bytes, to: "a.sub")
    try folder.write(Array(index.utf8), to: "a.idx")
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", try await EncodedClip.named("H.264, open groups").make(in: folder), "-i",
      folder.path(of: "a.idx"), "-map", "0", "-map", "1", "-c", "copy", path,
    ])
    return path
  }

  /// 88 units are 1.0012 s; frames last 40 ms.
  @Test(
    arguments: [
      (40..<90, [0, 1400], [401, 600]), (30..<45, [0], [600]), (55..<70, [], []),
      (80..<95, [0], [600]),
    ] as [(Range<Int64>, [Int64], [Int64])])
  func `when one is on screen at IN then it is shown for what is left of it`(
    _ it: (part: Range<Int64>, starts: [Int64], lengths: [Int64])
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(in: folder)
    let output = folder.path(of: "cut.mkv")
    let range = try #require(
      MediaTimeRange(
        from: MediaTime(it.part.lowerBound, 25), to: MediaTime(it.part.upperBound, 25)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let track = try #require(written.source.tracks.first { $0.facts.codec == "dvd_subtitle" })
    #expect(track.coded.packets.map(\.pts) == it.starts)
    #expect(zip(track.coded.packets.map(\.duration), it.lengths).allSatisfy { abs($0 - $1) <= 2 })
  }
}
