public import ExactTime

/// Plans the cut of one audio track.
public struct AudioPlanner {
  /// Where a cut may fall.
  public enum Precision: Sendable {
    /// The container hides what lies outside the range.
    case sample
    /// Whole packets only: those that begin in the range.
    case packet
    /// From the packet that contains IN to exactly OUT: for containers that state where the last
    /// packet ends.
    case packetAround
    /// From the first packet that begins in the range to exactly OUT: for players that respect the end of the
    /// audio but begin with a whole packet.
    case packetsToEnd
    /// Whole packets that lie mostly in the range: for containers whose audio has no timestamps.
    case nearestPacket
    /// As ``nearestPacket``, but without a last packet that would extend past OUT.
    case packetsInside
  }

  let track: CodedTrack
  /// The number of preroll packets that a decoder needs before the first audible one.
  let preroll: Int
  /// The minimum duration of the preroll packets that a decoder needs.
  var lead = MediaDuration.zero
  let precision: Precision
  /// Whether a decoder can only begin with packets flagged as key: AC-4, TrueHD.
  let beginsAtKey: Bool
  /// The last packet up to another that carries the headers which a decoder needs; `nil` where all
  /// that is needed is in every packet.
  package var entry: ((_ place: Int) -> Int)?

  /// Creates a planner; `preroll` is the number of packets that a decoder must read before its
  /// samples are correct.
  public init(
    _ track: CodedTrack, preroll: Int, precision: Precision, beginsAtKey: Bool = false
  ) {
    self.track = track
    self.preroll = preroll
    self.precision = precision
    self.beginsAtKey = beginsAtKey
  }

  /// Creates a planner with the decoder requirements of the track's codec.
  public init(_ track: CodedTrack, precision: Precision) {
    self.init(
      track, preroll: AudioCodec.preroll(of: track.codec), precision: precision,
      beginsAtKey: AudioCodec.beginsAtKey(track.codec))
    lead = AudioCodec.lead(of: track.codec)
  }

  /// The packets that cover a range, and how much of them is not heard.
  ///
  /// - Throws: ``ExactTimeError/overflow`` for a time outside 64 bits.
  public func cut(_ range: MediaTimeRange) throws(ExactTimeError) -> AudioCut {
    var cut = AudioCut()
    let packets = track.packets
    let ticks = try track.ticks(of: range)
    let bounds = try bounds(of: range, ticks)
    guard !bounds.isEmpty, !packets.isEmpty else { return cut }
    var first: Int
    switch precision {
    case .sample: first = firstPlace { soundEnd(of: $0) > ticks.lowerBound }
    case .packetAround: first = firstPlace { end(of: $0) > ticks.lowerBound }
    case .packet, .packetsToEnd: first = firstPlace { packets[$0].pts >= bounds.lowerBound }
    case .nearestPacket, .packetsInside:
      first = firstPlace { middle(of: packets[$0]) >= bounds.lowerBound }
    }
    if beginsAtKey, precision != .sample {
      first = packets[first...].firstIndex(where: \.isKey) ?? packets.count
    }
    var last = first
    while last < packets.count, precedes(bounds.upperBound, last) { last += 1 }
    guard first < last else { return cut }
    var start = precision == .sample ? try leadStart(of: first) : first
    if beginsAtKey, precision == .sample {
      start = packets[...start].lastIndex(where: \.isKey) ?? 0
    }
    cut.copied = start..<last
    let heardFrom =
      precision == .sample ? max(packets[first].pts, ticks.lowerBound) : packets[first].pts
    let lead = (start..<first).reduce(Int64(0)) { $0 &+ track.leadLength(of: $1) }
    cut.hiddenStart = max(0, heardFrom - packets[first].pts &+ lead)
    let endsExactly = [.sample, .packetAround, .packetsToEnd].contains(precision)
    let heardTo =
      endsExactly ? min(end(of: last - 1), ticks.upperBound) : end(of: last - 1)
    cut.hiddenEnd = endsExactly ? max(0, end(of: last - 1) - heardTo) : 0
    let from = try track.time(atTick: heardFrom)
    let to = try track.time(atTick: max(heardFrom, heardTo))
    let begin = precision == .sample ? max(range.start, from) : from
    cut.start = try MediaTime.zero.advanced(by: begin.distance(from: range.start))
    let stop = endsExactly ? min(range.end, to) : to
    cut.length = try max(begin, stop).distance(from: begin)
    // IN may lie between two ticks: hiding ends at the tick before it.
    if heardFrom > packets[start].pts, from > range.start, heardFrom == ticks.lowerBound,
      heardFrom > packets[first].pts, heardFrom > track.visible.lowerBound
    {
      cut.hiddenStart -= 1
      cut.start = .zero
      cut.length = try max(range.start, stop).distance(from: range.start)
    }
    return cut
  }

  /// The first packet that a decoder needs in order to decode another.
  private func leadStart(of first: Int) throws(ExactTimeError) -> Int {
    var start = max(0, first - preroll)
    if let entry, first > 0 {
      // The filter bank of the replicated band overlaps packets too (ISO 14496-3, 4.6.18.4).
      start = min(start, entry(max(0, start - 1)))
    }
    guard lead > .zero else { return start }
    // Times may be rounded by a tick.
    let least = try track.grid.ticks(of: lead, rounding: .down) - 1
    while start > 0 {
      let (distance, isFar) = track.packets[first].pts.subtractingReportingOverflow(
        track.packets[start].pts)
      if isFar || distance >= least { break }
      start -= 1
    }
    return start
  }

  /// The ticks between which packets count, or the half ticks between which their midpoints do: in
  /// AVI a tick may be as long as a packet.
  private func bounds(
    of range: MediaTimeRange, _ ticks: Range<Int64>
  ) throws(ExactTimeError) -> Range<Int64> {
    switch precision {
    case .sample, .packet, .packetAround, .packetsToEnd: return ticks
    case .nearestPacket, .packetsInside:
      let half = try TickGrid(secondsPerTick: track.grid.secondsPerTick.divided(by: Rational(2)))
      // What must not pass the end must not pass it by a fraction of a tick either.
      let rounding = precision == .packetsInside ? Rounding.down : .up
      let from = try half.ticks(of: range.start.distance(from: track.origin), rounding: .up)
      let to = try half.ticks(of: range.end.distance(from: track.origin), rounding: rounding)
      let begin = max(from, track.visible.lowerBound &* 2)
      return begin..<max(begin, min(to, track.visible.upperBound &* 2))
    }
  }

  /// The midpoint of a packet in half ticks.
  private func middle(of packet: CodedPacket) -> Int64 { packet.pts &* 2 &+ packet.duration }

  private func precedes(_ bound: Int64, _ place: Int) -> Bool {
    switch precision {
    case .sample, .packetAround, .packetsToEnd, .packet: track.packets[place].pts < bound
    case .nearestPacket: middle(of: track.packets[place]) < bound
    case .packetsInside: end(of: place) &* 2 <= bound
    }
  }

  /// Where the audible part of a packet ends.
  private func soundEnd(of place: Int) -> Int64 {
    min(end(of: place), track.packets[place].pts &+ max(1, track.soundLength(of: place)))
  }

  private func end(of place: Int) -> Int64 {
    let packet = track.packets[place]
    if packet.duration > 0 { return packet.pts &+ packet.duration }
    return place + 1 < track.packets.count ? track.packets[place + 1].pts : packet.pts
  }

  /// The first index for which a condition holds that stays true for all later ones.
  private func firstPlace(_ holds: (Int) -> Bool) -> Int {
    track.packets.indices.partitionPoint(where: holds)
  }
}
