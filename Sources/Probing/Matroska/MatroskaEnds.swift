import MediaFiles

/// Both ends of a Matroska file, and its index (Cues): what shows its exact length and its keyframes without the
/// clusters between them.
struct MatroskaEnds {
  let head: MatroskaHead
  /// What Cues names: when a block is shown, in ticks, its track, and where its cluster begins; by place.
  private(set) var cues: [(time: Int64, track: UInt64, cluster: Int64)] = []
  /// Where the last clusters begin.
  private(set) var tail: Int64 = 0
  /// The blocks from there on.
  private(set) var blocks = MatroskaBlocks()
  let file: InputFile
  private var clusters: [Int64] = []

  /// How much is asked for in front: what was fetched with the size, or enough for large pictures too.
  static let fronts = [512 << 10, 2 << 20]
  /// How much is read before Cues or the end: the last clusters of most files.
  private static let mostOfTail: Int64 = 1_300_000
  /// The same behind Cues.
  private static let mostBehind: Int64 = 4 << 20
  private static let mostOfCues: Int64 = 16 << 20
  /// The most that is read to have the last clusters.
  private static let mostRead: Int64 = 24 << 20
  private static let mostElements = 100_000

  /// - Returns: `nil` where the file has no index, is incomplete, or does not show when each track begins and
  ///   ends within what is read.
  init?(_ file: InputFile, front: Int) {
    guard let size = file.byteCount else { return nil }
    file.expect(0..<min(size, Int64(front)))
    guard
      let head = MatroskaHead(
        file.bytes(in: 0..<min(size, Int64(front)), atMost: front), byteCount: size),
      let cues = head.cues, head.hasAllTracks(in: head.blocks)
    else { return nil }
    (self.file, self.head) = (file, head)
    let end = head.segment.upperBound
    let isNear = cues > head.clusterEnd && end - cues <= Self.mostBehind
    // The header of a Void element must fit into what is left out.
    guard
      head.end == head.clusterEnd
        || head.clusterEnd - head.end >= Int64(VoidedInput.headerByteCount)
    else { return nil }
    let start = max(head.clusterEnd, (isNear ? cues : end) - Self.mostOfTail)
    guard start < end else { return nil }
    file.expect(start..<end)
    guard readCues(at: cues) else { return nil }
    let last = clusters.last { $0 < cues || !isNear } ?? 0
    guard
      last >= start
        ? readTail(from: last)
        : findTail(in: start..<(isNear ? cues : end)) || readTail(from: last)
    else { return nil }
  }

  /// What is left out.
  var voids: [Range<Int64>] {
    [head.end..<head.clusterEnd, head.clusterEnd..<tail].filter { !$0.isEmpty }
  }

  /// When the blocks of a track are shown that Cues names.
  func cueTimes(of track: UInt64) -> [Int64] { cues.filter { $0.track == track }.map(\.time) }

  /// What reading both ends leads to.
  enum Answer<Value> {
    case known(Value)
    /// They do not show it.
    case unknown
    /// More of the front is needed to describe the streams, or to know when they begin.
    case needsFront
    /// More of the end is needed to know which picture is shown last.
    case needsTail
  }

  /// Reads as much of both ends as it takes.
  ///
  /// - Returns: `nil` where what is asked for is not known from them.
  static func read<Value>(
    _ file: InputFile, _ body: (MatroskaEnds) throws(MediaError) -> Answer<Value>
  ) throws(MediaError) -> Value? {
    for front in fronts {
      guard var ends = MatroskaEnds(file, front: front) else { continue }
      var answer = try body(ends)
      while case .needsTail = answer {
        guard ends.extend() else { return nil }
        answer = try body(ends)
      }
      switch answer {
      case .known(let value): return value
      case .unknown, .needsTail: return nil
      case .needsFront: continue
      }
    }
    return nil
  }

  /// Begins the last clusters earlier, where Cues names the cluster of a keyframe.
  ///
  /// - Returns: false where too much would be read.
  mutating func extend() -> Bool { extend(to: tail - 1) }

