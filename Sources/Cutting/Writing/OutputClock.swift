#if FFmpeg
  import ExactTime
  import Libav
  import Probing

  /// Turns ticks of a source track into those of the output's stream.
  struct OutputClock {
    private let grid: TickGrid
    private let zero: Rational
    private let tick: Rational
    private let lead: Rational
    /// Packets stand one behind the other, and pictures each in a place of its own, as AVI has them.
    private let counts: Bool
    private let isSound: Bool
    /// Behind what was placed last, where that counts.
    private var next: Int64?
    /// Where pictures are shown that rounding would put onto the tick of another, by their PTS.
    private var parted: [Int64: Int64] = [:]
    /// When each packet is decoded, in order, where rounding would put two onto one tick.
    private var decoded: ContiguousArray<Int64> = []
    private var placed = 0
    /// By how many ticks everything is later.
    var delay: Int64 = 0

    init(_ track: OutputTrack, tick: Rational, lead: Rational, counts: Bool) {
      grid = track.grid
      self.counts = counts && (track.audio != nil || track.video != nil)
      isSound = track.audio != nil
      zero = track.zero
      self.tick = tick
      self.lead = lead
      if track.video != nil, !counts, grid.secondsPerTick < tick { part(track.packets) }
    }

    /// Of pictures that rounding puts onto one tick, the first is shown there and the others a tick later: FFmpeg
    /// moves the second of two at zero far behind the first.
    private mutating func part(_ packets: ContiguousArray<OutputPacket>) {
      var last: (pts: Int64, tick: Int64)?
      for time in ContiguousArray(packets.map(\.pts)).inPresentationOrder where time != last?.pts {
        guard var place = try? tick(time) else { return }
        if let last, place <= last.tick {
          place &+= 1
          parted[time] = place
        }
        last = (time, place)
      }
    }

    /// Decodes each packet on a tick of its own, none after it is shown.
    ///
    /// - Returns: the first of these ticks.
    mutating func separateDecoding(
      of packets: ContiguousArray<OutputPacket>
    ) throws(LibavError) -> Int64 {
      var late: Int64 = 0
      decoded.removeAll()
      for packet in packets {
        let shown = try shown(packet.pts)
        var place = packet.dts == packet.pts ? shown : try tick(packet.dts)
        if !isSound, let last = decoded.last { place = max(place, last &+ 1) }
        late = max(late, place &- shown)
        decoded.append(place)
      }
      if late > 0 { for index in decoded.indices { decoded[index] &-= late } }
      return decoded.first ?? 0
    }

    /// When a picture is shown, or sound is heard.
    func shown(_ sourceTick: Int64) throws(LibavError) -> Int64 {
      if let place = parted[sourceTick] { return place }
      return try tick(sourceTick)
    }

    /// Seconds on the output's timeline; far outside any file where numbers end.
    func seconds(_ sourceTick: Int64) -> Rational {
      (try? Rational(sourceTick).subtracting(zero).multiplied(by: grid.secondsPerTick)) ?? .zero
    }

    /// The output's tick next to a tick of the source; the later one of two that are as near, so that
    /// even steps stay apart.
    func tick(_ sourceTick: Int64) throws(LibavError) -> Int64 {
      do throws(ExactTimeError) {
        return try position(sourceTick).adding(Rational(1, 2)).rounded(.down)
      } catch {
        throw LibavError(.invalidData, "its times are too large to calculate with")
      }
    }

    private func position(_ sourceTick: Int64) throws(ExactTimeError) -> Rational {
      try Rational(sourceTick).subtracting(zero).multiplied(by: grid.secondsPerTick)
        .adding(lead).divided(by: tick)
    }

    /// When the packet that is written next is shown or heard and decoded, in ticks of the output.
    mutating func place(
      _ packet: OutputPacket, lasting length: Int64
    ) throws(LibavError) -> (pts: Int64, dts: Int64) {
      let pts = try shown(packet.pts)
      if placed < decoded.count {
        defer { placed += 1 }
        return (pts &+ delay, decoded[placed] &+ delay)
      }
      let dts = packet.dts == packet.pts ? pts : try tick(packet.dts)
      guard counts else { return (pts, dts) }
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
      guard let next, place != next, let position = try? position(sourceTick),
        let late = try? position.subtracting(Rational(next)), late < Rational(1)
      else { return place }
      return next
    }

    func ticks(_ duration: Int64) throws(LibavError) -> Int64 {
      do throws(ExactTimeError) {
        return try Rational(duration).multiplied(by: grid.secondsPerTick).divided(by: tick)
          .rounded(.nearest)
      } catch {
        throw LibavError(.invalidData, "its times are too large to calculate with")
      }
    }
  }
#endif
