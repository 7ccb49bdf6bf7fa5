public import ExactTime

/// Plans the cut of one track of sound.
public struct AudioPlanner {
  /// Where a cut may fall.
  public enum Precision: Sendable {
    /// The container hides what lies outside the range.
    case sample
    /// Only whole packets: those that begin in the range.
    case packet
    /// As that, from the packet that begins nearest to IN, before it or after: for containers whose
    /// sound has no times of its own.
    case nearestPacket
  }

  let track: CodedTrack
  /// Packets before the first that is heard which a decoder needs to get into its stride.
  let preroll: Int
  let precision: Precision

  public init(_ track: CodedTrack, preroll: Int, precision: Precision) {
    self.track = track
    self.preroll = preroll
    self.precision = precision
  }

  /// - Throws: ``ExactTimeError/overflow``: a time outside 64 bits.
  public func cut(_ range: MediaTimeRange) throws(ExactTimeError) -> AudioCut {
    var cut = AudioCut()
    let packets = track.packets
    let ticks = try track.ticks(of: range)
    guard !ticks.isEmpty, !packets.isEmpty else { return cut }
    let first: Int
    switch precision {
    case .sample: first = firstPlace { end(of: $0) > ticks.lowerBound }
    case .packet: first = firstPlace { packets[$0].pts >= ticks.lowerBound }
    case .nearestPacket:
      first = firstPlace {
        packets[$0].pts &+ packets[$0].duration / 2 >= ticks.lowerBound
      }
    }
    var last = first
    while last < packets.count, packets[last].pts < ticks.upperBound { last += 1 }
    guard first < last else { return cut }
    let start = precision == .sample ? max(0, first - preroll) : first
    cut.copied = start..<last
    let heardFrom =
      precision == .sample ? max(packets[first].pts, ticks.lowerBound) : packets[first].pts
    cut.hiddenStart = max(0, heardFrom - packets[start].pts)
    let heardTo =
      precision == .sample
      ? min(end(of: last - 1), ticks.upperBound) : end(of: last - 1)
    cut.hiddenEnd = precision == .sample ? max(0, end(of: last - 1) - heardTo) : 0
    let from = try track.time(atTick: heardFrom)
    let to = try track.time(atTick: max(heardFrom, heardTo))
    let begin = precision == .sample ? max(range.start, from) : from
    cut.start = try MediaTime.zero.advanced(by: begin.distance(from: range.start))
    let stop = precision == .sample ? min(range.end, to) : to
    cut.length = try max(begin, stop).distance(from: begin)
    // IN may lie between two ticks: the tick before it is where hiding ends.
    if heardFrom > packets[start].pts, from > range.start, heardFrom == ticks.lowerBound,
      heardFrom > packets[first].pts
    {
      cut.hiddenStart -= 1
      cut.start = .zero
      cut.length = try max(range.start, stop).distance(from: range.start)
    }
    return cut
  }

  private func end(of place: Int) -> Int64 {
    let packet = track.packets[place]
    if packet.duration > 0 { return packet.pts &+ packet.duration }
    return place + 1 < track.packets.count ? track.packets[place + 1].pts : packet.pts
  }

  /// The first place, in ascending order, for which a condition holds that stays true behind it.
  private func firstPlace(_ holds: (Int) -> Bool) -> Int {
    var low = 0
    var high = track.packets.count
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
