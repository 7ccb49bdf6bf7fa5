import ExactTime

extension CodedTrack {
  /// The track on a sample grid.
  ///
  /// A packet begins where the previous one ends, unless its stated time is farther from there than this
  /// track's tick rounding explains: then it begins at its stated time, and the previous one lasts up to
  /// there.
  ///
  /// - Parameters:
  ///   - lengths: samples per packet; zero where a packet does not state it.
  ///   - statesTimes: `false` where packets have no stated times, so that each begins where the previous one
  ///     ends.
  public func counted(
    samplesPerSecond rate: Int, lengths: [Int32], statesTimes: Bool = true
  ) -> CodedTrack? {
    do {
      var result = self
      result.grid = TickGrid(ticksPerSecond: Int64(max(1, rate)))
      let count = SampleCount(
        packets: packets, lengths: lengths, isStored: AudioCodec.isUncompressed(codec),
        ratio: try grid.secondsPerTick.divided(by: result.grid.secondsPerTick),
        statesLaterSample: AudioCodec.statesLaterSample(codec))
      var end: Int64?
      for place in packets.indices {
        let length = try count.length(of: place)
        var start = try count.stated(place).rounded(.nearest)
        if let end, try !statesTimes || count.continues(place, at: end) { start = end }
        if place > 0 {
          let before = result.packets[place - 1].pts
          // A packet stated to begin earlier still follows the previous one: after its last sample where
          // packets can be split anywhere, otherwise so that others move by at most a sample.
          if start <= before {
            start = AudioCodec.isUncompressed(codec) ? end ?? before &+ 1 : before &+ 1
          }
          let (length, overflow) = start.subtractingReportingOverflow(before)
          guard !overflow else { return nil }
          result.packets[place - 1].duration = length
        }
        result.packets[place].pts = start
        result.packets[place].dts = start
        result.packets[place].duration = length
        end = start &+ length
      }
      try result.show(as: self, scaledBy: count.ratio)
      return result
    } catch {
      return nil
    }
  }
}

extension CodedTrack {
  /// The track with packets laid end to end, where none has a stated time: readers of files without a
  /// container add up lengths in ticks, each of them rounded.
  ///
  /// - Parameter lengths: samples per packet, zero where a packet does not state it; may include later
  ///   packets that are not presented.
  /// - Returns: `nil` where a sample lasts whole ticks, or no packet states its length.
  public func laidEndToEnd(samplesPerSecond rate: Int, lengths: [Int32]) -> CodedTrack? {
    let clock = TickGrid(ticksPerSecond: Int64(max(1, rate)))
    guard let ratio = try? grid.secondsPerTick.divided(by: clock.secondsPerTick),
      ratio.numerator != 1, lengths.prefix(packets.count).contains(where: { $0 > 0 })
    else { return nil }
    return counted(samplesPerSecond: rate, lengths: lengths, statesTimes: false)
  }

  /// How far stated packet times deviate from packets laid end to end: the largest difference in deviation
  /// between two packets that begin within a given length of each other.
  ///
  /// - Parameter lengths: samples per packet; zero where it is not stated.
  func drift(
    in places: Range<Int>, within length: MediaDuration, samplesPerSecond rate: Int,
    lengths: [Int32]
  ) throws(ExactTimeError) -> MediaDuration {
    let clock = TickGrid(ticksPerSecond: Int64(max(1, rate)))
    let count = SampleCount(
      packets: packets, lengths: lengths, isStored: AudioCodec.isUncompressed(codec),
      ratio: try grid.secondsPerTick.divided(by: clock.secondsPerTick))
    var drift = StampDrift(within: try clock.ticks(of: length, rounding: .up))
    // MP4 states a gap as part of the previous packet's duration, and the stated duration of a Vorbis block
    // may close one.
    let usual = AudioCodec.hasEqualPackets(codec) ? usualDuration(of: places) : nil
    for place in places {
      var length = usual == nil ? count.ownCount(place) : 0
      if length == 0 { length = try count.length(of: place, lasting: usual) }
      drift.add(pts: try count.stated(place).rounded(.nearest), duration: length)
    }
    return try clock.duration(ofTicks: drift.most)
  }

