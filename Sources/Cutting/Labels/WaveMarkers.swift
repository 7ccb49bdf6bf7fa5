#if FFmpeg
  import ExactTime
  import MediaFiles
  import Trimming

  /// Chunks of a WAV that FFmpeg's muxer does not write: markers with their labels (Multimedia
  /// Programming Interface and Data Specifications 1.0, cue and associated data list), moved and
  /// clipped, and iXML.
  struct WaveMarkers {
    struct Chunk: Equatable {
      var type: String
      var content: [UInt8]
    }

    private(set) var chunks: [Chunk] = []

    private static let mostBytes: Int64 = 16 << 20

    /// - Parameter parts: the first sample of each part in the source and the one after its last.
    init(_ source: SourceChunks, parts: [Range<Int64>]) {
      guard source.kind == .wave else { return }
      func content(_ type: String) -> [UInt8]? {
        let found = source.chunks.first { $0.type == type }?.content
        guard let found, found.upperBound - found.lowerBound <= Self.mostBytes else { return nil }
        return source.read(found)
      }
      if let cue = content("cue ") {
        add(Self.points(cue), content("LIST adtl").map { Self.entries($0) } ?? [], parts)
      }
      if let first = parts.first, let text = content("iXML").flatMap({ Self.moved($0, first) }) {
        chunks.append(Chunk(type: "iXML", content: text))
      }
    }

    private struct Entry {
      var type: [UInt8]
      var id: Int64
      /// What follows the identifier of its cue point.
      var rest: [UInt8]
    }

    private static func points(_ bytes: [UInt8]) -> [(id: Int64, sample: Int64)] {
      guard bytes.count >= 4 else { return [] }
      let count = min(SourceChunks.number(bytes[..<4]), Int64(bytes.count - 4) / 24)
      return (0..<Int(count)).map { place in
        let point = bytes[(4 + 24 * place)..<(28 + 24 * place)]
        return (
          SourceChunks.number(point.prefix(4)),
          SourceChunks.number(point.suffix(4))
        )
      }
    }

    private static func entries(_ bytes: [UInt8]) -> [Entry] {
      var entries: [Entry] = []
      var place = 4
      while place + 12 <= bytes.count {
        let size = Int(SourceChunks.number(bytes[(place + 4)..<(place + 8)]))
        guard size >= 4, size <= bytes.count - place - 8 else { break }
        entries.append(
          Entry(
            type: Array(bytes[place..<place + 4]),
            id: SourceChunks.number(bytes[(place + 8)..<(place + 12)]),
            rest: Array(bytes[(place + 12)..<(place + 8 + size)])))
        place += 8 + size + size % 2
      }
      return entries
    }

    private mutating func add(
      _ points: [(id: Int64, sample: Int64)], _ entries: [Entry], _ parts: [Range<Int64>]
    ) {
      var cue: [UInt8] = []
      var list: [UInt8] = []
      var used: Set<Int64> = []
      var offset: Int64 = 0
      var count = 0
      for part in parts {
        for point in points {
          let own = entries.filter { $0.id == point.id }
          let length =
            own.first { $0.type.elementsEqual("ltxt".utf8) && $0.rest.count >= 4 }
            .map { SourceChunks.number($0.rest[..<4]) } ?? 0
          // A region that begins before IN is shown from IN on.
          let start = max(point.sample, part.lowerBound)
          guard start < part.upperBound, point.sample == start || point.sample + length > start
          else { continue }
          var id = point.id
          if used.contains(id) { id = (used.union(points.map(\.id)).max() ?? 0) + 1 }
          used.insert(id)
          let place = start - part.lowerBound + offset
          cue += Self.little(id) + Self.little(place) + Array("data".utf8)
          cue += Self.little(0) + Self.little(0) + Self.little(place)
          count += 1
          for var entry in own {
            if entry.type.elementsEqual("ltxt".utf8), entry.rest.count >= 4 {
              let whole = SourceChunks.number(entry.rest[..<4])
              let end = min(point.sample + whole, part.upperBound)
              entry.rest.replaceSubrange(..<4, with: Self.little(max(0, end - start)))
            }
            list += entry.type + Self.little(Int64(entry.rest.count + 4)) + Self.little(id)
            list += entry.rest + (entry.rest.count % 2 == 1 ? [0] : [])
          }
        }
        offset += Int64(part.count)
      }
      guard count > 0 else { return }
      chunks.append(Chunk(type: "cue ", content: Self.little(Int64(count)) + cue))
      if !list.isEmpty { chunks.append(Chunk(type: "LIST", content: Array("adtl".utf8) + list)) }
    }

    static func little(_ value: Int64) -> [UInt8] {
      let word = UInt32(clamping: value)
      return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> $0) }
    }

    // MARK: iXML

    /// The document with its time stamp moved; `nil` where that cannot be done safely.
    private static func moved(_ bytes: [UInt8], _ part: Range<Int64>) -> [UInt8]? {
      // A chunk may end with zeros.
      let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
      guard var text = MarkupText(bytes[..<end]) else { return nil }
      // Points are relative to the beginning of the file.
      guard text.removeElements(named: "SYNC_POINT_LIST") != nil else { return nil }
      for (low, high) in [
        ("TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO", "TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI"),
        ("BWF_TIME_REFERENCE_LOW", "BWF_TIME_REFERENCE_HIGH"),
      ] {
        func place(_ name: String) -> Range<Int>? {
          text.tags.first { $0.name == name }.flatMap(text.content)
        }
        func value(_ range: Range<Int>) -> UInt32? {
          UInt32(text.text(range).filter { !$0.isWhitespace })
        }
        guard let lowPlace = place(low) else { continue }
        let highPlace = place(high)
        guard let lowValue = value(lowPlace) else { return nil }
        let old = Int64(highPlace.flatMap(value) ?? 0) << 32 | Int64(lowValue)
        let (sum, isBeyond) = old.addingReportingOverflow(part.lowerBound)
        guard !isBeyond, sum >= 0, highPlace != nil || sum <= Int64(UInt32.max) else { return nil }
        var changes = [(lowPlace, sum & 0xFFFF_FFFF)]
        if let highPlace { changes.append((highPlace, sum >> 32)) }
        // From the end, so that the place before stays valid.
        for (range, number) in changes.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
          text.replace(range, with: "\(number)")
        }
      }
      return text.bytes
    }
  }
#endif
