extension StreamScan {
  /// A stretch of one clock.
  package struct Epoch {
    /// Presentation ticks in decode order: every frame for video, none for audio.
    package var pts: ContiguousArray<Int64> = []
    /// The stated PTS by picture, where some pictures are shown at other times.
    package internal(set) var stated: ContiguousArray<Int64>?
    /// The number of each picture's packet, as long as no packet states a time; `nil` after the
    /// first that does.
    package internal(set) var numbers: ContiguousArray<Int64>? = []
    /// The number of each picture's packet, among all that were added.
    var packets: ContiguousArray<Int32> = []
    /// The number of its first packet among all that were added.
    package var firstPacket = 0
    /// True where it begins later by DTS than the previous epoch ended, without a chained stream's
    /// header.
    var isAhead = false
    /// True where a chained stream's header precedes it.
    var startsAnew = false
    /// The DTS of its first packet, or its PTS where it has none.
    var firstDTS: Int64?
    /// The rate of its ticks, where it differs from the stream's.
    package var sampleRate: Int64?
    package var keys: [GOPSummary.Entry] = []
    /// How many of the first frames are not shown because they cannot be decoded.
    package var hiddenCount = 0
    package var firstPTS: Int64
    package var lastPTS: Int64
    /// Duration and exact sample count of the packet at `lastPTS`.
    package var lastDuration: Int64
    package var lastSamples: Int?
    /// The distance of that packet from the previous one.
    package var lastDistance: Int64?
    /// Samples of all packets; `nil` once one is unknown.
    package var sampleTotal: Int64? = 0
    /// Samples of packets at other rates than the stream's, by rate; they are not in the total.
    package var otherSamples: [Int64: Int64] = [:]
    /// Samples dropped from the start and the end.
    package var priming = 0
    package var padding = 0
    package var hasNegativeDTS = false
    /// The time of the next packet if it does not state one.
    package var nextPTS: Int64
    /// The DTS of the last packet, or its PTS where it has none; and the DTS as stated.
    package var lastDTS: Int64?
    package var lastStatedDTS: Int64?
    /// The reordered pictures, where one may lack a PTS.
    var waiting: [WaitingPicture] = []
  }
}

extension StreamScan.Epoch {
  /// Keeps the stated times before the times of pictures change.
  mutating func keepStated() { stated = stated ?? pts }

  /// Moves pictures without times, which were counted from zero, before the first one that has a
  /// time.
  mutating func end(at tick: Int64) {
    let shift = tick - nextPTS
    guard shift < 0 else { return }
    for place in pts.indices { pts[place] += shift }
    for place in keys.indices { keys[place].pts += shift }
    firstPTS += shift
    lastPTS += shift
  }

  /// - Parameter number: its index among all packets added for the stream.
  mutating func append(
    _ packet: PacketStamp, number: Int, pts: Int64, isPicture: Bool, step: Int64
  ) {
    if packet.pts ?? packet.dts != nil { numbers = nil }
    var pts = pts
    if packet.isHidden, packet.pts ?? packet.dts == nil, self.pts.count > hiddenCount {
      // It precedes what is already shown.
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
      packets.append(Int32(clamping: number))
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
    // The first one shown; earlier ones do not count.
    let isFirst = isPicture ? self.pts.count == hiddenCount + 1 : lastDTS == nil
    if pts < firstPTS || isFirst { firstPTS = pts }
    if pts >= lastPTS || isFirst {
      lastDistance = isFirst || pts == lastPTS ? lastDistance : pts - lastPTS
      lastPTS = pts
      lastDuration = packet.duration
      lastSamples = packet.sampleCount
      // Samples dropped from earlier packets leave a gap; only those of the last move the end.
      padding = packet.skippedAtEnd
    }
    nextPTS = pts + step
  }

  /// Extends the frame, which is on screen until its second field ends.
  private mutating func join(_ field: PacketStamp, pts: Int64, to frame: Int64) {
    guard frame == lastPTS, pts > frame else { return }
    lastDuration = pts - frame + (field.duration > 0 ? field.duration : pts - frame)
  }
}
