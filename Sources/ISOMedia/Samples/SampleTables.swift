/// The raw tables of an `stbl` box in memory (ISO 14496-12, 8.5 to 8.7).
struct SampleTables: Sendable {
  var timeToSample = EntryTable()
  var compositionOffsets = EntryTable()
  var syncSamples: EntryTable?
  var partialSyncSamples = EntryTable()
  var samplesPerChunk = EntryTable()
  var chunkOffsets = ChunkOffsets()
  var sizes = SampleSizes()
  var hasSizes = false
  var dependencies: ByteView?
  var groups: [Box] = []

  private static let mostGroups = 64

  /// Keeps a box of `stbl` if it is one of the tables; the first of duplicates.
  mutating func keep(_ box: Box, _ log: inout ProblemLog) {
    switch box.type {
    case "stts": timeToSample.fill(box, entryBytes: 8, &log)
    case "ctts": compositionOffsets.fill(box, entryBytes: 8, &log)
    case "stsc": samplesPerChunk.fill(box, entryBytes: 12, &log)
    case "stps": partialSyncSamples.fill(box, entryBytes: 4, &log)
    case "stss":
      var table = syncSamples ?? EntryTable()
      table.fill(box, entryBytes: 4, &log)
      syncSamples = table
    case "stco": chunkOffsets.fill(box, is64Bit: false, &log)
    case "co64": chunkOffsets.fill(box, is64Bit: true, &log)
    case "stsz", "stz2":
      guard !hasSizes else { return }
      hasSizes = true
      sizes = SampleSizes(box, &log)
    case "sdtp": dependencies = dependencies ?? box.payload.slice(from: 4)
    case "sbgp", "sgpd": if groups.count < Self.mostGroups { groups.append(box) }
    default: break
    }
  }
}

/// A table of fixed-size entries, preceded by their count.
struct EntryTable: Sendable {
  private(set) var count = 0
  private(set) var entryBytes = 0
  private(set) var view = ByteView([], fileOffset: 0)
  private(set) var offset: Int64 = 0

  mutating func fill(_ box: Box, entryBytes: Int, _ log: inout ProblemLog) {
    guard self.entryBytes == 0 else { return }
    self.entryBytes = entryBytes
    view = box.payload.slice(from: 8)
    offset = box.offset
    count = log.held(Int(box.payload.u32(4)), of: view.count / entryBytes, in: box)
  }

  /// The 32-bit field with an index in an entry.
  func field(_ entry: Int, _ index: Int = 0) -> UInt32 {
    view.u32(entry * entryBytes + index * 4)
  }
}

struct ChunkOffsets: Sendable {
  private var entries = EntryTable()

  var count: Int { entries.count }

  mutating func fill(_ box: Box, is64Bit: Bool, _ log: inout ProblemLog) {
    entries.fill(box, entryBytes: is64Bit ? 8 : 4, &log)
  }

  /// The offset of a chunk, clamped to 2^62, which is outside every file.
  func offset(_ chunk: Int) -> Int64 {
    if entries.entryBytes == 4 { return Int64(entries.field(chunk)) }
    return Int64(min(entries.view.u64(chunk * 8), 1 << 62))
  }
}

/// The sizes of `stsz` or `stz2` (ISO 14496-12, 8.7.3).
struct SampleSizes: Sendable {
  /// The size of every sample; 0 where they are listed in a table.
  private(set) var uniform: UInt32 = 0
  private(set) var count = 0
  private var fieldBits = 32
  private var view = ByteView([], fileOffset: 0)

  init() {}

  init(_ box: Box, _ log: inout ProblemLog) {
    let claimed = Int(box.payload.u32(8))
    view = box.payload.slice(from: 12)
    if box.type == "stz2" {
      fieldBits = Int(box.payload.u8(7))
      guard [4, 8, 16].contains(fieldBits) else {
        log.note(
          .malformedBox, at: box.offset,
          "“stz2” has fields of \(fieldBits) bits: only 4, 8 or 16 are defined")
        return
      }
    } else {
      uniform = box.payload.u32(4)
    }
    count =
      uniform > 0 ? claimed : log.held(claimed, of: view.count * 8 / fieldBits, in: box)
  }

  subscript(index: Int) -> UInt32 {
    if uniform > 0 { return uniform }
    return switch fieldBits {
    case 32: view.u32(index * 4)
    case 16: UInt32(view.u16(index * 2))
    case 8: UInt32(view.u8(index))
    default: UInt32(view.u8(index / 2) >> (index % 2 == 0 ? 4 : 0) & 0xF)
    }
  }

  /// The total size in bytes of a range of listed samples; ``uniform`` ones are not listed.
  func sum(from first: Int, count: Int) -> Int64 {
    var sum: Int64 = 0
    // Almost every file has this width, and hundreds of thousands of samples.
    if fieldBits == 32 {
      for index in first..<first + count { sum += Int64(view.u32(index * 4)) }
    } else {
      for index in first..<first + count { sum += Int64(self[index]) }
    }
    return sum
  }
}

extension ProblemLog {
  /// How many of the stated entries fit in a table.
  mutating func held(_ claimed: Int, of room: Int, in box: Box) -> Int {
    guard claimed > room else { return claimed }
    note(
      .countImpossible, at: box.offset, count: Int64(claimed),
      "“\(box.type)” claims \(claimed) entries but has room for only \(room)")
    return room
  }
}
