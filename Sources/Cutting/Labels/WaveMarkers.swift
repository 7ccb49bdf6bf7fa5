import Bitstreams

/// Chunks of a WAV that FFmpeg's muxer does not write: markers with their labels (Multimedia
/// Programming Interface and Data Specifications 1.0, cue and associated data list), moved and
/// clipped, and iXML.
struct WaveMarkers {
  private(set) var chunks: [AddedChunk] = []

  /// - Parameter parts: the first sample of each part in the source and the one after its last.
  init(_ source: SourceChunks, parts: [Range<Int64>]) {
    guard source.kind == .wave else { return }
    if let cue = source.content(of: "cue ") {
      add(Self.points(cue), source.content(of: "LIST adtl").map { Self.entries($0) } ?? [], parts)
    }
    if let first = parts.first,
      let text = source.content(of: "iXML").flatMap({ Self.moved($0, first) })
    {
      chunks.append(AddedChunk(type: "iXML", content: text))
    }
  }

  private struct Entry {
    var type: [UInt8]
    var id: Int64
    /// What follows the identifier of its cue point.
    var rest: [UInt8]

    /// The length of a region; `nil` for other entries.
    var length: Int64? {
      type.elementsEqual("ltxt".utf8) && rest.count >= 4 ? rest[..<4].number(.little) : nil
    }
  }

  private static func points(_ bytes: [UInt8]) -> [(id: Int64, sample: Int64)] {
    guard bytes.count >= 4 else { return [] }
    let count = min(bytes[..<4].number(.little), Int64(bytes.count - 4) / 24)
    return (0..<Int(count)).map { place in
      let point = bytes[(4 + 24 * place)..<(28 + 24 * place)]
      return (point.prefix(4).number(.little), point.suffix(4).number(.little))
    }
  }

  private static func entries(_ bytes: [UInt8]) -> [Entry] {
    var entries: [Entry] = []
    var place = 4
    while place + 12 <= bytes.count {
      let size = Int(bytes[(place + 4)..<(place + 8)].number(.little))
      guard size >= 4, size <= bytes.count - place - 8 else { break }
      entries.append(
        Entry(
          type: Array(bytes[place..<place + 4]),
          id: bytes[(place + 8)..<(place + 12)].number(.little),
          rest: Array(bytes[(place + 12)..<(place + 8 + size)])))
      place += 8 + size + size % 2
    }
    return entries
  }

  private mutating func add(
    _ points: [(id: Int64, sample: Int64)], _ entries: [Entry], _ parts: [Range<Int64>]
  ) {
    let entries = Dictionary(grouping: entries, by: \.id)
    var cue: [UInt8] = []
    var list: [UInt8] = []
    var used: Set<Int64> = []
    var free = (points.map(\.id).max() ?? 0) + 1
    var offset: Int64 = 0
    var count = 0
    func word(_ value: Int64) -> [UInt8] { UInt32(clamping: value).bytes(.little) }
    for part in parts {
      for point in points {
        let own = entries[point.id] ?? []
        let length = own.lazy.compactMap(\.length).first ?? 0
        // A region that begins before IN is shown from IN on.
        let start = max(point.sample, part.lowerBound)
        guard start < part.upperBound, point.sample == start || point.sample + length > start
        else { continue }
        var id = point.id
        if !used.insert(id).inserted {
          id = free
          free += 1
        }
        let place = start - part.lowerBound + offset
        cue += word(id) + word(place) + Array("data".utf8)
        cue += word(0) + word(0) + word(place)
        count += 1
        for var entry in own {
          if let whole = entry.length {
            let end = min(point.sample + whole, part.upperBound)
            entry.rest.replaceSubrange(..<4, with: word(max(0, end - start)))
          }
          list += entry.type + word(Int64(entry.rest.count + 4)) + word(id)
          list += entry.rest + (entry.rest.count % 2 == 1 ? [0] : [])
        }
      }
      offset += Int64(part.count)
    }
    guard count > 0 else { return }
    chunks.append(AddedChunk(type: "cue ", content: word(Int64(count)) + cue))
    if !list.isEmpty {
      chunks.append(AddedChunk(type: "LIST", content: Array("adtl".utf8) + list))
    }
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
