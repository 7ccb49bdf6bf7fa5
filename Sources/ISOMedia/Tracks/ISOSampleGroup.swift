import ExactTime

/// Samples that share a property (ISO 14496-12, 8.9): `roll`, `prol`, `rap ` and others.
package struct ISOSampleGroup: Sendable {
  package let type: FourCC
  /// The descriptions of `sgpd`, each as its bytes.
  package let entries: [[UInt8]]
  /// The end (exclusive) of each run of samples, and its entry from 1; 0 for none.
  private(set) var runs: ContiguousArray<(end: Int, entry: UInt32)> = []

  /// The samples in the group with an index below a number, ascending.
  func members(below count: Int) -> ContiguousArray<Int> {
    var members: ContiguousArray<Int> = []
    var start = 0
    for run in runs {
      if run.entry > 0, run.entry <= entries.count, start < min(run.end, count) {
        members.append(contentsOf: start..<min(run.end, count))
      }
      start = max(start, run.end)
    }
    return members
  }

  init?(_ type: FourCC, boxes: [Box]) {
    self.type = type
    func first(_ box: FourCC) -> Box? {
      boxes.first { $0.type == box && $0.payload.fourCC(4) == type }
    }
    guard let map = first("sbgp"), let descriptions = first("sgpd") else { return nil }
    entries = Self.entries(descriptions)
    var fields = map.fields
    let version = fields.fullBoxHeader().version
    fields.skip(version == 1 ? 8 : 4)
    let count = min(Int(fields.u32()), fields.remaining / 8)
    runs.reserveCapacity(count)
    var end = 0
    for _ in 0..<count {
      end += Int(fields.u32())
      runs.append((end, fields.u32()))
    }
  }

  private static let mostEntries = 10_000

  private static func entries(_ box: Box) -> [[UInt8]] {
    var fields = box.fields
    let version = fields.fullBoxHeader().version
    fields.skip(4)
    let statesLength = version == 1 || version >= 2 && hasEntryLength(box.payload)
    let length = statesLength ? Int(fields.u32()) : 0
    if version >= 2 { fields.skip(4) }
    let count = min(Int(fields.u32()), mostEntries)
    let left = fields.remaining
    var entries: [[UInt8]] = []
    for _ in 0..<count where fields.remaining > 0 {
      // Without a stated length, entries divide the box equally.
      let size = !statesLength ? left / count : length > 0 ? length : Int(fields.u32())
      entries.append(fields.bytes(size).bytes)
    }
    return entries
  }

  /// True when a length, a default, a count and entries of that length exactly fill an `sgpd` of
  /// version 2.
  static func hasEntryLength(_ view: ByteView) -> Bool {
    let length = Int64(view.u32(8))
    let count = Int64(view.u32(16))
    if length > 0 { return length.clampedProduct(count) == Int64(view.count - 20) }
    // A length of 0 means that each entry states its own.
    var fields = FieldReader(view.slice(from: 20))
    var entries: Int64 = 0
    while fields.remaining > 0 {
      fields.skip(Int(fields.u32()))
      entries += 1
    }
    return count > 0 && entries == count && !fields.isShort
  }
}

extension ISOTrack {
  /// A sample group that `moov` describes; `nil` when the track has none of that type.
  package func sampleGroup(_ type: FourCC) -> ISOSampleGroup? {
    ISOSampleGroup(type, boxes: tables.groups)
  }
}
