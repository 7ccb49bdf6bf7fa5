#if FFmpeg
  import ExactTime
  import Libav

  /// The places of packets that stand one behind the other, and pictures each in a slot of its own, as AVI has
  /// them.
  struct CountedPlaces: PacketPlaces {
    private let clock: OutputClock
    private let isSound: Bool
    /// Behind what was placed last.
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
        // Of two pictures that rounding puts into one place, the second one stands in the next.
        let place = max(dts, next ?? dts)
        next = place &+ 1
        return (max(pts, place), place)
      }
      let place = heard(packet.pts, at: pts)
      next = place &+ max(1, length)
      return (place, packet.dts == packet.pts ? place : dts)
    }

    /// Where a packet of sound stands that is rounded to a tick: behind the packet before where it begins less than a
    /// tick behind that one's end, since rounded times would put two on one tick and leave the next empty.
    private func heard(_ sourceTick: Int64, at place: Int64) -> Int64 {
      guard let next, place != next, let position = try? clock.position(sourceTick),
        let late = try? position.subtracting(Rational(next)), late < Rational(1)
      else { return place }
      return next
    }
  }
#endif
