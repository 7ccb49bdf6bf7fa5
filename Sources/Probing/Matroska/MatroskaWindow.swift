import MediaFiles

/// The clusters of a Matroska file from the keyframe before a range up to the GOP behind it, found by Cues.
struct MatroskaWindow {
  /// Where its first cluster begins.
  let start: Int64
  /// Up to where its blocks are read, and where the cluster of the last one ends.
  private(set) var end: Int64
  private(set) var clusterEnd: Int64
  private(set) var blocks = MatroskaBlocks()

  /// What is needed of a track around the range, in ticks.
  struct Need {
    /// The number of the track.
    var track: UInt64
    /// The most pictures that a decoder holds back for one; `nil` for sound.
    ///
    /// Of video, the first keyframe not before the end of the range is read, and so many pictures from it on that
    /// none that is shown before it is missing.
    var reordered: Int?
    /// What is shown from then on must be read, and up to then.
    var from: Int64
    var to: Int64
  }

  /// The most that is read for all ranges of a cut: what the cache does not hold is fetched for each of the readers,
  /// up to four times, and the whole file twice.
  static func most(_ ends: MatroskaEnds) -> Int64 {
    max(40 << 20, Int64(ends.head.segment.count) / 3)
  }

  /// How much is fetched behind the keyframe that ends it, at least.
  private static let leastBehind: Int64 = 256 << 10
  /// How many pictures behind a range are given to a decoder until it returns those of the range: see
  /// `EdgeEncoder.longestDelay`.
  static let mostAhead = 32
  /// The most elements of clusters, which may be of one byte.
  private static let mostElements = 1 << 20
  /// How often it may turn out that more in front of it is needed.
  private static let mostSteps = 3

  /// - Returns: `nil` where Cues does not lead to what is needed.
  static func around(_ needs: [Need], _ ends: MatroskaEnds) -> Self? {
    let pictures = needs.filter { $0.reordered != nil }
    guard let from = needs.map(\.from).min(), !pictures.isEmpty else { return nil }
    let first = ends.head.firstCluster
    // The latest cluster in front of what all tracks need.
    var starts = [first]
    for cue in ends.cues
    where cue.time <= from && pictures.contains(where: { $0.track == cue.track }) {
      starts.append(cue.cluster)
    }
    starts = Array(Set(starts)).sorted()
    var behind = first
    for need in pictures { behind = max(behind, Self.expectedEnd(for: need, ends)) }
    for start in starts.reversed().prefix(mostSteps) {
      // A cluster in front that was read in part is read as a whole.
      let start = start < ends.head.clusterEnd ? first : start
      guard start < behind, behind - start <= most(ends) else { return nil }
      guard let window = Self(from: start, fetching: behind, needs, ends) else { return nil }
      if start == first || window.holdsBeginnings(of: needs) { return window }
    }
    return nil
  }

  /// Up to where what a track needs is expected, by the places of the keyframes.
  private static func expectedEnd(for need: Need, _ ends: MatroskaEnds) -> Int64 {
    let cues = ends.cues.filter { $0.track == need.track }
    guard let key = cues.first(where: { $0.time >= need.to }),
      let frame = ends.head.tracks.first(where: { $0.number == need.track })?.frameLength
    else { return ends.head.segment.upperBound }
    // Keyframes are larger than other pictures.
    func later(_ time: Int64, _ frames: Int) -> Int64 {
      let (length, overflow) = frame.multipliedReportingOverflow(by: UInt64(frames + 4))
      return overflow
        ? .max
        : time.addingReportingOverflow(
          Int64(clamping: length / max(1, ends.head.tick))
        ).partialValue
    }
    let time = max(later(key.time, need.reordered ?? 0), later(need.to, mostAhead))
    guard let next = cues.firstIndex(where: { $0.time > time }), next > 0 else {
      return ends.head.segment.upperBound
    }
    let (one, other) = (cues[next - 1], cues[next])
    let (bytes, ticks) = (other.cluster - one.cluster, other.time - one.time)
    let share = Int128(bytes) * Int128(time - one.time) / Int128(max(1, ticks))
    return min(other.cluster, one.cluster + Int64(clamping: share)) + leastBehind
  }

