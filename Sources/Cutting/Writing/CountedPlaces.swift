import ExactTime
import Libav

/// Positions of packets that follow each other without gaps, with each picture in its own slot,
/// as in AVI.
struct CountedPlaces: PacketPlaces {
  private let clock: OutputClock
  private let isSound: Bool
  /// The end of the packet placed last.
  private var next: Int64?

  init(_ track: OutputTrack, _ clock: OutputClock) {
    self.clock = clock
    isSound = track.audio != nil
  }

  func shown(_ sourceTick: Int64) throws(LibavError) -> Int64 { try clock.tick(sourceTick) }

  mutating func place(
    _ packet: OutputPacket, lasting length: Int64
  ) throws(LibavError) -> (pts: Int64, dts: Int64) {
    let pts = try clock.tick(packet.pts)
    let dts = packet.dts == packet.pts ? pts : try clock.tick(packet.dts)
    guard isSound else {
      // Of two pictures that rounding puts into one slot, the second goes into the next.
      let place = max(dts, next ?? dts)
      next = place &+ 1
      return (max(pts, place), place)
    }
    let place = heard(packet.pts, at: pts)
    next = place &+ max(1, length)
    return (place, packet.dts == packet.pts ? place : dts)
  }

  /// Position of an audio packet after rounding to a tick: directly after the previous packet if
  /// it begins less than a tick after that one's end, since rounding could put two on one tick
  /// and leave the next empty.
  private func heard(_ sourceTick: Int64, at place: Int64) -> Int64 {
    guard let next, place != next, let position = try? clock.position(sourceTick),
      let late = try? position.subtracting(Rational(next)), late < Rational(1)
    else { return place }
    return next
  }
}
