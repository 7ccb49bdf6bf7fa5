import ExactTime
import Libav
import Probing

/// Timestamps of packets that have their own times.
struct TimedPlaces: PacketPlaces {
  private let clock: OutputClock
  private let isSound: Bool
  private let isVideo: Bool
  /// Ticks of pictures, by PTS, that rounding would put on the tick of another.
  private var parted: [Int64: Int64] = [:]
  /// The DTS of each packet, in order, where rounding would put two on one tick.
  private var decoded: ContiguousArray<Int64> = []
  private var placed = 0
  /// Ticks by which everything is delayed.
  var delay: Int64 = 0

  init(_ track: OutputTrack, _ clock: OutputClock) {
    self.clock = clock
    isSound = track.audio != nil
    isVideo = track.video != nil
    if track.video != nil, clock.isCoarser { part(track.packets) }
  }

  /// Of pictures that rounding puts on one tick, the first is shown there and the others a tick
  /// later: FFmpeg moves the second of two at zero far past the first.
  private mutating func part(_ packets: ContiguousArray<OutputPacket>) {
    var last: (pts: Int64, tick: Int64)?
    for time in ContiguousArray(packets.map(\.pts)).inPresentationOrder where time != last?.pts {
      guard var place = try? clock.tick(time) else { return }
      if let last, place <= last.tick {
        place &+= 1
        parted[time] = place
      }
      last = (time, place)
    }
  }

  /// Whether rounding puts the DTS of two pictures on one tick, which muxers refuse.
  func crowdsDecoding(of packets: ContiguousArray<OutputPacket>) throws(LibavError) -> Bool {
    guard isVideo, clock.isCoarser else { return false }
    var last: (source: Int64, tick: Int64)?
    for packet in packets {
      let tick = try clock.tick(packet.dts)
      if let last, last.source < packet.dts, last.tick >= tick { return true }
      last = (packet.dts, tick)
    }
    return false
  }

  /// Gives each packet a DTS of its own, not later than its PTS.
  ///
  /// - Returns: the first of these ticks.
  mutating func separateDecoding(
    of packets: ContiguousArray<OutputPacket>
  ) throws(LibavError) -> Int64 {
    var late: Int64 = 0
    decoded.removeAll()
    for packet in packets {
      let shown = try shown(packet.pts)
      var place = packet.dts == packet.pts ? shown : try clock.tick(packet.dts)
      if !isSound, let last = decoded.last { place = max(place, last &+ 1) }
      late = max(late, place &- shown)
      decoded.append(place)
    }
    if late > 0 { for index in decoded.indices { decoded[index] &-= late } }
    return decoded.first ?? 0
  }

  func shown(_ sourceTick: Int64) throws(LibavError) -> Int64 {
    if let place = parted[sourceTick] { return place }
    return try clock.tick(sourceTick)
  }

  mutating func place(
    _ packet: OutputPacket, lasting length: Int64
  ) throws(LibavError) -> (pts: Int64, dts: Int64) {
    let pts = try shown(packet.pts)
    guard placed < decoded.count else {
      return (pts, packet.dts == packet.pts ? pts : try clock.tick(packet.dts))
    }
    defer { placed += 1 }
    return (pts &+ delay, decoded[placed] &+ delay)
  }
}
