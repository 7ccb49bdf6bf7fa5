import Bitstreams

/// Whether the content of a box of unknown type lists positions in its file, which are wrong in any
/// other file.
struct FileOffsets {
  let bytes: [UInt8]
  let fileSize: Int64
  /// Where boxes at the top level begin, without the first.
  let boxes: [Int64]

  init(_ bytes: [UInt8], fileSize: Int64, boxes: [Int64]) {
    self.bytes = bytes
    self.fileSize = fileSize
    self.boxes = boxes
  }

  var isTable: Bool {
    guard bytes.count >= 16, bytes.count <= Self.mostExamined else { return false }
    return [ByteOrder.big, .little].contains { isTable(words($0)) }
  }

  private static let mostExamined = 16 << 20

  private func words(_ order: ByteOrder) -> [Int64] {
    stride(from: 0, to: bytes.count - 3, by: 4).map { start in
      bytes[start..<start + 4].number(order)
    }
  }

  private func isTable(_ words: [Int64]) -> Bool {
    // Fields that precede a table are few: a version, flags, a count, or the identifier of a
    // `uuid` box.
    if (0..<min(8, words.count)).contains(where: { holdsPairs(words[$0...]) }) { return true }
    let places = Set(boxes + boxes.map { $0 + 8 }).filter { $0 >= Self.leastPosition }
    return Set(words).intersection(places).count >= 2
  }

  /// Positions and sizes of records that follow each other, up to the end or to zeros.
  private func holdsPairs(_ words: ArraySlice<Int64>) -> Bool {
    var end = Self.leastPosition
    var count = 0
    var place = words.startIndex
    while place + 1 < words.endIndex {
      let (offset, size) = (words[place], words[place + 1])
      if offset == 0, size == 0 { return count >= 2 && words[place...].allSatisfy { $0 == 0 } }
      guard offset >= end, size > 0, size <= Self.largestRecord, offset + size <= fileSize else {
        return false
      }
      end = offset + size
      count += 1
      place += 2
    }
    return count >= 2
  }

  /// Text reads as sizes that are larger, and small numbers as positions that are lower.
  private static let largestRecord: Int64 = 16 << 20
  private static let leastPosition: Int64 = 64
}
