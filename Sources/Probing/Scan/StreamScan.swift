package import Bitstreams
package import ExactTime

/// Adds up the packets of one stream to determine what is presented.
///
/// A stream whose clock restarts (concatenated transport streams, chained Ogg) has several
/// *epochs*, each with its own timeline; they are shown one after another.
package struct StreamScan {
  package let isVideo: Bool
  package let grid: TickGrid
  /// Samples per second; `nil` for video or when unknown.
  package let sampleRate: Int64?
  /// True where the container's clock may jump (MPEG-TS, MPEG-PS, Ogg).
  package let mayJump: Bool
  /// The duration of a frame whose packet states none, in ticks.
  package var fallbackDuration: Int64?
  /// The correction added to every time of the stream, because its ticks are coarser than what was
  /// subtracted from them (Matroska's codec delay, in whole milliseconds).
  package var clockCorrection = MediaDuration.zero
  /// True for audio without a container: its times are made up packet by packet, and rounded each
  /// time.
  package var isBare = false
  /// The stream's end stated in its header, in ticks.
  package var statedEnd: Int64?
  /// The end of the other streams, or the stated end of the file if that is later, in ticks.
  package var endOfOthers: Int64?
  /// The duration of the last frame in ticks, where the container states it reliably.
  package var statedLastLength: Int64?
  /// True where every chunk takes one tick, and an empty one repeats the previous frame (AVI, and
  /// Theora in Ogg).
  package var countsChunks = false
  /// How many empty packets after the last picture repeat it, each for a tick (AVI, and Theora in
  /// Ogg).
  package var repeatsOfLast: Int64?
  /// True where the PTS of reordered pictures may be omitted (ISO 13818-1, 2.7.5).
  package var mayOmitPTS = false

  /// True where frames begin in one packet and end in the next, so that the distances of packets
  /// differ from their lengths.
  package var sharesFrames = false

  package internal(set) var epochs: [Epoch] = []
  package private(set) var packetCount = 0
  package private(set) var corruptCount = 0
  package private(set) var untimedCount = 0
  package internal(set) var backwardCount = 0
  /// How many pictures were given the PTS of another, since theirs contradict the coded order.
  package internal(set) var movedCount = 0
  package private(set) var overflowCount = 0
  /// Where no packet begins for over ten seconds, although the clock continues.
  package internal(set) var pauses: [StreamPause] = []
  /// Pictures whose stated PTS is far from those around them.
  package internal(set) var strays: [StrayTimes.Stray] = []
  /// How long the pictures would last with the stated times; `nil` without strays.
  package internal(set) var statedLength: MediaDuration?
  /// The numbers of packets whose DTS, or PTS without one, is far from those around them.
  package internal(set) var strayPackets: Set<Int> = []
  /// Audio packets whose stated PTS is far from those around them, by number.
  var soundStrays: [Int: StrayTimes.Stray] = [:]
  /// Where sound is missing.
  package private(set) var holes = AudioHoles()
  package private(set) var byteCount: Int64 = 0
  /// The times that follow from the packet before, of packets without any, by packet.
  package private(set) var followed: [Int: Int64] = [:]
  /// The last stated time of audio, and how many samples follow it; `nil` where that is not known.
  private var stated: (pts: Int64, samples: Int64)?
  private var addedCount = 0
  private var nextStartsClock = false
  private var nextRate: Int64?

  package init(isVideo: Bool, grid: TickGrid, sampleRate: Int64?, mayJump: Bool) {
    self.isVideo = isVideo
    self.grid = grid
    self.sampleRate = sampleRate
    self.mayJump = mayJump
    shortestHole = (try? grid.ticks(of: MediaDuration(1, 100), rounding: .up)) ?? .max
    longestUncounted = (try? grid.ticks(of: MediaDuration(1, 5), rounding: .up)) ?? .max
    jumpTicks = (try? grid.ticks(of: Self.leastJump, rounding: .up)) ?? .max
    countsSamples = sampleRate.map { $0 > 0 && grid == TickGrid(ticksPerSecond: $0) } ?? false
  }

  /// True where its ticks are samples.
  private let countsSamples: Bool

  private let jumpTicks: Int64
  /// The shortest hole in sound, and that in sound whose packets do not state their length.
  private let shortestHole: Int64
  private let longestUncounted: Int64
  /// The smallest step, in either direction, that is examined as a clock reset or a pause.
  package static let leastJump = StrayNote.leastJump

  /// Removes the priming and padding stated by a tag of the file, from a stream that states none
  /// itself.
  ///
  /// - Returns: false where the tag describes a different stream.
  package mutating func hide(_ tag: GaplessTag) -> Bool? {
    guard epochs.count == 1, epochs[0].priming == 0, epochs[0].padding == 0,
      let total = epochs[0].sampleTotal, epochs[0].otherSamples.isEmpty,
      let packet = epochs[0].lastSamples
    else { return nil }
    guard let hidden = tag.hidden(of: total, packet: Int64(packet)) else { return false }
    (epochs[0].priming, epochs[0].padding) = (hidden.priming, hidden.padding)
    return true
  }

  /// - Returns: true when an epoch begins with this packet.
  @discardableResult
  package mutating func add(_ packet: PacketStamp) -> Bool {
    byteCount += Int64(packet.byteCount)
    addedCount += 1
    if packet.startsClock {
      nextStartsClock = true
      nextRate = packet.clockRate
    }
    if packet.isSilent { return false }
    packetCount += 1
    if packet.isCorrupt { corruptCount += 1 }
    if packet.pts == nil { untimedCount += 1 }
    let stamp = packet.pts ?? packet.dts
    guard
      let pts = stamp ?? followingTime ?? epochs.last?.nextPTS ?? (packetCount == 1 ? 0 : nil),
      // Sums of two such ticks fit in 64 bits.
      pts.magnitude < 1 << 61, packet.duration.magnitude < 1 << 61
    else {
      overflowCount += 1
      return false
    }
    // An impossible DTS is ignored.
    let dts = packet.dts.flatMap { $0.magnitude < 1 << 61 ? $0 : nil }
    // A packet without a time follows the one decoded before it.
    let clock =
      dts ?? (stamp == nil ? epochs.last?.lastDTS.map { $0 &+ step(of: packet) } : nil) ?? pts
    let isNew = epochs.isEmpty || nextStartsClock || startsEpoch(at: clock)
    if isNew {
      let isAhead = !nextStartsClock && epochs.last?.lastDTS.map { $0 < clock } ?? false
      let startsAnew = nextStartsClock
      nextStartsClock = false
      epochs.append(Epoch(firstPTS: pts, lastPTS: pts, lastDuration: 0, nextPTS: pts))
      epochs[epochs.count - 1].isAhead = isAhead
      epochs[epochs.count - 1].startsAnew = startsAnew
      epochs[epochs.count - 1].firstDTS = clock
      epochs[epochs.count - 1].sampleRate = nextRate
      epochs[epochs.count - 1].firstPacket = addedCount - 1
    }
    // Index arithmetic instead of a copy: an epoch's array of ticks may be long.
    let index = epochs.count - 1
    // Where the length of the packet before is not known, its end is not either.
    if stamp == nil, !isNew, untimedCount < packetCount,
      epochs.last.map({ pts > $0.lastPTS }) ?? false
    {
      followed[addedCount - 1] = pts
    }
    if !isVideo { count(packet, statedAt: stamp) }
    if isVideo, packet.isKey, packet.pts != nil, untimedCount > 0,
      untimedCount == packetCount - 1, epochs.count == 1
    {
      // FFmpeg omits times that Matroska states before zero.
      epochs[index].end(at: pts)
    }
    let fallback = step(of: packet)
    if !isVideo { listen(to: packet, at: stamp == nil ? nil : pts, length: fallback, isNew: isNew) }
    if mayOmitPTS, let dts, packet.pts.map({ $0 > dts }) ?? true {
      epochs[index].waiting.append(
        WaitingPicture(place: epochs[index].pts.count, dts: dts, isStamped: packet.pts != nil))
    }
    epochs[index].append(
      packet, number: addedCount - 1, pts: pts, isPicture: isVideo, step: fallback)
    if packet.pts != nil, let dts {
      if dts < 0 { epochs[index].hasNegativeDTS = true }
    }
    if let dts {
      if let last = epochs[index].lastStatedDTS, dts < last { backwardCount += 1 }
      epochs[index].lastStatedDTS = dts
    }
    epochs[index].lastDTS = clock
    return isNew
  }

  /// The end of the packet before, counted from the last stated time, so that rounding errors do not
  /// add up.
  private var followingTime: Int64? {
    guard let stated, let sampleRate, sampleRate > 0,
      let length = try? TickGrid(ticksPerSecond: sampleRate).duration(ofTicks: stated.samples),
      let ticks = try? grid.ticks(of: length, rounding: .nearest)
    else { return nil }
    return stated.pts &+ ticks
  }

  private mutating func count(_ packet: PacketStamp, statedAt stamp: Int64?) {
    if let stamp { stated = (stamp, 0) }
    guard packet.ownRate == nil, let samples = packet.sampleCount else {
      stated = nil
      return
    }
    stated?.samples &+= Int64(samples)
  }

  /// Looks for a hole before an audio packet.
  private mutating func listen(
    to packet: PacketStamp, at start: Int64?, length: Int64, isNew: Bool
  ) {
    if isNew || start == nil { holes.reset() }
    guard let start, !isBare else { return }
    // Where only the container knows the length, its packets may overlap or share frames.
    let least =
      packet.sampleCount == nil || sharesFrames
      ? max(length, longestUncounted) : length - length / 8
    holes.add(
      packet: addedCount - 1, at: start, length: length, least: max(least, shortestHole))
  }

  /// Removes packets marked as corrupt that turned out to be complete from the count.
  mutating func unmark(_ count: Int) { corruptCount = max(0, corruptCount - count) }

  mutating func stampWaiting() {
    for index in epochs.indices { epochs[index].stampWaiting() }
  }

  /// Gives the pictures times that were determined by other means, in decode order.
  package mutating func retime(to times: ContiguousArray<Int64>, end: Int64) {
    guard epochs.count == 1, epochs[0].pts.count == times.count,
      let first = times.inPresentationOrder.dropFirst(epochs[0].hiddenCount).first,
      let last = times.max()
    else { return }
    epochs[0].keepStated()
    epochs[0].pts = times
    (epochs[0].firstPTS, epochs[0].lastPTS) = (first, last)
    epochs[0].lastDuration = max(0, end &- last)
    for place in epochs[0].keys.indices {
      epochs[0].keys[place].pts = times[epochs[0].keys[place].decodeIndex]
    }
  }

  /// The distance to the next packet if that does not state a time.
  private func step(of packet: PacketStamp) -> Int64 {
    if countsSamples, let samples = packet.sampleCount { return Int64(samples) }
    if let samples = packet.sampleCount, let sampleRate, sampleRate > 0,
      let length = try? TickGrid(ticksPerSecond: sampleRate).duration(ofTicks: Int64(samples)),
      let ticks = try? grid.ticks(of: length, rounding: .nearest)
    {
      return ticks
    }
    return packet.duration > 0 ? packet.duration : (fallbackDuration ?? 0)
  }

  private func startsEpoch(at clock: Int64) -> Bool {
    guard mayJump, let last = epochs.last?.lastDTS else { return false }
    // Chained Ogg restarts at zero, often a step back of less than ten seconds.
    return clock - last > jumpTicks || last - clock > min(jumpTicks, backwardTicks)
  }

  private var backwardTicks: Int64 { max(1, jumpTicks / 20) }

  /// Half a second back is more than any misordering of DTS by a sloppy muxer.
  package static let leastReset = MediaDuration(1, 2)
}