  private init?(
    from start: Int64, fetching behind: Int64, _ needs: [Need], _ ends: MatroskaEnds
  ) {
    (self.start, end, clusterEnd) = (start, start, start)
    let limit = ends.head.segment.upperBound
    ends.file.expect(start..<min(behind, limit))
    var reader = CensusReader(ends.file)
    var place = start
    let most = Self.most(ends)
    var (found, behindEnds) = (0, needs.map { BehindEnd(need: $0) })
    while place < limit, place - start < most {
      guard let next = Self.element(at: place, before: limit, &reader),
        MatroskaHead.Name.all.contains(next.id)
      else { return nil }
      place = next.content.upperBound
      guard next.id == MatroskaHead.Name.cluster else { continue }
      blocks.beginCluster()
      clusterEnd = place
      var inner = next.content.lowerBound
      while inner < place {
        found += 1
        guard found < Self.mostElements,
          let element = Self.element(at: inner, before: place, &reader),
          add(element.id, element.content, &reader)
        else { return nil }
        inner = element.content.upperBound
        end = inner
        // What is left out must leave room for the header of a Void element.
        let rest = place - inner
        guard rest == 0 || rest >= Int64(VoidedInput.headerByteCount) else { continue }
        for index in behindEnds.indices { behindEnds[index].take(blocks) }
        if behindEnds.allSatisfy(\.isEnough) { return }
      }
    }
    guard place == limit else { return nil }
    (end, clusterEnd) = (limit, limit)
  }

  private static func element(
    at place: Int64, before end: Int64, _ reader: inout CensusReader
  ) -> (id: UInt32, content: Range<Int64>)? {
    guard let head = reader.bytes(at: place, count: Int(min(12, end - place))).flatMap(EBML.head),
      let size = head.size, size <= end - place - Int64(head.length)
    else { return nil }
    let body = place + Int64(head.length)
    return (head.id, body..<body + size)
  }

  /// How much of a block is read: its track, time and flags.
  private static let headOfBlock: Int64 = 16

  /// Adds an element of a cluster, of which the media is not read.
  private mutating func add(
    _ id: UInt32, _ content: Range<Int64>, _ reader: inout CensusReader
  ) -> Bool {
    let count = content.upperBound - content.lowerBound
    if id == 0xA0 {
      // Whether it is a keyframe stands behind its media.
      var inner = content.lowerBound
      var (head, refers): (ArraySlice<UInt8>?, Bool) = (nil, false)
      while inner < content.upperBound {
        guard let part = Self.element(at: inner, before: content.upperBound, &reader) else {
          return false
        }
        if part.id == 0xFB { refers = true }
        if part.id == 0xA1 {
          let length = min(Self.headOfBlock, part.content.upperBound - part.content.lowerBound)
          head = reader.bytes(at: part.content.lowerBound, count: Int(length))
        }
        inner = part.content.upperBound
      }
      guard let head else { return false }
      blocks.add(block: head) { _ in !refers }
      return true
    }
    guard let head = reader.bytes(at: content.lowerBound, count: Int(min(Self.headOfBlock, count)))
    else { return false }
    blocks.add(id, head)
    return true
  }

  /// Whether it begins early enough.
  private func holdsBeginnings(of needs: [Need]) -> Bool {
    needs.allSatisfy { need in
      guard let first = blocks.of(need.track).first else { return false }
      return first.time <= need.from && (need.reordered == nil || first.isKey)
    }
  }
}

/// What was read of a track around the end of what is needed of it.
private struct BehindEnd {
  let need: MatroskaWindow.Need
  /// How many blocks of all tracks were looked at.
  private var taken = 0
  /// How many of them are of this one.
  private var count = 0
  /// The last one that is shown before the end.
  private var shown = 0
  private var last = Int64.min
  /// When the first keyframe not before the end is shown.
  private var key: Int64?
  /// How many that are not shown before it were read from it on.
  private var countFromKey = 0

  init(need: MatroskaWindow.Need) { self.need = need }

  mutating func take(_ blocks: MatroskaBlocks) {
    for block in blocks.all[taken...] where block.track == need.track {
      if block.time < need.to { shown = count }
      if key == nil, block.isKey, block.time >= need.to { key = block.time }
      if let key, block.time >= key { countFromKey += 1 }
      last = block.time
      count += 1
    }
    taken = blocks.all.count
  }

  var isEnough: Bool {
    guard last >= need.to else { return false }
    guard let reordered = need.reordered else { return true }
    return key != nil && count - 1 - shown >= MatroskaWindow.mostAhead && countFromKey > reordered
  }
}
