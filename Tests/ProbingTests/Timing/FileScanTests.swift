import ExactTime
import Testing

@testable import Probing

/// Streams 0 and 1 of a transport stream, a packet every tenth of a second, 9,000 ticks.
private struct Multiplex {
  var scan = FileScan()

  init() {
    for stream in 0...1 {
      scan.follow(
        stream,
        as: StreamScan(
          isVideo: true, grid: TickGrid(ticksPerSecond: 90_000), sampleRate: nil, mayJump: true))
    }
  }

  /// Adds `seconds` of the streams, interleaved, from these times on.
  mutating func add(_ seconds: Int64, _ starts: [Int: Int64]) {
    for step in 0..<seconds * 10 {
      for (stream, start) in starts.sorted(by: { $0.key < $1.key }) {
        let tick = start * 90_000 + step * 9_000
        scan.add(PacketStamp(pts: tick, dts: tick, duration: 9_000), to: stream)
      }
    }
  }

  var length: MediaDuration? {
    let stretches = scan.stretches()
    return FileRange(
      [0, 1].compactMap { scan.presented($0, as: $0, stretches: stretches) })?.length
  }
}

@Suite struct `Given the streams of a file whose clocks may jump` {
  @Test func `when both are reset then two stretches are shown one after another`() {
    var clip = Multiplex()
    clip.add(4, [0: 0, 1: 0])
    clip.add(3, [0: 100, 1: 100])
    #expect(clip.scan.stretches() == [0: [0, 1], 1: [0, 1]])
    #expect(clip.length == MediaDuration(7))
  }

  @Test func `when a file is appended to itself then both clocks go back together`() {
    var clip = Multiplex()
    for _ in 0..<3 { clip.add(4, [0: 1, 1: 1]) }
    #expect(clip.scan.stretches() == [0: [0, 1, 2], 1: [0, 1, 2]])
    #expect(clip.length == MediaDuration(12))
  }

  // stream 0  |0 … 5|              |25 … 30|
  // stream 1  |0 ………………………………………… 30|
  @Test func `when one pauses while the other goes on then it is one stretch`() {
    var clip = Multiplex()
    clip.add(5, [0: 0, 1: 0])
    clip.add(20, [1: 5])
    clip.add(5, [0: 25, 1: 25])
    #expect(clip.scan.stretches() == [0: [0, 0], 1: [0]])
    #expect(clip.length == MediaDuration(30))
  }

  @Test func `when one comes back only for the last moment then it is still a pause`() {
    var clip = Multiplex()
    clip.add(5, [0: 0, 1: 0])
    clip.add(20, [1: 5])
    clip.scan.add(PacketStamp(pts: 25 * 90_000, dts: 25 * 90_000, duration: 9_000), to: 0)
    #expect(clip.scan.stretches()[0] == [0, 0])
    #expect(clip.length == MediaDuration(251, 10))
  }

  // stream 0  |0 … 10| then |0 … 10|, stream 1  |0 ……………… 20|
  @Test func `when one goes back while the other continues then the other's clock is the file's`() {
    var clip = Multiplex()
    clip.add(10, [0: 0, 1: 0])
    clip.add(10, [0: 0, 1: 10])
    #expect(clip.scan.stretches() == [0: [0, 0], 1: [0]])
    #expect(clip.length == MediaDuration(20))
  }

  // clip 1  stream 0 |1 … 5|            clip 2  stream 0 |1 … 11|
  //                                             stream 1 |1 … 12|
  @Test func `when a stream is only in the second clip then it belongs to the second stretch`() {
    var clip = Multiplex()
    clip.add(4, [0: 1])
    clip.add(10, [0: 1, 1: 1])
    clip.add(1, [1: 11])
    #expect(clip.scan.stretches() == [0: [0, 1], 1: [1]])
    #expect(clip.length == MediaDuration(4 + 11))
  }

  @Test func `when a stream is only in the first clip then it belongs to the first stretch`() {
    var clip = Multiplex()
    clip.add(10, [0: 1, 1: 1])
    clip.add(4, [0: 1])
    #expect(clip.scan.stretches() == [0: [0, 1], 1: [0]])
    #expect(clip.length == MediaDuration(14))
  }

  @Test func `when a stream is missing from the second of three clips then it joins the third`() {
    var clip = Multiplex()
    clip.add(4, [0: 0, 1: 0])
    clip.add(4, [0: 100])
    clip.add(4, [0: 200, 1: 200])
    #expect(clip.scan.stretches() == [0: [0, 1, 2], 1: [0, 2]])
    #expect(clip.length == MediaDuration(12))
  }

  @Test func `when both jump and the clock goes on then it is a pause, and counts`() {
    var clip = Multiplex()
    clip.add(4, [0: 0, 1: 0])
    clip.add(3, [0: 24, 1: 24])
    clip.scan.joinPauses { _ in true }
    #expect(clip.scan.stretches() == [0: [0], 1: [0]])
    #expect(clip.scan[0]?.pauses == [StreamPause(from: 351_000, to: 24 * 90_000)])
    #expect(clip.length == MediaDuration(27))
  }

  @Test func `when they jump too far for a pause then it is another clock`() {
    var clip = Multiplex()
    clip.add(4, [0: 0, 1: 0])
    clip.add(3, [0: 604, 1: 604])
    clip.scan.joinPauses { _ in true }
    #expect(clip.length == MediaDuration(7))
  }

  @Test func `when the clock is set back later then the pause is still one`() {
    var clip = Multiplex()
    clip.add(4, [0: 100, 1: 100])
    clip.add(3, [0: 124, 1: 124])
    clip.add(2, [0: 0, 1: 0])
    clip.scan.joinPauses { _ in true }
    #expect(clip.scan.stretches() == [0: [0, 1], 1: [0, 1]])
    #expect(clip.length == MediaDuration(27 + 2))
  }

  /// A damaged timestamp.
  @Test func `when the next step reverts a jump then it is not a jump`() {
    var clip = Multiplex()
    clip.add(4, [0: 0])
    clip.scan.add(PacketStamp(pts: 9_000_000, dts: 9_000_000, duration: 9_000), to: 0)
    clip.add(4, [0: 4])
    clip.scan.joinPauses { _ in true }
    #expect(clip.length == MediaDuration(81, 10))
  }

  @Test func `when only one stream jumps then nothing contradicts it`() {
    var clip = Multiplex()
    clip.add(4, [0: 0])
    clip.add(4, [0: 100])
    #expect(clip.length == MediaDuration(8))
  }

  @Test func `when a packet belongs to no stream that is tracked then it is skipped`() {
    var clip = Multiplex()
    clip.scan.add(PacketStamp(pts: 0, dts: 0, duration: 1), to: 9)
    #expect(clip.scan.stretches().isEmpty)
    #expect(clip.length == nil)
  }
}
