import ExactTime
import Testing
import Trimming

@testable import Cutting

/// Packets of MP3 at 44.1 kHz last 26.122 ms, and AVI has one slot for each.
@Suite struct `Given audio packets whose times are rounded to milliseconds` {
  private func places(_ times: [Int64], counts: Bool) throws -> [Int64] {
    let length = try Rational(1152).divided(by: Rational(44_100))
    let shown = try #require(MediaTimeRange(from: .zero, to: MediaTime(3)))
    var track = OutputTrack(
      source: 0, zero: .zero, grid: TickGrid(ticksPerSecond: 1000), shown: shown)
    track.audio = AudioCut()
    let clock = OutputClock(track, tick: length, lead: .zero)
    var places: any PacketPlaces =
      counts ? CountedPlaces(track, clock) : TimedPlaces(track, clock)
    return try times.map { time in
      let packet = OutputPacket(
        pts: time, dts: time, duration: 26, isKey: true, byteCount: 1, payload: .source(place: 0),
        place: 0)
      return try places.place(packet, lasting: 1).pts
    }
  }

  /// Half a packet after zero, where rounding decides which slot is next.
  private let times: [Int64] = (0..<100).map { (13_061 + 26_122 * $0 + 500) / 1000 }

  @Test func `then in AVI each has its own slot, and none is left out`() throws {
    let places = try places(times, counts: true)
    #expect(zip(places, places.dropFirst()).allSatisfy { $1 == $0 + 1 })
    let rounded = try self.places(times, counts: false)
    #expect(zip(rounded, rounded.dropFirst()).contains { $1 != $0 + 1 })
  }

  @Test func `when one is missing then its slot stays empty`() throws {
    let gap = times[..<50] + times[51...]
    let places = try places(Array(gap), counts: true)
    #expect(places[50] == places[49] + 2)
    #expect(places.last == places[0] + 99)
  }

  @Test func `when two have the same time then the second goes after the first`() throws {
    #expect(try places([0, 0, 52, 78], counts: true) == [0, 1, 2, 3])
  }
}

@Suite struct `Given pictures whose times are closer together than slots of AVI` {
  private func shown(_ times: [Int64], counts: Bool) throws -> [Int64] {
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    var track = OutputTrack(
      source: 0, zero: .zero, grid: TickGrid(ticksPerSecond: 1000), shown: range)
    track.video = VideoCut()
    track.packets = ContiguousArray(
      times.enumerated().map { place, time in
        OutputPacket(
          pts: time, dts: counts ? time : Int64(place), duration: 1, isKey: true, byteCount: 1,
          payload: .source(place: place), place: place)
      })
    let clock = OutputClock(track, tick: Rational(1, 25), lead: .zero)
    var places: any PacketPlaces =
      counts ? CountedPlaces(track, clock) : TimedPlaces(track, clock)
    return try track.packets.map { packet in try places.place(packet, lasting: 1).pts }
  }

  @Test func `then in AVI each has its own slot`() throws {
    #expect(try shown([0, 40, 41, 200], counts: true) == [0, 1, 2, 5])
  }

  /// By no more than a tick: with many of them, times would drift.
  @Test func `then elsewhere those after the first are shown a tick later`() throws {
    #expect(try shown([0, 40, 41, 42, 200], counts: false) == [0, 1, 2, 2, 5])
  }

  @Test func `when they are reordered then the order of the PTS is kept`() throws {
    #expect(try shown([0, 42, 40, 41], counts: false) == [0, 2, 1, 2])
  }
}

@Suite struct `Given pictures whose DTS go back` {
  private typealias Pictures = [(pts: Int64, dts: Int64, isKey: Bool)]

  private func column(_ packets: Pictures) -> PacketColumn {
    var column = PacketColumn()
    column.packets = ContiguousArray(
      packets.map {
        CodedPacket(pts: $0.pts, dts: $0.dts, duration: 3600, byteCount: 9, isKey: $0.isKey)
      })
    column.backs = packets.indices.dropFirst().filter { packets[$0].dts < packets[$0 - 1].dts }
    return column
  }

  @Test func `when that is due to rounding then their PTS give the order`() {
    let column = column([(3600, 0, true), (7200, 3600, false), (10_800, 3599, false)])
    #expect(!column.backs.isEmpty && column.isOrderedByPTS)
  }

  @Test func `when a new stream begins and is shown later then the PTS give it, too`() {
    let seam: Pictures = [
      (3600, 0, true), (7200, 7200, false), (10_800, 3600, true), (14_400, 10_800, false),
    ]
    #expect(column(seam).isOrderedByPTS)
  }

  @Test func `when pictures of both would be interleaved then the PTS do not give it`() {
    let mixed: Pictures = [
      (3600, 0, true), (14_400, 7200, false), (10_800, 3600, true), (18_000, 10_800, false),
    ]
    #expect(!column(mixed).isOrderedByPTS)
    let inGroup: Pictures = [(3600, 3600, true), (7200, 7200, false), (7200, 3600, false)]
    #expect(!column(inGroup).isOrderedByPTS)
    let between: Pictures = [
      (3600, 3600, true), (7200, 7200, false), (14_400, 10_800, false), (12_600, 9000, false),
    ]
    #expect(!column(between).isOrderedByPTS)
  }

  @Test func `when only the DTS of a GOP are wrong then the PTS give it`() {
    let inGroup: Pictures = [
      (3600, 3600, true), (21_600, 7200, false), (14_400, 10_800, false), (7200, 7200, false),
      (10_800, 10_800, false), (18_000, 14_400, false),
    ]
    #expect(column(inGroup).isOrderedByPTS)
  }
}
