import ExactTime
import Probing
import Trimming

extension CodedTrack {
  /// The last packet decodes to as many samples as it says, of which the container's length leaves out what
  /// is not heard: so Ogg states it.
  mutating func lengthenLast(samples: Int32?, of rate: Int?) {
    guard let samples, let rate, rate > 0, let last = packets.indices.last,
      let length = try? TickGrid(ticksPerSecond: Int64(rate)).duration(ofTicks: Int64(samples)),
      let ticks = try? grid.ticks(of: length, rounding: .nearest)
    else { return }
    packets[last].duration = max(packets[last].duration, ticks)
  }
}

extension ContiguousArray<CodedPacket> {
  /// Pictures last until the next one is shown; the last one as long as it says.
  mutating func holdUntilNext() {
    var shown = ContiguousArray<Int>(indices)
    shown.sortNearlySorted { self[$0].pts < self[$1].pts }
    for (place, next) in zip(shown, shown.dropFirst()) {
      let (length, overflow) = self[next].pts.subtractingReportingOverflow(self[place].pts)
      if !overflow { self[place].duration = length }
    }
  }

  /// Times of decoding in place of guesses: as late as can be, in order.
  mutating func orderDecoding() {
    let times = map(\.pts).sorted()
    let delay = zip(times, self).map { $0 &- $1.pts }.max() ?? 0
    for place in indices { self[place].dts = times[place] &- delay }
  }

  /// The last one that is shown lasts until the track ends, where it does not say how long it is.
  mutating func endLast(at tick: Int64) {
    guard let last = indices.max(by: { self[$0].pts < self[$1].pts }), self[last].duration == 0
    else { return }
    self[last].duration = Swift.max(0, tick &- self[last].pts)
  }

  /// The last one that is shown lasts for so many ticks.
  mutating func holdLast(for ticks: Int64) {
    guard let last = indices.max(by: { self[$0].pts < self[$1].pts }) else { return }
    self[last].duration = ticks
  }

  /// Sound is heard in the order in which it is decoded: a packet whose PTS is not before that of the next
  /// begins when it is decoded.
  ///
  /// FFmpeg gives a packet of sound in FLV the PTS of the damaged picture in front of it; MP4 made with
  /// libfaac shows its first packet when it shows the second.
  mutating func hearInOrder() {
    for (place, next) in zip(indices, indices.dropFirst())
    where self[place].pts >= self[next].pts && self[place].dts < self[next].pts {
      self[place].pts = self[place].dts
    }
  }

  /// Of two packets with one time, the first begins where the one before it ends.
  ///
  /// FFmpeg gives a frame of AC-3 that begins in one pack of a program stream and ends in the next the
  /// time that the next states for the frame behind it.
  mutating func separate() {
    for place in indices.dropFirst().dropLast()
    where self[place].pts == self[place + 1].pts && self[place - 1].duration > 0 {
      let end = self[place - 1].pts &+ self[place - 1].duration
      guard end < self[place].pts else { continue }
      self[place].pts = end
      self[place].dts = end
    }
  }

  /// Packets of sound last until the next begins, and those that begin long before the one before them
  /// ends begin at that end: a sample table says no more than how long each lasts.
  ///
  /// Fragments state when they begin. Of FFmpeg's that hold one packet each, several may state one time,
  /// lengths of nothing, and the next a later time than that adds up to.
  ///
  /// FFmpeg 8 writes of every second packet that it lasts no time and begins when the next does: it fills the
  /// gap before that.
  mutating func hearInTurn() {
    for place in indices.dropFirst().dropLast()
    where self[place].duration == 0 && self[place].pts == self[place + 1].pts {
      let gap = self[place].pts &- self[place - 1].pts &- self[place - 1].duration
      guard gap > 0 else { continue }
      self[place].pts &-= gap
      self[place].dts &-= gap
      self[place].duration = gap
    }
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
}
