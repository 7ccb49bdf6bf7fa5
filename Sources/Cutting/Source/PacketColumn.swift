import Bitstreams
import Trimming

/// Packet data that a scan keeps for one stream.
struct PacketColumn {
  var packets: ContiguousArray<CodedPacket> = []
  /// Number of samples of each audio packet; zero where unknown.
  var samples: [Int32] = []
  /// For Vorbis, once a packet was read.
  var blocks: VorbisBlocks?
  /// Numbers of packets that are the second field of a frame.
  var seconds: Set<Int> = []
  /// Numbers of packets without a visible picture.
  var empties: Set<Int> = []
  /// Places of packets that the demuxer flags as corrupt.
  var corrupt: Set<Int> = []
  var number = 0
  /// Packets that were not read: the number and the place of the first of each run, and how many they are.
  var unread: [(number: Int, place: Int, count: Int)] = []
  /// Decoders do not show the last frame, nor its second field.
  var hasSkipped = false
  /// Places of packets without a PTS.
  var unstamped: [Int] = []
  /// Places of packets without a PTS and a DTS.
  var untimed: [Int] = []
  /// Packets follow after those that were dropped for lack of a time.
  var goesOnUntimed = false
  var hasNoTime: Bool { !untimed.isEmpty || goesOnUntimed }
  /// The last packets have no timestamp, and were dropped.
  var endsUntimed = false
  /// A timestamp is so far from zero that sums would overflow 64 bits.
  var hasImpossibleTime = false
  /// All packets without a PTS were given one.
  var isFilled = false
  var lastDTS: Int64?
  /// The end of the last audio packet is not heard.
  var hidesEnd = false
  /// File offset of the last Ogg page, and the place of the first packet on it.
  var page: Int64?
  var pagePlace = 0
  /// Places of packets with a DTS before the previous one.
  var backs: [Int] = []
  /// The file ends inside the last packet.
  var isCutShort = false
  /// Places of audio packets before which others were dropped, and how many were.
  var overlaps: Set<Int> = []
  var leftOut = 0
  /// Places of AAC packets whose ADTS headers differ from the previous one, including the first
  /// packet, and those headers.
  var headerChanges: [(place: Int, header: ADTSHeader)] = []
  /// More segments of the current screen follow.
  var isScreenOpen = false
  /// Maximum seconds that a screen may stay visible, by packet place, and for the last one.
  var screenLimits: [Int: Int] = [:]
  var longestScreen: Int?
  /// Places of packets that clear subtitles from the screen.
  var clearings: Set<Int> = []

  /// - Parameter header: of the next packet (ISO 14496-3, 1.A.2.2).
  mutating func noteHeader(_ header: [UInt8]) {
    guard let reported = ADTSHeader(header) else { return }
    if headerChanges.last?.header.audioSpecificConfig != reported.audioSpecificConfig {
      headerChanges.append((packets.count, reported))
    }
  }

  /// No header has stated the channels yet.
  var leavesChannelsToFrames: Bool {
    headerChanges.allSatisfy { $0.header.channels == 0 }
  }

  /// The header descriptions that persist.
  ///
  /// Fewer than four packets that differ mid-stream are taken for damage. The first run always
  /// counts: the track was described by it.
  var descriptions: AudioDescriptions {
    let ends = headerChanges.dropFirst().map(\.place) + [packets.count]
    var lasting: [AudioDescriptions.Run] = []
    for (change, end) in zip(headerChanges, ends) {
      let isAtAnEnd = lasting.isEmpty || end == packets.count
      guard isAtAnEnd || end - change.place >= Self.fewestAlike else { continue }
      let run = AudioDescriptions.Run(place: change.place, change.header)
      if lasting.last?.configuration != run.configuration { lasting.append(run) }
    }
    return AudioDescriptions(lasting)
  }

  private static let fewestAlike = 4

  /// Moves packets before the first keyframe back: they are not shown, and have only timestamps
  /// guessed by the demuxer.
  mutating func moveBack(by ticks: Int64) {
    for place in packets.indices {
      packets[place].pts &-= ticks
      packets[place].dts &-= ticks
    }
  }

  /// Maximum error in ticks of a muxer's sums of frame durations.
  private static let rounding: Int64 = 2

  /// Maximum number of pictures around a corrected PTS whose DTS may be wrong.
  private static let reach = 3

