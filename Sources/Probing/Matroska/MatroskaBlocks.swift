import MediaFiles

/// The blocks of some clusters, in file order.
struct MatroskaBlocks {
  struct Block {
    /// The number of its track.
    var track: UInt64
    /// When it is shown, in ticks of the segment.
    var time: Int64
    /// Whether decoding can start at it.
    var isKey: Bool
  }

  private(set) var all: [Block] = []
  /// How many there are, by track number.
  private(set) var counts: [UInt64: Int] = [:]
  /// Tracks with a block at which decoding can start.
  private(set) var keyed: Set<UInt64> = []
  /// The time of the last one, by track number.
  private(set) var last: [UInt64: Int64] = [:]
  /// Whether each of them is a frame whose time is stated.
  private(set) var areFrames = true
  /// The time of the cluster that is being read.
  private var clusterTime: Int64?

  /// The identifiers of the elements of a cluster that are read here (RFC 9559, 5.1.3).
  private enum Name {
    static let timestamp: UInt32 = 0xE7
    static let simpleBlock: UInt32 = 0xA3
    static let group: UInt32 = 0xA0
    static let block: UInt32 = 0xA1
    static let reference: UInt32 = 0xFB
  }

  mutating func beginCluster() { clusterTime = nil }

  /// Adds an element of a cluster.
  mutating func add(_ id: UInt32, _ content: ArraySlice<UInt8>) {
    switch id {
    case Name.timestamp: clusterTime = Int64(exactly: content.number)
    case Name.simpleBlock: add(block: content) { $0 & 0x80 != 0 }
    case Name.group:
      let parts = EBMLElements(content)
      // One that refers to no other is a keyframe (RFC 9559, 10.2).
      let isKey = !parts.contains { $0.id == Name.reference }
      for part in parts where part.id == Name.block { add(block: part.content) { _ in isKey } }
    default: break
    }
  }

  /// - Parameters:
  ///   - block: at least its track, time and flags.
  ///   - isKey: says so by its flags.
  mutating func add(block: ArraySlice<UInt8>, isKey: (UInt8) -> Bool) {
    let head = Array(block.prefix(11))
    guard let number = EBML.number(head, at: 0), number.length + 2 < head.count else { return }
    let track = UInt64(number.value)
    let flags = head[number.length + 2]
    let isKey = isKey(flags)
    counts[track, default: 0] += 1
    if isKey { keyed.insert(track) }
    // Two bits for lacing (10.1).
    guard flags & 0x06 == 0, let clusterTime, clusterTime < 1 << 61 else {
      areFrames = false
      return
    }
    let distance = Int16(
      truncatingIfNeeded: Int(head[number.length]) << 8 | Int(head[number.length + 1]))
    let time = clusterTime + Int64(distance)
    all.append(Block(track: track, time: time, isKey: isKey))
    last[track] = time
  }

  /// Those of a track.
  func of(_ track: UInt64) -> [Block] { all.filter { $0.track == track } }
}
