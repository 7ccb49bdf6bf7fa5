#if FFmpeg
  import Libav
  import MediaFacts
  import MediaFiles

  /// Bytes between the blocks of a Matroska file that are not part of any element (RFC 9559, 5): FFmpeg
  /// resynchronises after them, and what they held is lost without a word.
  struct MatroskaGaps {
    private let file: InputFile
    /// Where the contents of the last block begin, and how much of them its first packet is.
    private var last: (place: Int64, bytes: Int)?
    private var found: (at: Int64, count: Int, bytes: Int64)?
    /// Tracks whose next packet follows a gap: which of them lost something is not known.
    private var waiting: Set<Int> = []
    private let streams: Set<Int>

    /// Segment, Cluster and BlockGroup.
    private static let masters: Set<UInt32> = [0x1853_8067, 0x1F43_B675, 0xA0]
    /// SimpleBlock, Block and EncryptedBlock.
    private static let blocks: Set<UInt8> = [0xA3, 0xA1, 0xAF]
    /// So many elements between two blocks are not looked at one by one.
    private static let most = 1000

    init?(format: String, streams: Set<Int>, in file: InputFile) {
      guard format == "matroska" || format == "webm", file.isSeekable else { return nil }
      (self.file, self.streams) = (file, streams)
    }

    /// Whether something may be missing before a packet.
    mutating func isBehindGap(_ packet: PacketFacts) -> Bool {
      // Frames of one lace have one place.
      if let place = packet.byteOffset, place != last?.place {
        if let last, place > last.place, !Self.isNext(place, after: last),
          let end = end(ofBlock: last), let gap = walk(from: end, to: place)
        {
          note(gap..<place)
        }
        last = (place, packet.byteCount)
      }
      return waiting.remove(packet.stream) != nil
    }

    /// Whether nothing but the header of a block stands between two: one byte of identifier and up to eight
    /// of size.
    ///
    /// A block without lacing holds its track's number, a time and flags before the packet, four bytes as a
    /// rule (RFC 9559, 10).
    private static func isNext(_ place: Int64, after last: (place: Int64, bytes: Int)) -> Bool {
      (2...9).contains(place - last.place - Int64(last.bytes) - 4)
    }

    private mutating func note(_ gap: Range<Int64>) {
      let before = found ?? (gap.lowerBound, 0, 0)
      found = (before.at, before.count + 1, before.bytes + Int64(gap.count))
      waiting = streams
    }

    var damage: Damage? {
      guard let found else { return nil }
      let places = found.count == 1 ? "one place" : "\(found.count) places"
      return Damage(
        .garbage, at: found.at, count: found.count,
        "\(found.bytes) bytes in \(places) are not part of any element; their contents are lost.")
    }

    /// - Returns: where the first bytes lie that are not an element; `nil` where all are.
    private func walk(from start: Int64, to place: Int64) -> Int64? {
      var position = start
      for _ in 0..<Self.most {
        let head = file.bytes(in: position..<position + 12, atMost: 12)
        guard let name = EBML.identifier(head), let size = EBML.number(head, at: name.length)
        else { return position }
        let body = position + Int64(name.length + size.length)
        if body == place { return nil }
        if Self.masters.contains(name.value) {
          guard body < place else { return position }
          position = body
          continue
        }
        let (end, overflow) = body.addingReportingOverflow(size.value)
        guard !size.isUnknown, !overflow, end < place else { return position }
        position = end
      }
      return nil
    }

    /// Where a block ends, whose size stands before it in one to eight bytes: the one that is nearest to
    /// what it holds.
    private func end(ofBlock block: (place: Int64, bytes: Int)) -> Int64? {
      let place = block.place
      let head = file.bytes(in: max(0, place - 9)..<place, atMost: 9)
      var best: (size: Int64, error: Int64)?
      for length in 1..<max(1, head.count) where Self.blocks.contains(head[head.count - length - 1])
      {
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
#endif
