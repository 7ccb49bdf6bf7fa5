import ExactTime
import Testing
import Trimming

@testable import Cutting

@Suite struct `Given frames, one of which stays on screen for a long time` {
  /// Ten ticks a frame; the one in the middle lasts 500.
  private static let shown = (0..<31).map { Int64($0) * 10 + ($0 > 16 ? 490 : 0) }

  @Test func `then the others are decoded a few frames before they are shown`() {
    let packets = Pictures.stamped(Self.shown)
    #expect(packets.allSatisfy { $0.dts <= $0.pts })
    #expect(zip(packets, packets.dropFirst()).allSatisfy { $0.dts < $1.dts })
    let early = packets.prefix(10).map { $0.pts - $0.dts }
    #expect(early.allSatisfy { $0 < 80 }, "\(early)")
  }

  @Test func `then decoding spans as long as display`() {
    let packets = Pictures.stamped(Self.shown + [850, 890])
    #expect(packets[packets.count - 1].dts - packets[0].dts == 890)
  }

  @Test func `then evenly spaced frames are decoded evenly`() {
    let shown = (0..<31).map { Int64($0) * 10 }
    #expect(Pictures.stamped(shown).map(\.dts) == shown.map { $0 - 10 })
  }
}

@Suite struct `Given frames with an unusual mean rate` {
  /// The mean frame duration, as GStreamer computes it.
  private func mean(_ track: OutputTrack, lastLength: Int64) -> Rational {
    let length = track.packets[track.packets.count - 1].dts + lastLength - track.packets[1].dts
    return Rational(length, 90_000 * Int64(track.packets.count - 1))
  }

  @Test func `then the first two are decoded early enough for a usual rate`() throws {
    let shown = (0..<101).map { place -> Int64 in place * 2450 + (place > 50 ? 20_880 : 0) }
    let track = try Pictures.track(shown, ticksPerSecond: 90_000)
    let steady = track.withUsualMeanRate(lastLength: 2450)
    // 33.85 pictures a second become 33 3/4: a multiple of a quarter, within 0.1 %.
    #expect(mean(track, lastLength: 2450) < Rational(4 * 999, 135 * 1000))
    #expect(mean(steady, lastLength: 2450) >= Rational(4 * 999, 135 * 1000))
    #expect(mean(steady, lastLength: 2450) <= Rational(4, 135))
    #expect(steady.packets.dropFirst(2).map(\.dts) == track.packets.dropFirst(2).map(\.dts))
    #expect(steady.packets.map(\.pts) == track.packets.map(\.pts))
  }

  @Test func `then nothing is moved further than the longest frame lasts`() throws {
    let shown = (0..<20_001).map { place -> Int64 in place * 2450 + (place > 50 ? 20_000 : 0) }
    let track = try Pictures.track(shown, ticksPerSecond: 90_000)
    let steady = track.withUsualMeanRate(lastLength: 2450)
    #expect(steady.packets.map(\.dts) == track.packets.map(\.dts))
  }

  @Test func `then frames with a usual rate are not changed`() throws {
    for length: Int64 in [3000, 3003, 3750, 3600] {
      let shown = (0..<100).map { Int64($0) * length }
      let track = try Pictures.track(shown, ticksPerSecond: 90_000)
      let steady = track.withUsualMeanRate(lastLength: length)
      #expect(steady.packets.map(\.dts) == track.packets.map(\.dts))
    }
  }
}

private enum Pictures {
  /// Packets of frames shown at these times: a keyframe, then groups of a P frame and two B frames
  /// shown before it.
  static func stamped(_ shown: [Int64]) -> ContiguousArray<OutputPacket> {
    var order = [shown[0]]
    var rest = shown.dropFirst()
    while let last = rest.prefix(3).last {
      order += [last] + rest.prefix(3).dropLast()
      rest = rest.dropFirst(3)
    }
    var packets = ContiguousArray(
      order.map {
        OutputPacket(
          pts: $0, dts: 0, duration: 1, isKey: false, byteCount: 0, payload: .source(place: 0),
          place: 0)
      })
    packets.stampDecoding(delay: 0, pace: nil)
    return packets
  }

  static func track(_ shown: [Int64], ticksPerSecond: Int64) throws -> OutputTrack {
    OutputTrack(
      source: 0, packets: stamped(shown), video: VideoCut(), zero: .zero,
      grid: TickGrid(ticksPerSecond: ticksPerSecond),
      shown: try MediaTimeRange(from: .zero, length: MediaDuration(1, 1)))
  }
}
