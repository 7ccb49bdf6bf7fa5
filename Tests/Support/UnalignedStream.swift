/// A transport stream whose PES packets are not aligned with pictures: each begins with the end of
/// the previous picture (ISO/IEC 13818-1, 2.4.3.7), as Apple's segmenter writes them.
package enum UnalignedStream {
  private static let size = 188

  /// Moves the last slice of each picture, and the end of the preceding slice, into the next PES
  /// packet.
  ///
  /// - Parameter bytes: a transport stream whose PES packets of video hold one picture each.
  package static func make(of bytes: [UInt8]) -> [UInt8] {
    let packets = stride(from: 0, to: bytes.count - size + 1, by: size).map {
      Packet(Array(bytes[$0..<$0 + size]))
    }
    let video = packets.first { $0.startsVideo }?.id
    var units: [(place: Int, bytes: [UInt8])] = []
    for (place, packet) in packets.enumerated() where packet.id == video {
      if packet.startsVideo { units.append((place, [])) }
      if !units.isEmpty { units[units.count - 1].bytes += packet.payload }
    }
    var made: [Int: [UInt8]] = [:]
    var (counter, rest): (UInt8, [UInt8]) = (0, [])
    for (number, unit) in units.enumerated() {
      let header = Array(unit.bytes.prefix(9 + Int(unit.bytes[8])))
      let picture = unit.bytes.dropFirst(header.count)
      let moved = number == units.count - 1 ? 0 : lastSlice(of: Array(picture)) + 20
      let whole = unbounded(header) + rest + picture.dropLast(moved)
      rest = Array(picture.suffix(moved))
      made[unit.place] = packed(
        whole, id: video ?? 0, adaptation: packets[unit.place].adaptation, &counter)
    }
    return packets.enumerated().flatMap { place, packet in
      packet.id == video ? made[place] ?? [] : packet.bytes
    }
  }

  /// Its bytes, from the start code on (ITU-T H.264, B.1.1).
  private static func lastSlice(of picture: [UInt8]) -> Int {
    let start = picture.indices.dropLast(3).last { picture[$0..<$0 + 3].elementsEqual([0, 0, 1]) }
    return picture.count - (start ?? picture.count)
  }

  /// A video PES packet may have length 0, meaning unspecified (2.4.3.7).
  private static func unbounded(_ header: [UInt8]) -> [UInt8] {
    header.prefix(4) + [0, 0] + header.dropFirst(6)
  }

  private static func packed(
    _ unit: [UInt8], id: Int, adaptation: [UInt8], _ counter: inout UInt8
  ) -> [UInt8] {
    var (made, rest): ([UInt8], ArraySlice<UInt8>) = ([], unit[...])
    while !rest.isEmpty {
      let isFirst = made.isEmpty
      var field = isFirst ? adaptation : []
      let room = size - 4 - field.count
      if rest.count < room {
        // The remaining space is stuffing in the adaptation field (2.4.3.5), whose first byte is
        // its length.
        if field.isEmpty { field = room - rest.count == 1 ? [0] : [0, 0] }
        field += Array(repeating: 0xFF, count: max(0, size - 4 - rest.count - field.count))
        field[0] = UInt8(field.count - 1)
      }
      let payload = rest.prefix(size - 4 - field.count)
      made += [0x47, UInt8(id >> 8) | (isFirst ? 0x40 : 0), UInt8(id & 0xFF)]
      made += [(field.isEmpty ? 0x10 : 0x30) | counter] + field + payload
      counter = (counter + 1) & 0xF
      rest = rest.dropFirst(payload.count)
    }
    return made
  }

  private struct Packet {
    var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var id: Int { Int(bytes[1] & 0x1F) << 8 | Int(bytes[2]) }

    /// With its length byte, without stuffing.
    var adaptation: [UInt8] {
      guard bytes[3] & 0x20 != 0, bytes[4] > 0 else { return [] }
      // The clock reference takes six bytes after the flags.
      let count = bytes[5] & 0x10 != 0 ? 7 : 1
      return [UInt8(count), bytes[5] & 0xF0] + bytes[6..<5 + count]
    }

    var payload: ArraySlice<UInt8> {
      bytes[3] & 0x20 != 0 ? bytes[(5 + Int(bytes[4]))...] : bytes[4...]
    }

    var startsVideo: Bool {
      bytes[1] & 0x40 != 0 && payload.starts(with: [0, 0, 1])
        && (0xE0...0xEF).contains(payload[payload.startIndex + 3])
    }
  }
}
