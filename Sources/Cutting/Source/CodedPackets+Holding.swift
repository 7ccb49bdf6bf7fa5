import ExactTime
import Probing
import Trimming

extension CodedTrack {
  /// Extends the last packet to the number of samples it states; the container's duration omits the
  /// part that is not heard, as in Ogg.
  mutating func lengthenLast(samples: Int32?, of rate: Int?) {
    guard let samples, let rate, rate > 0, let last = packets.indices.last,
      let length = try? TickGrid(ticksPerSecond: Int64(rate)).duration(ofTicks: Int64(samples)),
      let ticks = try? grid.ticks(of: length, rounding: .nearest)
    else { return }
    packets[last].duration = max(packets[last].duration, ticks)
  }
}

extension ContiguousArray<CodedPacket> {
  /// Pictures last until the next one is shown; the last one keeps its duration.
  mutating func holdUntilNext() {
    var shown = ContiguousArray<Int>(indices)
    shown.sortNearlySorted { self[$0].pts < self[$1].pts }
    for (place, next) in zip(shown, shown.dropFirst()) {
      let (length, overflow) = self[next].pts.subtractingReportingOverflow(self[place].pts)
      if !overflow { self[place].duration = length }
    }
  }

  /// Replaces guessed decoding times: as late as possible, in order.
  mutating func orderDecoding() {
    let times = map(\.pts).sorted()
    let delay = zip(times, self).map { $0 &- $1.pts }.max() ?? 0
    for place in indices { self[place].dts = times[place] &- delay }
  }

  /// Extends the last picture shown to the end of the track, if it has no duration.
  mutating func endLast(at tick: Int64) {
    guard let last = indices.max(by: { self[$0].pts < self[$1].pts }), self[last].duration == 0
    else { return }
    self[last].duration = Swift.max(0, tick &- self[last].pts)
  }

  /// Sets the duration of the last picture shown.
  mutating func holdLast(for ticks: Int64) {
    guard let last = indices.max(by: { self[$0].pts < self[$1].pts }) else { return }
    self[last].duration = ticks
  }

  /// Audio is heard in decode order: a packet whose PTS is not before the next packet's gets its
  /// DTS as PTS.
  ///
  /// FFmpeg gives an audio packet in FLV the PTS of the damaged picture before it; MP4 files made
  /// with libfaac give their first packet the PTS of the second.
  mutating func hearInOrder() {
    for (place, next) in zip(indices, indices.dropFirst())
    where self[place].pts >= self[next].pts && self[place].dts < self[next].pts {
      self[place].pts = self[place].dts
    }
  }

  /// Of two packets with the same timestamp, the first begins where the previous one ends.
  ///
  /// FFmpeg gives an AC-3 frame that begins in one pack of a program stream and ends in the next
  /// the timestamp that the next pack states for the following frame.
  mutating func separate() {
    for place in indices.dropFirst().dropLast()
    where self[place].pts == self[place + 1].pts && self[place - 1].duration > 0 {
      let end = self[place - 1].pts &+ self[place - 1].duration
      guard end < self[place].pts else { continue }
      self[place].pts = end
      self[place].dts = end
    }
  }

  /// Audio packets last until the next begins, and those that begin long before the previous one
  /// ends are moved to that end: a sample table only states durations.
  ///
  /// Fragments state start times. In FFmpeg's files with one packet per fragment, several may state
  /// the same time with zero durations, and the next a later time than the durations add up to.
  ///
  /// FFmpeg 8 states for every second packet a zero duration and the start time of the next: such a
  /// packet fills the gap before it.
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