  /// The same, so that they contain a place.
  mutating func extend(to place: Int64) -> Bool {
    guard let earlier = clusters.last(where: { $0 <= place }) else { return false }
    return readTail(from: earlier)
  }

  private mutating func readCues(at place: Int64) -> Bool {
    file.expect(place..<min(head.segment.upperBound, place + (64 << 10)))
    guard let element = EBML.head(file.bytes(in: place..<place + 12, atMost: 12)),
      element.id == MatroskaHead.Name.cues, let size = element.size, size <= Self.mostOfCues,
      place + Int64(element.length) + size <= head.segment.upperBound
    else { return false }
    let body = place + Int64(element.length)
    file.expect(body..<body + size)
    let content = file.bytes(in: body..<body + size, atMost: Int(size))
    var found: Set<Int64> = []
    for point in EBMLElements(content[...]) where point.id == 0xBB {
      let parts = EBMLElements(point.content)
      guard let time = parts.first(where: { $0.id == 0xB3 }).flatMap({ Int64(exactly: $0.number) })
      else { continue }
      for position in parts where position.id == 0xB7 {
        var (track, cluster): (UInt64?, UInt64?)
        for part in EBMLElements(position.content) {
          if part.id == 0xF7 { track = part.number }
          if part.id == 0xF1 { cluster = part.number }
        }
        guard let track, let cluster, cluster < UInt64(head.segment.count) else { return false }
        let place = head.segment.lowerBound + Int64(cluster)
        cues.append((time, track, place))
        found.insert(place)
      }
    }
    clusters = found.sorted()
    cues.sort { ($0.cluster, $0.time) < ($1.cluster, $1.time) }
    return !clusters.isEmpty
  }

  /// How often bytes of media may look like the name of a cluster.
  private static let mostCandidates = 64

  /// Looks for clusters from which on the file is elements up to its end.
  private mutating func findTail(in range: Range<Int64>) -> Bool {
    let bytes = file.bytes(in: range, atMost: Int(range.upperBound - range.lowerBound))
    let name: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
    var (place, tried) = (0, 0)
    while tried < Self.mostCandidates, let found = bytes[place...].firstIndex(of: name[0]),
      found + 4 <= bytes.count
    {
      if bytes[found..<found + 4].elementsEqual(name) {
        if readTail(from: range.lowerBound + Int64(found)) { return true }
        tried += 1
      }
      place = found + 1
    }
    return false
  }

  /// Takes the clusters from a place on, if they are followed by nothing else than elements.
  private mutating func readTail(from start: Int64) -> Bool {
    let end = head.segment.upperBound
    // A Void element takes the place of what is left out.
    let gap = start - head.clusterEnd
    guard gap == 0 || gap >= Int64(VoidedInput.headerByteCount), end - start <= Self.mostRead else {
      return false
    }
    var blocks = MatroskaBlocks()
    var place = start
    var found = 0
    while place < end {
      found += 1
      if found == 1, !file.isAtHand(place..<place + 12) { file.expect(place..<end) }
      guard found < Self.mostElements,
        let next = EBML.head(file.bytes(in: place..<place + 12, atMost: 12)), let size = next.size,
        MatroskaHead.Name.all.contains(next.id), found > 1 || next.id == MatroskaHead.Name.cluster,
        size <= end - place - Int64(next.length)
      else { return false }
      let body = place + Int64(next.length)
      if next.id == MatroskaHead.Name.cluster {
        let content = file.bytes(in: body..<body + size, atMost: Int(size))
        blocks.beginCluster()
        for element in EBMLElements(content[...]) { blocks.add(element.id, element.content) }
      }
      place = body + size
    }
    guard head.hasAllTracks(in: blocks) else { return false }
    (tail, self.blocks) = (start, blocks)
    return true
  }
}

extension MatroskaHead {
  /// Whether each track that is presented has a block.
  func hasAllTracks(in blocks: MatroskaBlocks) -> Bool {
    let shown = tracks.filter(\.isPresented)
    return !shown.isEmpty && shown.allSatisfy { blocks.counts[$0.number, default: 0] > 0 }
  }
}
