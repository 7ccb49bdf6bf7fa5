/// States the maximum MP3 and MP2 packet size in an AVI, where FFmpeg's muxer states too little:
/// readers count a packet that is larger than `nBlockAlign` as several (WAVEFORMATEX), and
/// everything after it is late.
struct AudioBlocks: HeadCorrection {
  /// The largest packet of each track, in bytes.
  let largest: [Int]

  /// The header list, including the indexes that FFmpeg reserves space for in it.
  let headSize = 1 << 18

  /// WAVE_FORMAT_MPEG and WAVE_FORMAT_MPEGLAYER3.
  private static let mpeg = [0x50, 0x55]

  func corrections(of head: [UInt8]) -> [(place: Int, bytes: [UInt8])] {
    zip(largest, Self.formats(in: head)).compactMap { size, format in
      guard format + 14 <= head.count, Self.mpeg.contains(head.number(format, 2)),
        head.number(format + 12, 2) < size,
        let stated = UInt16(exactly: size)
      else { return nil }
      return (format + 12, [UInt8(truncatingIfNeeded: stated), UInt8(stated >> 8)])
    }
  }

  /// Where the format of each stream is (`strf` in `strl` in `hdrl`; AVI RIFF File Reference).
  private static func formats(in head: [UInt8]) -> [Int] {
    var found: [Int] = []
    var place = 12
    while place + 20 <= head.count {
      let name = head[place..<place + 4]
      if name.elementsEqual("LIST".utf8) {
        guard !head[place + 8..<place + 12].elementsEqual("movi".utf8) else { break }
        place += 12
        continue
      }
      let size = head.number(place + 4, 4)
      if name.elementsEqual("strf".utf8) {
        guard place + 8 + size <= head.count else { break }
        found.append(place + 8)
      }
      place += 8 + size + size % 2
    }
    return found
  }
}

extension [UInt8] {
  /// A little-endian number.
  fileprivate func number(_ place: Int, _ count: Int) -> Int {
    self[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
