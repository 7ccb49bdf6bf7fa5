import Bitstreams
import ExactTime
package import MediaFacts

/// The streams of one file, packet after packet, and where the clock of the file is reset.
///
/// A step in one stream's clock that another stream does not share is not a reset of the file's
/// clock but a pause of that stream, and both sides belong to one stretch:
///
/// ```
/// video    |---|              |-----|     one stretch
/// audio    |------------------------|
///
/// video    |---|   then, set back,  |-----|     two stretches
/// audio    |---|                    |-----|
/// ```
package struct FileScan {
  /// The scans by stream, in an array because it is accessed for every packet.
  private var scans: [StreamScan?] = []
  /// Every beginning of an epoch, in file order.
  var beginnings: [Beginning] = []
  /// Where the newest packet of each stream begins in the file.
  private var offsets = PerStream<Int64>()

  struct Beginning {
    var stream: Int
    var epoch: Int
    /// The byte range from the stream's previous packet to the epoch's first one.
    var section: Range<Int64>?
    /// The positions of the other streams.
    var others: [Place] = []
  }

  struct Place {
    var stream: Int
    var epoch: Int
    var tick: Int64
  }

  /// How many steps are compared with other streams; a file with more is deliberately made that
  /// way.
  private static let examined = 1000

  /// Interleaved streams are less than this apart; a clock that runs on for longer was not reset.
  static let slack = MediaDuration(1)

  /// The scan of a stream; `nil` for one that is not followed.
  package subscript(stream: Int) -> StreamScan? {
    scans.indices.contains(stream) ? scans[stream] : nil
  }

  /// The streams that are followed.
  package var followed: Set<Int> { Set(scans.indices.filter { scans[$0] != nil }) }

  package mutating func unfollow(_ stream: Int) { change(stream) { $0 = nil } }

  package mutating func follow(_ stream: Int, as scan: StreamScan) {
    while scans.count <= stream { scans.append(nil) }
    scans[stream] = scan
  }

  mutating func change<Result>(
    _ stream: Int, _ body: (inout StreamScan?) -> Result
  ) -> Result? {
    scans.indices.contains(stream) ? body(&scans[stream]) : nil
  }

  package mutating func hide(_ tag: GaplessTag, in stream: Int) -> Bool? {
    change(stream) { $0?.hide(tag) } ?? nil
  }

  mutating func unmark(_ count: Int, in stream: Int) {
    if count > 0 { _ = change(stream) { $0?.unmark(count) } }
  }

  package mutating func add(_ packet: PacketStamp, to stream: Int) {
    let before = offsets[stream]
    if let offset = packet.byteOffset { offsets[stream] = offset }
    guard scans.indices.contains(stream), scans[stream]?.add(packet) == true,
      let count = scans[stream]?.epochs.count
    else { return }
    var beginning = Beginning(stream: stream, epoch: count - 1)
    if let before, let offset = packet.byteOffset, before < offset {
      beginning.section = before..<offset
    }
    if count > 1, beginnings.count < Self.examined {
      for (other, scan) in scans.enumerated() where other != stream {
        guard let scan, let epoch = scan.epochs.last else { continue }
        beginning.others.append(
          Place(stream: other, epoch: scan.epochs.count - 1, tick: epoch.lastPTS))
      }
    }
    beginnings.append(beginning)
  }

  /// Gives the pictures of a stream times that were determined by other means, in decode order.
  package mutating func retime(_ stream: Int, to times: ContiguousArray<Int64>, end: Int64) {
    _ = change(stream) { $0?.retime(to: times, end: end) }
  }

  /// Gives pictures without a PTS their times, once all packets have been added.
  package mutating func stampWaiting() {
    for stream in scans.indices { scans[stream]?.stampWaiting() }
  }

  /// Counts the sound of each stream between both ends of a file, of which the middle is not read.
  mutating func countBetweenEnds() {
    for stream in scans.indices { scans[stream]?.countBetweenEnds() }
  }

  /// Sets how many empty packets repeat the last picture of a stream.
  mutating func repeatLast(of stream: Int, _ count: Int64) {
    _ = change(stream) { $0?.repeatsOfLast = count }
  }

  /// Gives pictures without a PTS the times that follow from the order of all pictures.
  ///
  /// - Returns: the times by packet, where known.
  @discardableResult
  mutating func fill(_ stream: Int, from untimed: UntimedPictures) -> [Int: Int64] {
    change(stream) { $0?.fill(from: untimed) ?? [:] } ?? [:]
  }

  /// Gives pictures whose PTS is far from those around them the times that these leave free.
  ///
  /// - Parameter guessesDTS: its DTS were derived from its PTS, so that they may go back there.
  /// - Returns: them, by packet.
  mutating func settleStrays(_ stream: Int, guessesDTS: Bool) -> [Int: StrayTimes.Stray] {
    change(stream) { scan in
      let strays = scan?.settleStrays() ?? [:]
      if guessesDTS, !strays.isEmpty { scan?.backwardCount = 0 }
      return strays
    } ?? [:]
  }

  /// For each stream, the number of the file's stretch that each epoch belongs to.
  package func stretches() -> [Int: [Int]] {
    var numbers: [Int: [Int]] = [:]
    var newest = 0
    for beginning in beginnings {
      guard let current = numbers[beginning.stream]?.last else {
        numbers[beginning.stream] = [newest]
        continue
      }
      var number = current
      if !isPause(beginning) {
        // The first stream to be reset opens the stretch, the others follow it there.
        number = current == newest ? newest + 1 : newest
        newest = number
      }
      numbers[beginning.stream]?.append(number)
    }
    return numbers
  }

  /// True when another stream's clock runs on over this step.
  func isPause(_ beginning: Beginning) -> Bool {
    guard let scan = self[beginning.stream], beginning.epoch > 0 else { return false }
    let from = scan.time(scan.epochs[beginning.epoch - 1].lastPTS)
    let to = scan.time(scan.epochs[beginning.epoch].firstPTS)
    return beginning.others.contains { place in
      guard let other = self[place.stream], other.epochs.indices.contains(place.epoch),
        let first = other.time(other.epochs[place.epoch].firstPTS),
        let last = other.time(other.epochs[place.epoch].lastPTS),
        let now = other.time(place.tick), let from, let to
      else { return false }
      let runsOn = Self.isBeyond(now, first) && Self.isBeyond(last, now)
      // A pausing stream has no packets in the file while the others continue.
      let fillsStep =
        Self.isBeyond(to, from) && !Self.isBeyond(first, from)
        && !Self.isBeyond(to, last)
      return runsOn || fillsStep
    }
  }

  /// True when `later` is after `earlier` by more than the slack.
  private static func isBeyond(_ later: MediaTime, _ earlier: MediaTime) -> Bool {
    guard let distance = try? later.distance(from: earlier) else { return later > earlier }
    return distance > slack
  }

  /// What each stream presents; `nil` for one that shows nothing.
  package func presented(_ stream: Int, as trackID: Int, stretches: [Int: [Int]]) -> PresentedTrack?
  {
    guard let scan = self[stream], let numbers = stretches[stream] else { return nil }
    var track = PresentedTrack(trackID: trackID, stretches: [])
    for (number, range) in zip(numbers, scan.presentedRanges()) {
      guard let range else { continue }
      if let last = track.stretches.last, last.number == number {
        track.stretches[track.stretches.count - 1].range = last.range.union(range)
      } else {
        track.stretches.append(PresentedTrack.Stretch(number: number, range: range))
      }
    }
    return track.stretches.isEmpty ? nil : track
  }
}

extension FileScan {
  /// Tells each video stream where everything else ends, which may be the only indication of its
  /// last frame's duration.
  ///
  /// - Parameter declared: the duration stated in the container's header.
  package mutating func compareEnds(declared: DurationFact?) {
    var ends: [Int: MediaTime] = [:]
    // Stretches of a clock that was reset have separate ends, which are not stated anywhere.
    for stream in followed {
      guard let scan = self[stream], scan.epochs.count == 1 else { return }
      ends[stream] = scan.presentedRanges().first.flatMap { $0 }?.end
    }
    let stated =
      declared?.source == .containerHeader
      ? declared.flatMap { try? MediaTime.zero.advanced(by: $0.length) } : nil
    for stream in followed {
      let others = ends.filter { $0.key != stream }.map(\.value) + [stated].compactMap { $0 }
      guard let latest = others.max(),
        let tick = try? self[stream]?.grid.tick(of: latest, rounding: .nearest)
      else { continue }
      change(stream) { $0?.endOfOthers = tick }
    }
  }
}
