import ExactTime
import MediaFacts
import Testing
import Trimming

/// Sound in packets of 1024 samples at 48 kHz.
private func sound(_ count: Int, origin: MediaTime = .zero) -> CodedTrack {
  CodedTrack(
    index: 0, kind: .audio, codec: "aac", grid: TickGrid(ticksPerSecond: 48_000), origin: origin,
    visible: Int64.min / 4..<Int64.max / 4,
    packets: ContiguousArray(
      (0..<count).map {
        CodedPacket(
          pts: Int64($0) * 1024, dts: Int64($0) * 1024, duration: 1024, byteCount: 300, isKey: true)
      }))
}

@Suite struct `Given sound whose container hides samples` {
  @Test func `then the ends are exact and one packet more lets the decoder begin`() throws {
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    let cut = try AudioPlanner(sound(200), preroll: 1, precision: .sample).cut(range)
    // 48,000 lies in packet 46, which begins at 47,104.
    #expect(cut.copied.lowerBound == 45)
    #expect(cut.hiddenStart == 48_000 - 45 * 1024)
    #expect(cut.start == .zero)
    #expect(cut.length == MediaDuration(1))
    #expect(cut.hiddenEnd == 94 * 1024 - 96_000)
  }

  @Test func `then sound that begins later than IN begins later in the output`() throws {
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    let cut = try AudioPlanner(
      sound(200, origin: MediaTime(2)), preroll: 1, precision: .sample
    ).cut(range)
    #expect(cut.start == MediaTime(1))
    #expect(cut.length == MediaDuration(1))
    #expect(cut.hiddenStart == 0)
  }

  @Test func `then sound that ends before OUT is as long as it is`() throws {
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(100)))
    let cut = try AudioPlanner(sound(94), preroll: 1, precision: .sample).cut(range)
    #expect(cut.length == MediaDuration(94 * 1024 - 48_000, 48_000))
    #expect(cut.hiddenEnd == 0)
  }

  @Test func `then there is nothing where the range lies behind it`() throws {
    let range = try #require(MediaTimeRange(from: MediaTime(50), to: MediaTime(60)))
    let cut = try AudioPlanner(sound(94), preroll: 1, precision: .sample).cut(range)
    #expect(cut.copied.isEmpty)
  }
}

@Suite struct `Given sound whose container has whole packets only` {
  @Test func `then the packets that begin in the range are taken, and their length is told`() throws
  {
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    let cut = try AudioPlanner(sound(200), preroll: 1, precision: .packet).cut(range)
    #expect(cut.copied == 47..<94)
    #expect(cut.hiddenStart == 0)
    #expect(cut.start == MediaTime(47 * 1024 - 48_000, 48_000))
    #expect(cut.length == MediaDuration(47 * 1024, 48_000))
  }
}
