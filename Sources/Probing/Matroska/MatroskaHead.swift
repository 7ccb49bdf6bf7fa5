import MediaFiles

/// What precedes the first clusters of a Matroska file, and which blocks come first (RFC 9559, 5.1).
struct MatroskaHead {
  /// A track of the file.
  struct Track {
    var number: UInt64
    /// 1 for video, 2 for audio.
    var type: UInt64
    /// The distance of its frames in nanoseconds, where that is stated (DefaultDuration).
    var frameLength: UInt64?

    var isPresented: Bool { type == 1 || type == 2 }
  }

  enum Name {
    static let segment: UInt32 = 0x1853_8067
    static let seekHead: UInt32 = 0x114D_9B74
    static let info: UInt32 = 0x1549_A966
    static let tracks: UInt32 = 0x1654_AE6B
    static let cues: UInt32 = 0x1C53_BB6B
    static let cluster: UInt32 = 0x1F43_B675
    /// Those that a segment contains: also Chapters, Tags, Attachments, Void and CRC-32.
    static let all: Set<UInt32> = [
      seekHead, info, tracks, cues, cluster, 0x1043_A770, 0x1254_C367, 0x1941_A469, 0xEC, 0xBF,
    ]
  }

  private(set) var segment: Range<Int64> = 0..<0
  private(set) var tracks: [Track] = []
  /// Nanoseconds in a tick.
  private(set) var tick: UInt64 = 1_000_000
  /// Where the index is, as stated or seen.
  private(set) var cues: Int64?
  /// Where elements are that the file names (SeekHead).
  private(set) var named: [Int64] = []
  /// Where the first cluster begins.
  private(set) var firstCluster: Int64 = 0
  /// Up to where the blocks in front are whole, and where the cluster of the last one ends.
  private(set) var end: Int64 = 0
  private(set) var clusterEnd: Int64 = 0
  /// The blocks in front.
  private(set) var blocks = MatroskaBlocks()

  /// - Parameter bytes: the beginning of the file.
  /// - Returns: `nil` for another file, or one in which no block follows within these bytes.
  init?(_ bytes: [UInt8], byteCount: Int64) {
    guard let header = EBML.head(bytes), header.id == 0x1A45_DFA3, let size = header.size,
      size < Int64(bytes.count)
    else { return nil }
    let start = header.length + Int(size)
    guard let outer = EBML.head(bytes.dropFirst(start)), outer.id == Name.segment,
      let length = outer.size
    else { return nil }
    let body = Int64(start + outer.length)
    // Of an incomplete file, the end is somewhere else.
    guard length <= byteCount - body else { return nil }
    segment = body..<body + length
    var place = Int(body)
    while let next = EBML.head(bytes.dropFirst(place)), let size = next.size {
      let inner = place + next.length
      let (end, overflow) = Int64(inner).addingReportingOverflow(size)
      guard !overflow, end <= segment.upperBound else { return nil }
      if next.id == Name.cluster {
        if clusterEnd == 0 { firstCluster = Int64(place) }
        clusterEnd = end
        blocks.beginCluster()
        guard readBlocks(bytes, from: inner, to: end) else { break }
      } else {
        // What is larger was not fetched with it.
        guard end <= Int64(bytes.count) else { break }
        read(next.id, bytes[inner..<Int(end)], at: Int64(place))
      }
      place = Int(end)
    }
    guard !blocks.counts.isEmpty else { return nil }
  }

  private mutating func read(_ id: UInt32, _ content: ArraySlice<UInt8>, at place: Int64) {
    let elements = EBMLElements(content)
    switch id {
    case Name.cues: cues = place
    case Name.info:
      for element in elements where element.id == 0x2AD7B1 { tick = element.number }
    case Name.seekHead:
      for seek in elements where seek.id == 0x4DBB {
        let parts = EBMLElements(seek.content)
        guard let stated = parts.first(where: { $0.id == 0x53AC })?.number,
          stated < UInt64(segment.count)
        else { continue }
        let place = segment.lowerBound + Int64(stated)
        named.append(place)
        if parts.first(where: { $0.id == 0x53AB })?.number == UInt64(Name.cues) { cues = place }
      }
    case Name.tracks:
      for entry in elements where entry.id == 0xAE {
        var track = Track(number: 0, type: 0)
        for part in EBMLElements(entry.content) {
          if part.id == 0xD7 { track.number = part.number }
          if part.id == 0x83 { track.type = part.number }
          if part.id == 0x23E383, part.number > 0 { track.frameLength = part.number }
        }
        tracks.append(track)
      }
    default: break
    }
  }

  /// - Returns: whether the whole cluster was read.
  private mutating func readBlocks(_ bytes: [UInt8], from start: Int, to end: Int64) -> Bool {
    var place = start
    while Int64(place) < end {
      guard let next = EBML.head(bytes.dropFirst(place)), let size = next.size,
        size <= Int64(bytes.count - place - next.length)
      else { return false }
      let after = place + next.length + Int(size)
      // What is left out must leave room for the header of a Void element.
      let rest = end - Int64(after)
      guard rest == 0 || rest >= Int64(VoidedInput.headerByteCount) else { return false }
      blocks.add(next.id, bytes[(place + next.length)..<after])
      place = after
      self.end = Int64(place)
    }
    return true
  }
}
