import ExactTime
import Testing
import Trimming

/// Frames of 1536 samples at 44.1 kHz, with a 90 kHz clock: each lasts 3134.69 ticks.
@Suite struct `Given audio packets whose times a demuxer counted in whole ticks` {
  private func track(_ times: [Int64]) -> CodedTrack {
    CodedTrack(
      index: 0, kind: .audio, codec: "ac3", grid: TickGrid(ticksPerSecond: 90_000), origin: .zero,
      visible: 0..<Int64.max / 4,
      packets: ContiguousArray(
        times.map {
          CodedPacket(pts: $0, dts: $0, duration: 3134, byteCount: 418, isKey: true)
        }))
  }

  private func steps(_ times: [Int64]) throws -> [Int64] {
    let counted = try #require(
      track(times).counted(
        samplesPerSecond: 44_100, lengths: Array(repeating: 1536, count: times.count)))
    return zip(counted.packets, counted.packets.dropFirst()).map { $1.pts - $0.pts }
  }

  @Test func `when five share one timestamp then each begins where the one before ends`() throws {
    let stated: [Int64] = [48232, 63905, 79578, 95252, 110925]
    let times = stated.flatMap { start in (0..<5).map { start + $0 * 3134 } }
    #expect(try steps(times).allSatisfy { $0 == 1536 })
  }

  @Test func `when one has the time of its neighbor then each gets its own`() throws {
    #expect(try steps([0, 3135, 3135, 9404, 12539]).allSatisfy { $0 == 1536 })
    #expect(try steps([0, 6269, 6269, 9404, 12539]).allSatisfy { $0 == 1536 })
  }

  @Test func `when one is missing then the ones after it begin at their stated times`() throws {
    #expect(try steps([0, 3134, 9404, 12538, 15672]) == [1536, 3072, 1536, 1536])
  }
}
