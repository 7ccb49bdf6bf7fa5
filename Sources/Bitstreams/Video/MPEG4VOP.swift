/// A video object plane of MPEG-4 part 2: a picture (ISO 14496-2, 6.2.5).
package struct MPEG4VOP {
  /// False for a placeholder: the previous picture stays on screen.
  package var isCoded: Bool
  /// The offset of its start code in the packet.
  package var start: Int

  /// All VOPs in a packet.
  ///
  /// - Parameter timeBits: the size in bits of vop_time_increment, from the video object layer.
  package static func all(in packet: ArraySlice<UInt8>, timeBits: Int) -> [MPEG4VOP] {
    var planes: [MPEG4VOP] = []
    var position = packet.startIndex
    while let start = startCode(in: packet, from: position) {
      if let plane = MPEG4VOP(packet, at: start, timeBits) { planes.append(plane) }
      position = start + 4
    }
    return planes
  }

  private init?(_ packet: ArraySlice<UInt8>, at start: Int, _ timeBits: Int) {
    var reader = BitReader(packet[(start + 4)...].prefix(64))
    guard reader.skip(2) else { return nil }
    // modulo_time_base: a one for every whole second.
    while let more = reader.flag(), more {}
    guard reader.skip(1 + timeBits + 1), let isCoded = reader.flag() else { return nil }
    self.isCoded = isCoded
    self.start = start
  }

  private static func startCode(in packet: ArraySlice<UInt8>, from start: Int) -> Int? {
    var index = start
    while index + 4 < packet.endIndex {
      if packet[index + 2] > 1 {
        index += 3
      } else if packet[index] == 0, packet[index + 1] == 0, packet[index + 2] == 1 {
        if packet[index + 3] == 0xB6 { return index }
        index += 3
      } else {
        index += 1
      }
    }
    return nil
  }
}

/// Unpacks MPEG-4 part 2 pictures that some encoders pack together in AVI.
///
/// AVI has a chunk for each picture but no presentation order. Such an encoder puts a B picture in
/// the same packet as the P picture decoded before it, and a placeholder in the B picture's own
/// place ("packed bitstream", signaled by a letter p after the encoder's name in the user data).
/// Other containers require a packet for each picture.
package struct MPEG4Unpacking {
  private var timeBits: Int
  /// The second picture of a packet, which waits for the next placeholder.
  private var held: [UInt8]?

  package init(configuration: [UInt8]) {
    timeBits = Self.timeBits(configuration[...]) ?? 1
  }

  /// The single picture to use for the next packet; empty where it shows nothing.
  package mutating func add(_ packet: [UInt8]) -> [UInt8] {
    timeBits = Self.timeBits(packet[...]) ?? timeBits
    let planes = MPEG4VOP.all(in: packet[...], timeBits: timeBits)
    if planes.count > 1 {
      let second = planes[1].start
      held = Array(packet[second...])
      return Self.withoutMark(Array(packet[..<second]))
    }
    // DivX writes a single byte where it drops a picture.
    let isPlaceholder = planes.first.map { !$0.isCoded } ?? (packet.count == 1)
    if let waiting = held {
      // A picture in place of the placeholder waits for the next one.
      held = isPlaceholder ? nil : packet
      return waiting
    }
    return isPlaceholder ? [] : Self.withoutMark(packet)
  }

  private static func timeBits(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.first == 0, bytes.prefix(4096).contains(where: { (0x20...0x2F).contains($0) })
    else { return nil }
    return MPEG4Layer(bytes.prefix(4096))?.timeBits
  }

  /// Headers or a packet, without the letter that signals packed pictures: `DivX503b1393p`.
  package static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    let name = Array("DivX".utf8)
    var copy = bytes
    var index = 0
    while index + 8 < min(bytes.count, 4096) {
      guard bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1,
        bytes[index + 3] == 0xB2, bytes[(index + 4)...].starts(with: name)
      else {
        index += 1
        continue
      }
      var end = index + 8
      while end < bytes.count, bytes[end] != 0, bytes[end] != UInt8(ascii: "p") { end += 1 }
      if end < bytes.count, bytes[end] == UInt8(ascii: "p") { copy[end] = 0 }
      index = end
    }
    return copy
  }
}
