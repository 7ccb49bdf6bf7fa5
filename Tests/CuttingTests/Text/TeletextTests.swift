import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

/// Teletext is pages of characters that a receiver collects: each packet has its own time, and none
/// depends on a keyframe.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given teletext` {
  /// EBU teletext subtitle data units (ETSI EN 300 472, 4.4).
  private static func units(_ number: UInt8) -> [UInt8] {
    var bytes: [UInt8] = [0x10]
    for line: UInt8 in 0xE7...0xE9 {
      bytes += [0x03, 0x2C, line, 0xE4] + [UInt8](repeating: number, count: 42)
    }
    return bytes
  }

  private static func clip(in folder: ScratchFolder, at times: [Int]) async throws -> String {
    try await TransportClip.make(
      in: folder, .teletext, times.enumerated().map { (units(UInt8($0)), $1) })
  }

  private static func cut(_ path: String, to output: String) throws -> OpenedFile {
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
  }

  /// FFmpeg's reader would move packets that are unexpectedly far from the clock reference.
  @Test func `then what begins in the range is kept, each at its time`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(in: folder, at: [200, 1000, 1480, 2960, 3000])
    let written = try Self.cut(path, to: folder.path(of: "cut.ts"))
    let track = try #require(written.source.tracks.first { $0.facts.kind == .subtitle })
    #expect(track.facts.codec == "dvb_teletext" && track.facts.language == "deu")
    let places = track.coded.packets.indices
    try written.source.prepare([1: [places]])
    #expect(try places.map { try written.source.bytes(ofTrack: 1, $0)[5] } == [1, 2, 3])
    let starts = try places.map { try track.coded.time(atTick: track.coded.packets[$0].pts) }
    #expect(starts == [MediaTime(0), MediaTime(12, 25), MediaTime(49, 25)])
  }

  /// Only their timestamps order them.
  @Test func `when times go back then the packets are put in order`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(in: folder, at: [1480, 1200, 2960])
    let written = try Self.cut(path, to: folder.path(of: "cut.ts"))
    let places = written.source.tracks[1].coded.packets.indices
    try written.source.prepare([1: [places]])
    #expect(try places.map { try written.source.bytes(ofTrack: 1, $0)[5] } == [1, 0, 2])
  }
}
