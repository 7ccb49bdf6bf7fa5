import ExactTime
import MediaFacts
import Testing
import Trimming

@testable import Cutting

@Suite struct `Given audio packets, one of which is stamped far after the next` {
  private func packets(_ times: [(pts: Int64, dts: Int64)]) -> ContiguousArray<CodedPacket> {
    ContiguousArray(
      times.map {
        CodedPacket(pts: $0.pts, dts: $0.dts, duration: 21, byteCount: 300, isKey: true)
      })
  }

  @Test func `then it is presented at its DTS`() {
    var packets = packets([(2000, 2000), (2021, 2021), (2240, 2064), (2085, 2085)])
    packets.hearInOrder()
    #expect(packets.map(\.pts) == [2000, 2021, 2064, 2085])
  }

  @Test func `then a clock reset in both PTS and DTS is left unchanged`() {
    var packets = packets([(2000, 2000), (2240, 2240), (2085, 2085)])
    packets.hearInOrder()
    #expect(packets.map(\.pts) == [2000, 2240, 2085])
  }

  @Test func `then packets in order are left unchanged`() {
    var packets = packets([(2010, 2000), (2031, 2021), (2052, 2042)])
    packets.hearInOrder()
    #expect(packets.map(\.pts) == [2010, 2031, 2052])
  }

  @Test func `then a last one without a duration lasts until the track ends`() {
    var packets = packets([(0, 0), (1950, 1950)])
    packets[1].duration = 0
    packets.endLast(at: 3684)
    #expect(packets.map(\.duration) == [21, 1734])
  }
}

@Suite struct `Given audio packets whose durations do not add up to their times` {
  private func packets(
    _ times: [(pts: Int64, duration: Int64)]
  ) -> ContiguousArray<CodedPacket> {
    ContiguousArray(
      times.map {
        CodedPacket(pts: $0.pts, dts: $0.pts, duration: $0.duration, byteCount: 300, isKey: true)
      })
  }

  @Test func `then each lasts until the next begins`() {
    var packets = packets([(0, 1024), (1024, 0), (2048, 1024), (4096, 1024), (5100, 1024)])
    packets.hearInTurn()
    #expect(packets.map(\.pts) == [0, 1024, 2048, 4096, 5100])
    #expect(packets.map(\.duration) == [1024, 1024, 2048, 1004, 1024])
  }

  @Test func `then of two at the same time the second begins where the first ends`() {
    var packets = packets([(0, 1024), (1024, 1024), (1024, 1024), (3072, 1024)])
    packets.hearInTurn()
    #expect(packets.map(\.pts) == [0, 1024, 2048, 3072])
    #expect(packets.map(\.dts) == packets.map(\.pts))
    #expect(packets.map(\.duration) == [1024, 1024, 1024, 1024])
  }

  /// Like FFmpeg 8 writes fragments of one frame each.
  @Test func `then one without a duration fills the gap before the next`() {
    var packets = packets([(0, 1024), (2048, 0), (2048, 1024), (4096, 0), (4096, 1024)])
    packets.hearInTurn()
    #expect(packets.map(\.pts) == [0, 1024, 2048, 3072, 4096])
    #expect(packets.map(\.dts) == packets.map(\.pts))
    #expect(packets.allSatisfy { $0.duration == 1024 })
  }

  private func track(
    _ times: [(pts: Int64, duration: Int64)]
  ) -> (coded: CodedTrack, facts: TrackFacts) {
    var facts = TrackFacts(id: 1, index: 0, kind: .audio, codec: "aac")
    facts.audio = AudioFacts(sampleRate: 48_000)
    let coded = CodedTrack(
      index: 0, kind: .audio, codec: "aac", grid: TickGrid(ticksPerSecond: 10_000_000),
      origin: .zero, visible: 213_333..<Int64.max / 4, packets: packets(times))
    return (coded, facts)
  }

  @Test func `then all have the same duration when counted in samples`() throws {
    let (coded, facts) = track([
      (0, 213_333), (213_333, 213_334), (426_667, 213_333), (640_000, 213_333),
    ])
    let counted = try #require(ISOCutSource.countedInSamples(coded, facts))
    #expect(counted.grid == TickGrid(ticksPerSecond: 48_000))
    #expect(counted.visible == 1024..<Int64.max / 4)
    #expect(counted.packets.map(\.pts) == [0, 1024, 2048, 3072])
    #expect(counted.packets.map(\.duration) == [1024, 1024, 1024, 1024])
  }

  @Test func `when a packet lasts longer than any can decode to then samples are not counted`() {
    let (coded, facts) = track([(0, 10_000_000), (10_000_000, 20_000_000)])
    #expect(ISOCutSource.countedInSamples(coded, facts) == nil)
  }
}
