import Testing

@testable import Cutting

@Suite struct `Given frames of which one stands for long` {
  /// Packets of frames that are shown at these times, in the order in which they are decoded.
  private static func packets(_ times: [Int64]) -> ContiguousArray<OutputPacket> {
    ContiguousArray(
      times.map {
        OutputPacket(
          pts: $0, dts: 0, duration: 1, isKey: false, byteCount: 0, payload: .source(place: 0),
          place: 0)
      })
  }

  /// A key frame, then groups of one that refers forward and two before it.
  private static func reordered(_ shown: [Int64]) -> [Int64] {
    var result = [shown[0]]
    for place in stride(from: 1, to: shown.count - 2, by: 3) {
      result += [shown[place + 2], shown[place], shown[place + 1]]
    }
    return result
  }

  @Test func `then the others are decoded a few frames before they are shown`() {
    // Ten ticks a frame; the one in the middle stands for 500.
    let shown = (0..<31).map { Int64($0) * 10 + ($0 > 16 ? 490 : 0) }
    var packets = Self.packets(Self.reordered(shown))
    packets.stampDecoding(delay: 0, pace: nil)
    #expect(packets.allSatisfy { $0.dts <= $0.pts })
    #expect(zip(packets, packets.dropFirst()).allSatisfy { $0.dts < $1.dts })
    let early = packets.prefix(10).map { $0.pts - $0.dts }
    #expect(early.allSatisfy { $0 < 80 }, "\(early)")
  }

  @Test func `then even frames are decoded evenly`() {
    let shown = (0..<31).map { Int64($0) * 10 }
    var packets = Self.packets(Self.reordered(shown))
    packets.stampDecoding(delay: 0, pace: nil)
    #expect(packets.map(\.dts) == shown.map { $0 - 10 })
  }
}