  /// - Parameters:
  ///   - times: by number.
  ///   - guessesDTS: the demuxer derived DTS from the PTS that are corrected here.
  ///   - storesDTS: whether the container states DTS.
  mutating func fill(
    _ times: [Int: Int64], isVideo: Bool, guessesDTS: Bool, storesDTS: Bool
  ) {
    var place = 0
    var given: Set<Int> = []
    var moved: Set<Int> = []
    for number in 0..<number where !empties.contains(number) && !seconds.contains(number) {
      if let time = times[number], packets.indices.contains(place) {
        packets[place].pts = time
        if !isVideo { packets[place].dts = time }
        given.insert(place)
        moved.formUnion(place - Self.reach...place + Self.reach)
      }
      place += 1
    }
    unstamped.removeAll(where: given.contains)
    untimed.removeAll(where: given.contains)
    guard isVideo else { return }
    isFilled = unstamped.isEmpty
    if isFilled, !storesDTS { backs = [] }
    if isFilled, guessesDTS { backs.removeAll(where: moved.contains) }
  }

  /// Gives packets DTS between those before and after them.
  ///
  /// - Parameter places: in ascending order.
  mutating func restoreDTS(ofPlaces places: [Int]) {
    var rest = places[...]
    while let first = rest.first {
      var end = first
      while rest.first == end {
        rest.removeFirst()
        end += 1
      }
      guard first > 0, end < packets.count else { continue }
      let (before, after) = (packets[first - 1].dts, packets[end].dts)
      guard before <= after else { continue }
      let step = (after &- before) / Int64(end - first + 1)
      for place in first..<end {
        packets[place].dts = before &+ step &* Int64(place - first + 1)
      }
      backs.removeAll { (first...end).contains($0) }
    }
  }

  /// Whether the PTS confirm the decode order where the DTS go back: by a rounding error or within
  /// a GOP, or at an intra picture that is shown after everything before it and before everything
  /// after it.
  ///
  /// In two concatenated streams, the second may be decoded before the first has ended.
  var isOrderedByPTS: Bool {
    let usual = CodedTrack.usual(of: packets.lazy.map(\.duration))
    let seams = backs.filter { place in
      guard place > 0, packets.indices.contains(place) else { return true }
      let step = packets[place - 1].dts &- packets[place].dts
      return step > Self.rounding && !hasWrongDTS(at: place, step, usual)
    }
    guard seams.allSatisfy({ packets.indices.contains($0) && packets[$0].isKey }) else {
      return false
    }
    var last = Int64.min
    var shown: [Int: Int64] = [:]
    let starts = Set(seams)
    for place in packets.indices {
      if starts.contains(place) { shown[place] = last }
      last = max(last, packets[place].pts)
    }
    var first = Int64.max
    for place in packets.indices.reversed() {
      first = min(first, packets[place].pts)
      if let before = shown[place], before >= first { return false }
    }
    return true
  }

  /// Whether only the DTS are wrong within a GOP, as in reordered video written by VLC, which omits
  /// a DTS that would exceed its PTS.
  ///
  /// After a clock reset, PTS would overlap those of neighboring packets.
  private func hasWrongDTS(at place: Int, _ step: Int64, _ usual: Int64?) -> Bool {
    guard let usual, !packets[place].isKey, step <= usual &* Int64(Self.reach) else {
      return false
    }
    let times = packets[max(0, place - Self.reach)..<min(packets.count, place + Self.reach)]
      .map(\.pts).sorted()
    return zip(times, times.dropFirst()).allSatisfy {
      $1 &- $0 > usual / 2 && $1 &- $0 <= usual &* Int64(Self.reach)
    }
  }

  /// Drops audio packets that would overlap what follows.
  ///
  /// - Parameter number: the number of the packet that follows.
  mutating func leaveOut(notBefore dts: Int64, _ number: Int) {
    var number = number - 1
    while let last = packets.last, last.dts >= dts {
      packets.removeLast()
      samples.removeLast()
      corrupt.remove(packets.count)
      overlaps.remove(packets.count)
      if headerChanges.last?.place == packets.count { headerChanges.removeLast() }
      if unstamped.last == packets.count { unstamped.removeLast() }
      if untimed.last == packets.count { untimed.removeLast() }
      while empties.contains(number) { number -= 1 }
      empties.insert(number)
      leftOut += 1
    }
    overlaps.insert(packets.count)
    lastDTS = packets.last?.dts
  }
}
