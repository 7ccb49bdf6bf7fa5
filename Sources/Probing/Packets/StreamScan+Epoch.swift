extension StreamScan {
  /// A stretch of one clock.
  package struct Epoch {
    /// Presentation ticks in decode order: every frame for pictures, none for sound.
    package var pts: ContiguousArray<Int64> = []
    /// What the packets state, by picture, where some are shown at other times than that.
    package internal(set) var stated: ContiguousArray<Int64>?
    /// The number of each picture's packet, where no packet states a time; behind the first that does, none.
    package internal(set) var numbers: ContiguousArray<Int64>? = []
    /// The number of its first packet among all that were added.
    package var firstPacket = 0
    /// It begins later than the one before it ended, by its DTS, and no header of a chained stream begins it.
    var isAhead = false
    /// The rate its ticks count, where it differs from the stream's.
    package var sampleRate: Int64?
    package var keys: [GOPSummary.Entry] = []
    /// How many of the first frames are not shown: nothing before them allows to decode them.
    package var hiddenCount = 0
    package var firstPTS: Int64
    package var lastPTS: Int64
    /// Duration and exact sample count of the packet at `lastPTS`.
    package var lastDuration: Int64
    package var lastSamples: Int?
    /// How far it lies behind the packet before it.
    package var lastDistance: Int64?
    /// Samples of all packets; `nil` once one does not tell.
    package var sampleTotal: Int64? = 0
    /// Samples of packets at other rates than the stream's, by rate; they are not in the total.
    package var otherSamples: [Int64: Int64] = [:]
    /// Samples dropped from the start and the end.
    package var priming = 0
    package var padding = 0
    package var hasNegativeDTS = false
    /// Where the next packet belongs when it does not say.
    package var nextPTS: Int64
    /// DTS of the last packet, or its PTS where it has none; and as it was stated.
    package var lastDTS: Int64?
    package var lastStatedDTS: Int64?
    /// The pictures that wait for others, where one may come without a PTS.
    var waiting: [WaitingPicture] = []
  }
}

extension StreamScan.Epoch {
  /// The times of pictures become others than those that their packets state.
  mutating func keepStated() { stated = stated ?? pts }

  /// Moves pictures without times, which were counted from zero on, before the first one that has one.
  mutating func end(at tick: Int64) {
    let shift = tick - nextPTS
    guard shift < 0 else { return }
    for place in pts.indices { pts[place] += shift }
    for place in keys.indices { keys[place].pts += shift }
    firstPTS += shift
    lastPTS += shift
  }

  /// - Parameter number: its place among all packets of the stream that were added.
  mutating func append(
    _ packet: PacketStamp, number: Int, pts: Int64, isPicture: Bool, step: Int64
  ) {
    if packet.pts ?? packet.dts != nil { numbers = nil }
    var pts = pts
    if packet.isHidden, packet.pts ?? packet.dts == nil, self.pts.count > hiddenCount {
      // It leads what is shown already.
      pts = min(pts, firstPTS - 1)
    }
    if isPicture, packet.isSecondField, let frame = self.pts.last {
      join(packet, pts: pts, to: frame)
      nextPTS = pts + step
      return
    }
    if isPicture {
      if packet.isKey {
        keys.append(
          GOPSummary.Entry(
            decodeIndex: self.pts.count, pts: pts, byteOffset: packet.byteOffset,
            access: packet.access))
      }
      self.pts.append(pts)
      numbers?.append(Int64(number - firstPacket))
      if packet.isHidden {
        hiddenCount += 1
        nextPTS = pts + step
        return
      }
    } else {
      if lastDTS == nil { priming = packet.skippedAtStart }
      if let rate = packet.ownRate, let count = packet.sampleCount {
        otherSamples[rate, default: 0] += Int64(count)
      } else {
        sampleTotal = sampleTotal.flatMap { total in
          packet.sampleCount.map { total + Int64($0) }
        }
      }
    }
    // The first that is shown; those before it count for nothing.
    let isFirst = isPicture ? self.pts.count == hiddenCount + 1 : lastDTS == nil
    if pts < firstPTS || isFirst { firstPTS = pts }
    if pts >= lastPTS || isFirst {
      lastDistance = isFirst || pts == lastPTS ? lastDistance : pts - lastPTS
      lastPTS = pts
      lastDuration = packet.duration
      lastSamples = packet.sampleCount
      // What is dropped from a packet before the last leaves a gap; only this one's moves the end.
      padding = packet.skippedAtEnd
    }
    nextPTS = pts + step
  }

  /// The frame is on screen until its second field ends.
  private mutating func join(_ field: PacketStamp, pts: Int64, to frame: Int64) {
    guard frame == lastPTS, pts > frame else { return }
    lastDuration = pts - frame + (field.duration > 0 ? field.duration : pts - frame)
  }
}
