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

/// Windows Media Audio 2 at 44.1 kHz in ASF, which counts milliseconds, with eight frames per
/// packet.
@Suite struct `Given audio whose packets hold several frames, the first of which is not heard` {
  private let track = CodedTrack(
    index: 0, kind: .audio, codec: "wmav2", grid: TickGrid(ticksPerSecond: 1000), origin: .zero,
    visible: Int64.min / 4..<Int64.max / 4,
    packets: ContiguousArray(
      (0..<10).map {
        CodedPacket(pts: $0 * 371, dts: $0 * 371, duration: 371, byteCount: 4459, isKey: true)
      }))

  @Test(arguments: [1, 3])
  func `when it is cut then only the first frame is counted as not heard`(
    _ packets: Int
  ) throws {
    let range = try #require(
      MediaTimeRange(from: MediaTime(742, 1000), to: MediaTime(Int64(742 + packets * 371), 1000)))
    var cut = try AudioPlanner(track, preroll: 0, precision: .packet).cut(range)
    try cut.muteFirstPacket(track, frame: MediaDuration(2048, 44_100))
    #expect(cut.copied == 2..<2 + packets)
    #expect(cut.hiddenStart == 46)
    #expect(cut.start == MediaTime(46, 1000))
    #expect(cut.length == MediaDuration(Int64(packets * 371 - 46), 1000))
  }
}

@Suite struct `Given audio whose container hides samples` {
  @Test func `then the boundaries are exact, and one extra packet primes the decoder`() throws {
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    let cut = try AudioPlanner(sound(200), preroll: 1, precision: .sample).cut(range)
    // Sample 48,000 is in packet 46, which begins at 47,104.
    #expect(cut.copied.lowerBound == 45)
    #expect(cut.hiddenStart == 48_000 - 45 * 1024)
    #expect(cut.start == .zero)
    #expect(cut.length == MediaDuration(1))
    #expect(cut.hiddenEnd == 94 * 1024 - 96_000)
  }

  @Test func `then audio that begins later than IN begins later in the output`() throws {
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    let cut = try AudioPlanner(
      sound(200, origin: MediaTime(2)), preroll: 1, precision: .sample
    ).cut(range)
    #expect(cut.start == MediaTime(1))
    #expect(cut.length == MediaDuration(1))
    #expect(cut.hiddenStart == 0)
  }

  @Test func `then audio that ends before OUT keeps its length`() throws {
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(100)))
    let cut = try AudioPlanner(sound(94), preroll: 1, precision: .sample).cut(range)
    #expect(cut.length == MediaDuration(94 * 1024 - 48_000, 48_000))
    #expect(cut.hiddenEnd == 0)
  }

  @Test func `then nothing is cut if the range is after it`() throws {
    let range = try #require(MediaTimeRange(from: MediaTime(50), to: MediaTime(60)))
    let cut = try AudioPlanner(sound(94), preroll: 1, precision: .sample).cut(range)
    #expect(cut.copied.isEmpty)
  }
}

@Suite struct `Given audio whose container has only whole packets` {
  @Test func `then the packets that begin in the range are used, and their length is reported`()
    throws
  {
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    let cut = try AudioPlanner(sound(200), preroll: 1, precision: .packet).cut(range)
    #expect(cut.copied == 47..<94)
    #expect(cut.hiddenStart == 0)
    #expect(cut.start == MediaTime(47 * 1024 - 48_000, 48_000))
    #expect(cut.length == MediaDuration(47 * 1024, 48_000))
  }
}

/// libfaac writes its name in its priming packet, which no edit hides.
@Suite struct `Given audio in MP4 that is heard from its second packet on` {
  @Test(arguments: [(1024, true), (1025, false)] as [(Int64, Bool)])
  func `when a range ends before that then none of its audio is cut`(
    _ end: Int64, _ isDropped: Bool
  ) throws {
    var facts = DrawnSource(DrawnClip("I0 P1 P2 P3")).facts
    facts.tracks[1].heardFrom = MediaTime(1024, 48_000)
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(end, 48_000)))
    let plan = try CutPlanner([facts], OutputContainer.mp4.rules, CutRequest(range: range)).plan()
    let sound = try #require(plan.tracks.first { $0.kind == .audio })
    #expect((sound.dropped != nil) == isDropped)
  }
}
