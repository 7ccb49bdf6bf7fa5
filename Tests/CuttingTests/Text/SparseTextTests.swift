import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

/// Subtitles are sparse: a part may have none, or begin between two, or within one.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given sparse subtitles` {
  /// Each text with its start and end in tenths of seconds, with pictures of 4 s.
  private static func clip(
    _ texts: [(text: String, times: Range<Int>)], in folder: ScratchFolder
  ) async throws -> String {
    func clock(_ tenths: Int) -> String { "00:00:0\(tenths / 10),\(tenths % 10)00" }
    let lines = texts.enumerated().map { number, text in
      "\(number + 1)\n\(clock(text.times.lowerBound)) --> \(clock(text.times.upperBound))\n"
        + text.text + "\n\n"
    }
    try folder.write(Array(lines.joined().utf8), to: "a.srt")
    let path = folder.path(of: "titled.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", try await EncodedClip.named("H.264, open groups").make(in: folder), "-i",
      folder.path(of: "a.srt"), "-map", "0", "-map", "1", "-c:v", "copy", "-c:s", "mov_text", path,
    ])
    return path
  }

  /// Which texts are shown, and when, in frames of 40 ms.
  struct Shown: Equatable, Sendable {
    var text: String
    var frames: Range<Int64>
  }

  private static func cut(
    _ path: String, to output: String, _ parts: [Range<Int64>]
  ) throws -> [Shown] {
    let ranges = try parts.map {
      try #require(
        MediaTimeRange(from: MediaTime($0.lowerBound, 25), to: MediaTime($0.upperBound, 25)))
    }
    var request = CutRequest(range: ranges[0], verification: .full)
    for range in ranges.dropFirst() { request.join(range) }
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    return try shown(output)
  }

  private static func shown(_ path: String) throws -> [Shown] {
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    guard clip.source.tracks.count > 1 else { return [] }
    let track = clip.source.tracks[1].coded
    try clip.source.prepare([1: [track.packets.indices]])
    return try track.packets.indices.compactMap { place in
      let packet = track.packets[place]
      let text = String(
        decoding: try clip.source.bytes(ofTrack: 1, place).dropFirst(2), as: UTF8.self)
      guard !text.isEmpty else { return nil }
      let times = try [packet.pts, packet.pts + packet.duration].map {
        try TickGrid(ticksPerSecond: 25).tick(of: try track.time(atTick: $0), rounding: .nearest)
      }
      return Shown(text: text, frames: times[0]..<times[1])
    }
  }

  @Test func `when earlier parts have none then they begin with the first that has some`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await Self.clip([("a", 10..<20), ("b", 36..<38)], in: folder)
    let shown = try Self.cut(
      path, to: folder.path(of: "cut.mp4"), [0..<10, 30..<40, 60..<70, 85..<95])
    #expect(shown == [Shown(text: "a", frames: 10..<20), Shown(text: "b", frames: 35..<40)])
  }

  /// OUT is after the end of the pictures.
  @Test(
    arguments: [
      (45..<55, []), (36..<55, [Shown(text: "a", frames: 10..<20)]),
      (30..<55, [Shown(text: "a", frames: 0..<20)]),
    ] as [(Range<Int>, [Shown])])
  func `when they go on after the end of the video then they end with it`(
    _ times: Range<Int>, _ expected: [Shown]
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip([("a", times)], in: folder)
    let shown = try Self.cut(path, to: folder.path(of: "cut.mp4"), [80..<160])
    #expect(shown == expected)
  }
}
