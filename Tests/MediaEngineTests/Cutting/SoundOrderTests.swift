import ExactTime
import Testing
import Trimming

@testable import Cutting

@Suite struct `Given packets of sound of which one is stated far behind the next` {
  private func packets(_ times: [(pts: Int64, dts: Int64)]) -> ContiguousArray<CodedPacket> {
    ContiguousArray(
      times.map {
        CodedPacket(pts: $0.pts, dts: $0.dts, duration: 21, byteCount: 300, isKey: true)
      })
  }

  @Test func `then it is heard when it is decoded`() {
    var packets = packets([(2000, 2000), (2021, 2021), (2240, 2064), (2085, 2085)])
    packets.hearInOrder()
    #expect(packets.map(\.pts) == [2000, 2021, 2064, 2085])
  }

  @Test func `while the clock that is set back in both is left as it is`() {
    var packets = packets([(2000, 2000), (2240, 2240), (2085, 2085)])
    packets.hearInOrder()
    #expect(packets.map(\.pts) == [2000, 2240, 2085])
  }

  @Test func `while packets in order stay where they are`() {
    var packets = packets([(2010, 2000), (2031, 2021), (2052, 2042)])
    packets.hearInOrder()
    #expect(packets.map(\.pts) == [2010, 2031, 2052])
  }

  @Test func `and a last one that does not say how long it is lasts until the track ends`() {
    var packets = packets([(0, 0), (1950, 1950)])
    packets[1].duration = 0
    packets.end(at: MediaTime(3684, 1000), TickGrid(ticksPerSecond: 1000))
    #expect(packets.map(\.duration) == [21, 1734])
  }
}
