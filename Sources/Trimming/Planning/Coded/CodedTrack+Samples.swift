import ExactTime

extension CodedTrack {
  /// On the grid of samples.
  ///
  /// A packet begins where the one before ends, unless it is stated farther from there than this
  /// track's ticks explain: then it begins where it is stated, and the one before lasts up to there.
  ///
  /// - Parameters:
  ///   - lengths: samples of each packet; zero where it does not tell.
  ///   - statesTimes: false where nothing states when packets begin, so that each does where the one before ends.
  public func counted(
    samplesPerSecond rate: Int, lengths: [Int32], statesTimes: Bool = true
  ) -> CodedTrack? {
    do {
      var result = self
      result.grid = TickGrid(ticksPerSecond: Int64(max(1, rate)))
      let count = SampleCount(
        packets: packets, lengths: lengths, isStored: SoundCodec.isUncompressed(codec),
        ratio: try grid.secondsPerTick.divided(by: result.grid.secondsPerTick))
      var end: Int64?
      for place in packets.indices {
        let length = try count.length(of: place)
        var start = try count.stated(place).rounded(.nearest)
        if let end, try !statesTimes || count.continues(place, at: end) { start = end }
        if place > 0 {
          let before = result.packets[place - 1].pts
          // One that is stated to begin before, follows all the same; where samples are parted anywhere, behind the
          // last of them, else so that it moves others by a sample at most.
          if start <= before {
            start = SoundCodec.isUncompressed(codec) ? end ?? before &+ 1 : before &+ 1
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
  /// The same track where nothing states when packets begin, so that each does where the one before ends: readers of
  /// files without a container add up lengths in ticks, and every one of them is rounded.
  ///
  /// - Parameter lengths: samples of each packet, zero where it does not tell, and perhaps of others behind that are
  ///   not presented.
  /// - Returns: `nil` where a sample lasts whole ticks, or no packet tells its length.
  public func laidEndToEnd(samplesPerSecond rate: Int, lengths: [Int32]) -> CodedTrack? {
    let clock = TickGrid(ticksPerSecond: Int64(max(1, rate)))
    guard let ratio = try? grid.secondsPerTick.divided(by: clock.secondsPerTick),
      ratio.numerator != 1, lengths.prefix(packets.count).contains(where: { $0 > 0 })
    else { return nil }
    return counted(samplesPerSecond: rate, lengths: lengths, statesTimes: false)
  }

  /// By how much packets are stated to be from where others put them, end to end, that begin within a length.
  ///
  /// - Parameter lengths: samples of each packet; zero where it does not tell.
  func drift(
    in places: Range<Int>, within length: MediaDuration, samplesPerSecond rate: Int,
    lengths: [Int32]
  ) throws(ExactTimeError) -> MediaDuration {
    let clock = TickGrid(ticksPerSecond: Int64(max(1, rate)))
    let count = SampleCount(
      packets: packets, lengths: lengths, isStored: SoundCodec.isUncompressed(codec),
      ratio: try grid.secondsPerTick.divided(by: clock.secondsPerTick))
    var drift = StampDrift(within: try clock.ticks(of: length, rounding: .up))
    // MP4 states a gap as a part of the packet before it, and what a block of Vorbis is stated to last may close one.
    let usual = SoundCodec.hasEqualPackets(codec) ? usualDuration(of: places) : nil
    for place in places {
      var length = usual == nil ? count.told(place) : 0
      if length == 0 { length = try count.length(of: place, lasting: usual) }
      drift.add(pts: try count.stated(place).rounded(.nearest), duration: length)
    }
    return try clock.duration(ofTicks: drift.most)
  }

  /// Begins and ends what is heard where another counting of the same packets does.
  ///
  /// Where its last packet ends is counted; ends beyond any packet stay so.
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

/// What the packets of a track state of themselves, in samples.
private struct SampleCount {
  let packets: ContiguousArray<CodedPacket>
  let lengths: [Int32]
  /// Samples are stored as they are: there are as many as there are bytes for, whatever the container says.
  let isStored: Bool
  /// Samples of a tick.
  let ratio: Rational

  func stated(_ place: Int) throws(ExactTimeError) -> Rational {
    try Rational(packets[place].pts).multiplied(by: ratio)
  }

  /// Whether a packet begins where samples are counted to, whatever it is stated at.
  func continues(_ place: Int, at end: Int64) throws(ExactTimeError) -> Bool {
    if try isExplained(place, at: end) { return true }
    return try returns(behind: place, at: end)
  }

  /// Whether a packet is stated where samples are counted to, but for what ticks round of it and of the
  /// packet that counting began with, which was brought to a whole sample besides.
  func isExplained(_ place: Int, at end: Int64) throws(ExactTimeError) -> Bool {
    try Self.isNear(stated(place), end, by: ratio.adding(Rational(1, 2)))
  }

  /// Packets that are read ahead: those of a PES packet of 64 KiB, as a rule.
  private static let reach = 64

  /// Whether a packet that is stated elsewhere, by less than its length, is followed by one that is
  /// stated where samples are counted to.
  ///
  /// Then nothing is missing between them. Of frames that share a PES packet the first alone has a time
  /// (ISO/IEC 13818-1, 2.4.3.7); readers add up the lengths of the others in whole ticks, and some give
  /// one of them the time of its neighbour.
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
    // Behind the last time that the file states.
    return isAddedUp && packets.count - place <= Self.reach
  }

  /// Whether the time of a packet is that of the one before and its length, in ticks.
  private func isAddedUp(_ place: Int) -> Bool {
    place > 0 && packets[place - 1].pts &+ packets[place - 1].duration == packets[place].pts
  }

  /// What a packet says itself; zero where that is nothing.
  func told(_ place: Int) -> Int64 { lengths.indices.contains(place) ? Int64(lengths[place]) : 0 }

  /// What a packet says, or twice that where its decoder doubles the rate (ISO 14496-3, 4.6.18), if
  /// that is what the container says too, or samples are stored; else what the container says.
  ///
  /// - Parameter ticks: what the container says, if not of this packet.
  func length(of place: Int, lasting ticks: Int64? = nil) throws(ExactTimeError) -> Int64 {
    let told = told(place)
    if isStored, told > 0 { return told }
    let stated = try Rational(ticks ?? packets[place].duration).multiplied(by: ratio)
    guard stated.isPositive else { return max(1, told) }
    for length in [told, told * 2] where length > 0 {
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
