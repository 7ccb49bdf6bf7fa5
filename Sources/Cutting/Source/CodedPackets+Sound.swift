import ExactTime
import Trimming

extension ContiguousArray<CodedPacket> {
  /// Packets of sound last until the next begins, and those that begin long before the one before them
  /// ends begin at that end: a sample table says no more than how long each lasts.
  ///
  /// Fragments state when they begin. Of FFmpeg's that hold one packet each, several may state one time,
  /// lengths of nothing, and the next a later time than that adds up to.
  mutating func hearInTurn() {
    for (place, next) in zip(indices, indices.dropFirst()) {
      let packet = self[place]
      let (distance, overflow) = self[next].pts.subtractingReportingOverflow(packet.pts)
      guard !overflow, distance != packet.duration else { continue }
      if distance <= packet.duration / 2 {
        let delay = packet.duration &- distance
        self[next].pts &+= delay
        self[next].dts &+= delay
      } else {
        self[place].duration = distance
      }
    }
  }

  /// The same times in other ticks, each to the nearest; what follows without a hole still does.
  ///
  /// - Returns: `false`, and nothing is changed, where numbers end.
  mutating func count(in ticks: TickGrid, from stated: TickGrid) -> Bool {
    var counted = self
    do throws(ExactTimeError) {
      for place in indices {
        let packet = self[place]
        let pts = try ticks.tick(of: stated.time(atTick: packet.pts), rounding: .nearest)
        let (end, overflow) = packet.pts.addingReportingOverflow(packet.duration)
        guard !overflow else { return false }
        counted[place].pts = pts
        counted[place].dts =
          packet.dts == packet.pts
          ? pts : try ticks.tick(of: stated.time(atTick: packet.dts), rounding: .nearest)
        counted[place].duration =
          try ticks.tick(of: stated.time(atTick: end), rounding: .nearest) &- pts
      }
    } catch {
      return false
    }
    self = counted
    return true
  }
}
