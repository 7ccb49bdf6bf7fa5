import Bitstreams

/// The markers of an AIFF, moved and clipped, and the chunks that refer to them by number
/// (AIFF 1.3, Marker Chunk, Comments Chunk and Instrument Chunk).
struct AIFFMarkers {
  private(set) var chunks: [AddedChunk] = []
  /// The number that a marker has in the output, by its number in the source.
  private var numbers: [UInt16: UInt16] = [:]

  private struct Marker {
    var number: UInt16
    var sample: Int64
    /// A length byte and text, together of even length.
    var name: [UInt8]
  }

  /// - Parameter parts: the first sample of each part in the source and the one after its last.
  init(_ source: SourceChunks, parts: [Range<Int64>]) {
    guard source.kind == .aiff else { return }
    let loops = source.content(of: "INST")
    if let bytes = source.content(of: "MARK") {
      add(Self.markers(bytes), parts, ends: loops.map(Self.ends) ?? [])
    }
    if let loops, let revised = instrument(loops) {
      chunks.append(AddedChunk(type: "INST", content: revised))
    }
    if let bytes = source.content(of: "COMT"), let revised = comments(bytes) {
      chunks.append(AddedChunk(type: "COMT", content: revised))
    }
  }

  private static func markers(_ bytes: [UInt8]) -> [Marker] {
    var markers: [Marker] = []
    var place = 2
    while place + 7 <= bytes.count, markers.count < Int(UInt16.max) {
      let length = Int(bytes[place + 6])
      let end = place + 7 + length + (length % 2 == 0 ? 1 : 0)
      var name = Array(bytes[(place + 6)..<min(end, bytes.count)])
      // The last padding byte is sometimes omitted.
      guard end <= bytes.count + 1 else { break }
      if end > bytes.count { name.append(0) }
      markers.append(
        Marker(
          number: UInt16(clamping: bytes[place..<place + 2].number(.big)),
          sample: bytes[(place + 2)..<(place + 6)].number(.big), name: name))
      place = end
    }
    return Array(markers.prefix(Int(bytes.prefix(2).number(.big))))
  }

  /// - Parameter ends: markers at which a loop ends, which may be where a part ends.
  private mutating func add(
    _ markers: [Marker], _ parts: [Range<Int64>], ends: Set<UInt16>
  ) {
    var content: [UInt8] = []
    var free = (markers.map(\.number).max() ?? 0)
    var count: UInt16 = 0
    var offset: Int64 = 0
    for part in parts {
      for marker in markers where count < .max {
        let isEnd = marker.sample == part.upperBound && ends.contains(marker.number)
        guard part.contains(marker.sample) || isEnd else { continue }
        var number = marker.number
        if numbers[number] == nil {
          numbers[number] = number
        } else {
          guard free < 0x7FFF else { continue }
          free += 1
          number = free
        }
        count += 1
        content += number.bytes(.big)
        content += UInt32(clamping: marker.sample - part.lowerBound + offset).bytes(.big)
        content += marker.name
      }
      offset += Int64(part.count)
    }
    guard count > 0 else { return }
    chunks.append(AddedChunk(type: "MARK", content: count.bytes(.big) + content))
  }

  /// Where two loops are, each a play mode and the numbers of two markers.
  private static let loops = [8, 14]

  private static func ends(_ bytes: [UInt8]) -> Set<UInt16> {
    guard bytes.count >= 20 else { return [] }
    return Set(loops.map { UInt16(clamping: bytes[($0 + 4)..<($0 + 6)].number(.big)) })
  }

  /// A loop without its markers is no loop.
  private func instrument(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= 20 else { return nil }
    var bytes = Array(bytes.prefix(20))
    for place in Self.loops {
      let begin = UInt16(clamping: bytes[(place + 2)..<(place + 4)].number(.big))
      let end = UInt16(clamping: bytes[(place + 4)..<(place + 6)].number(.big))
      if numbers[begin] == nil || numbers[end] == nil {
        bytes.replaceSubrange(place..<place + 6, with: [0, 0, 0, 0, 0, 0])
      }
    }
    return bytes
  }

  /// Comments on markers that are left out are left out as well; the others are about the file.
  private func comments(_ bytes: [UInt8]) -> [UInt8]? {
    var content: [UInt8] = []
    var count: UInt16 = 0
    var place = 2
    while place + 8 <= bytes.count, count < .max {
      let length = Int(bytes[(place + 6)..<(place + 8)].number(.big))
      let end = place + 8 + length + length % 2
      guard place + 8 + length <= bytes.count else { break }
      let number = UInt16(clamping: bytes[(place + 4)..<(place + 6)].number(.big))
      if number == 0 || numbers[number] != nil {
        content += bytes[place..<place + 8 + length] + (length % 2 == 1 ? [0] : [])
        count += 1
      }
      place = end
    }
    return count > 0 ? count.bytes(.big) + content : nil
  }
}
