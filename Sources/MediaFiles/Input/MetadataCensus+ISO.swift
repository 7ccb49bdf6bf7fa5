extension MetadataCensus {
  /// Boxes with an entry in each child: `udta`, `ilst` and `keys` (ISO/IEC 14496-12, 8.10;
  /// QuickTime File Format, metadata).
  private static let containers: Set<[UInt8]> = Set(
    ["moov", "trak", "mdia", "minf", "udta", "meta", "ilst", "keys"]
      .map { Array($0.utf8) })
  private static let lists: Set<[UInt8]> = Set(["udta", "ilst", "keys"].map { Array($0.utf8) })

  /// Whether the file begins with a box that may come first in such a file (ISO/IEC 14496-12, 4.2).
  package static func isISO(_ head: ArraySlice<UInt8>) -> Bool {
    head.count >= 8 && first.contains(Array(head.dropFirst(4).prefix(4)))
  }

  private static let first: Set<[UInt8]> = Set(
    ["ftyp", "styp", "moov", "moof", "mdat", "free", "skip", "wide", "pnot", "sidx"]
      .map { Array($0.utf8) })

  /// The maximum depth, deeper than in any real file.
  private static let deepest = 12

  package mutating func countISO() {
    countBoxes(from: 0, to: reader.byteCount, depth: 0, counts: false)
  }

  private mutating func countBoxes(from start: Int64, to end: Int64, depth: Int, counts: Bool) {
    var position = start
    while position <= end - 8, goesOn() {
      var header: Int64 = 8
      var size = number(at: position, bytes: 4)
      guard let type = reader.bytes(at: position + 4, count: 4).map({ Array($0) }) else { return }
      if size == 1 {
        header = 16
        size = number(at: position + 8, bytes: 8)
      } else if size == 0 {
        size = end - position
      }
      guard size >= header else { return }
      if counts { add() }
      let boxEnd = size > end - position ? end : position + size
      if Self.containers.contains(type), depth < Self.deepest {
        countBoxes(
          from: position + header + skipped(in: type, at: position + header), to: boxEnd,
          depth: depth + 1, counts: Self.lists.contains(type))
      }
      position = boxEnd
    }
  }

  /// The size of the fields before the children: those of a full box, which QuickTime's `meta` is
  /// not, and a count.
  private mutating func skipped(in type: [UInt8], at position: Int64) -> Int64 {
    switch type {
    case Array("keys".utf8): 8
    case Array("meta".utf8):
      reader.bytes(at: position + 4, count: 4).map { Array($0) } == Array("hdlr".utf8) ? 0 : 4
    default: 0
    }
  }
}