/// A picture that is shown later than it is decoded.
struct WaitingPicture {
  /// Its number among the epoch's pictures, in decode order.
  var place: Int
  var dts: Int64
  /// Whether its packet has a PTS.
  var isStamped: Bool
}

extension StreamScan.Epoch {
  /// Gives reordered pictures without a PTS their time: each is shown when the next reordered
  /// picture is decoded (ISO 13818-2, 6.1.1.11).
  mutating func stampWaiting() {
    defer { waiting = [] }
    // Where none has a PTS, it is not known which are reordered.
    let untimed = waiting.count { !$0.isStamped }
    guard untimed > 0, untimed < pts.count else { return }
    keepStated()
    for (number, picture) in waiting.enumerated() where !picture.isStamped {
      let next = number + 1 < waiting.count ? waiting[number + 1].dts : nil
      pts[picture.place] = next ?? (lastDTS ?? picture.dts) &+ max(1, lastDuration)
    }
    for place in keys.indices { keys[place].pts = pts[keys[place].decodeIndex] }
    // Hidden pictures precede all others, also where they are decoded after the first keyframe.
    let shown = pts.inPresentationOrder.dropFirst(hiddenCount)
    guard let first = shown.first, let last = shown.last else { return }
    (firstPTS, lastPTS) = (first, last)
  }
}
