import Libav
import MediaFacts
import MediaFiles

/// Bytes between the blocks of a Matroska file that are not part of any element (RFC 9559, 5):
/// FFmpeg resynchronizes after them, and what they contained is lost silently.
struct MatroskaGaps: PacketObserver {
  private let file: InputFile
  /// Where the contents of the last block begin, and the size of its first packet.
  private var last: (place: Int64, bytes: Int)?
  private var found: (at: Int64, count: Int, bytes: Int64)?
  /// Tracks whose next packet follows a gap: it is not known which of them lost data.
  private var waiting: Set<Int> = []
  private let streams: Set<Int>

  /// Segment, Cluster and BlockGroup.
  private static let masters: Set<UInt32> = [0x1853_8067, 0x1F43_B675, 0xA0]
  /// SimpleBlock, Block and EncryptedBlock.
  private static let blocks: Set<UInt8> = [0xA3, 0xA1, 0xAF]
  /// The most elements between two blocks that are examined one by one.
  private static let most = 1000

  init?(format: String, streams: Set<Int>, in file: InputFile) {
    guard SourceRules(format).isMatroska, file.isSeekable else { return nil }
    (self.file, self.streams) = (file, streams)
  }

  mutating func see(_ packet: inout PacketFacts) -> PacketStanding {
    // Frames of one lace have the same byte offset.
    if let place = packet.byteOffset, place != last?.place {
      if let last, place > last.place, !Self.isNext(place, after: last),
        let end = end(ofBlock: last), let gap = walk(from: end, to: place)
      {
        note(gap..<place)
      }
      last = (place, packet.byteCount)
    }
    return waiting.remove(packet.stream) != nil ? .behindGap : .counted
  }

  /// Whether only a block header separates two blocks: a one-byte identifier and a size of up to
  /// eight bytes.
  ///
  /// A block without lacing has its track number, a time and flags before the packet, usually
  /// four bytes (RFC 9559, 10).
  private static func isNext(_ place: Int64, after last: (place: Int64, bytes: Int)) -> Bool {
    (2...9).contains(place - last.place - Int64(last.bytes) - 4)
  }

  private mutating func note(_ gap: Range<Int64>) {
    let before = found ?? (gap.lowerBound, 0, 0)
    found = (before.at, before.count + 1, before.bytes + Int64(gap.count))
    waiting = streams
  }

  func finish() -> PacketFindings {
    guard let found else { return PacketFindings() }
    let places = found.count == 1 ? "one place" : "\(found.count) places"
    return PacketFindings(damage: [
      Damage(
        .garbage, at: found.at, count: found.count,
        "\(found.bytes) bytes in \(places) are not part of any element; their contents are lost.")
    ])
  }

  /// - Returns: the offset of the first bytes that are not an element; `nil` where all are.
  private func walk(from start: Int64, to place: Int64) -> Int64? {
    var position = start
    for _ in 0..<Self.most {
      guard let head = EBML.head(file.bytes(in: position..<position + 12, atMost: 12)) else {
        return position
      }
      let body = position + Int64(head.length)
      if body == place { return nil }
      if Self.masters.contains(head.id) {
        guard body < place else { return position }
        position = body
        continue
      }
      let (end, overflow) = body.addingReportingOverflow(head.size ?? .max)
      guard !overflow, end < place else { return position }
      position = end
    }
    return nil
  }

  /// Where a block ends: its size precedes it in one to eight bytes, and the reading closest to
  /// its packet's size is taken.
  private func end(ofBlock block: (place: Int64, bytes: Int)) -> Int64? {
    let place = block.place
    let head = file.bytes(in: max(0, place - 9)..<place, atMost: 9)
    var best: (size: Int64, error: Int64)?
    for length in 1..<max(1, head.count) where Self.blocks.contains(head[head.count - length - 1]) {
      let offset = head.count - length
      guard let size = EBML.number(head, at: offset), size.length == length, !size.isUnknown
      else { continue }
      let error = abs(size.value - Int64(block.bytes))
      if best.map({ error < $0.error }) ?? true { best = (size.value, error) }
    }
    return best.flatMap { best in
      let (end, overflow) = place.addingReportingOverflow(best.size)
      return overflow ? nil : end
    }
  }
}