  /// Sets the visible range to match another version of the same packets.
  ///
  /// Its end keeps its distance from the last packet, whose time is counted; an open range stays open.
  fileprivate mutating func show(
    as other: CodedTrack, scaledBy ratio: Rational
  ) throws(ExactTimeError) {
    var (start, end) = (other.visible.lowerBound, other.visible.upperBound)
    if start > .min / 8 { start = try Rational(start).multiplied(by: ratio).rounded(.nearest) }
    if let last = packets.last, let stated = other.packets.last, end < .max / 8 {
      let behind = try Rational(end &- stated.pts).multiplied(by: ratio)
      end = last.pts &+ (try behind.rounded(.nearest))
    }
    visible = min(start, end)..<end
  }
}

/// What the packets of a track state about themselves, in samples.
private struct SampleCount {
  let packets: ContiguousArray<CodedPacket>
  let lengths: [Int32]
  /// Whether samples are stored uncompressed: their number follows from the size in bytes, whatever the
  /// container states.
  let isStored: Bool
  /// Samples per tick.
  let ratio: Rational
  /// Whether the stated time is that of any sample of the packet.
  var statesLaterSample = false

  func stated(_ place: Int) throws(ExactTimeError) -> Rational {
    try Rational(packets[place].pts).multiplied(by: ratio)
  }

  /// Whether a packet begins at the counted position, whatever its stated time.
  func continues(_ place: Int, at end: Int64) throws(ExactTimeError) -> Bool {
    if try isExplained(place, at: end) { return true }
    return try returns(behind: place, at: end)
  }

  /// Whether a packet's stated time matches the counted position, allowing for tick rounding of it and of the
  /// packet where counting began, which was also rounded to a whole sample.
  func isExplained(_ place: Int, at end: Int64) throws(ExactTimeError) -> Bool {
    let tolerance = try ratio.adding(Rational(1, 2))
    if statesLaterSample, try stated(place) > Rational(end) {
      return try stated(place) < Rational(end).adding(Rational(length(of: place))).adding(tolerance)
    }
    return try Self.isNear(stated(place), end, by: tolerance)
  }

  /// The number of packets to look ahead: usually those of a PES packet of 64 KiB.
  private static let reach = 64

  /// Whether a packet whose stated time is off by less than its length is followed by one whose
  /// stated time matches the counted position.
  ///
  /// Then nothing is missing between them. Only the first of the frames that share a PES packet has a
  /// timestamp (ISO/IEC 13818-1, 2.4.3.7); readers add up the lengths of the others in whole ticks, and some
  /// give one of them the time of its neighbor.
  func returns(behind place: Int, at end: Int64) throws(ExactTimeError) -> Bool {
    var (next, length) = (end, try length(of: place))
    guard try Self.isNear(stated(place), end, by: Rational(length)) else { return false }
    var isAddedUp = isAddedUp(place)
    for later in packets.indices[(place + 1)...].prefix(Self.reach) {
      next &+= length
      if try isExplained(later, at: next) { return true }
      length = try self.length(of: later)
      isAddedUp = isAddedUp && self.isAddedUp(later)
    }
    // After the last timestamp in the file.
    return isAddedUp && packets.count - place <= Self.reach
  }

  /// Whether the time of a packet is that of the previous one plus its length, in ticks.
  private func isAddedUp(_ place: Int) -> Bool {
    place > 0 && packets[place - 1].pts &+ packets[place - 1].duration == packets[place].pts
  }

  /// The sample count stated by a packet itself; zero if it states none.
  func ownCount(_ place: Int) -> Int64 {
    lengths.indices.contains(place) ? Int64(lengths[place]) : 0
  }

  /// The count that a packet states, or twice that where its decoder doubles the rate (ISO 14496-3,
  /// 4.6.18), if the container agrees or samples are stored; otherwise what the container states.
  ///
  /// - Parameter ticks: the container's duration, if not this packet's.
  func length(of place: Int, lasting ticks: Int64? = nil) throws(ExactTimeError) -> Int64 {
    let own = ownCount(place)
    if isStored, own > 0 { return own }
    let stated = try Rational(ticks ?? packets[place].duration).multiplied(by: ratio)
    guard stated.isPositive else { return max(1, own) }
    for length in [own, own * 2] where length > 0 {
      if try Self.isNear(stated, length, by: ratio) { return length }
    }
    return max(1, try stated.rounded(.nearest))
  }

  private static func isNear(
    _ stated: Rational, _ counted: Int64, by tolerance: Rational
  ) throws(ExactTimeError) -> Bool {
    let error = try stated.subtracting(Rational(counted))
    guard error <= tolerance else { return false }
    return try error.adding(tolerance).numerator >= 0
  }
}
