/// VP8 and VP9 frames that are decoded but not shown, and used as references by later ones.
///
/// Containers store them in separate packets. A ``Demuxer`` returns them in one packet with the
/// next shown frame, so that every packet is a picture; a ``Decoder`` and a ``Muxer`` split them
/// again. VP9 has superframes for this (VP9 bitstream, annex B); VP8 has none, so its joined
/// packets are never written to a file.
enum HiddenFrames {
  enum Coding { case vp8, vp9 }

  /// The most frames in a VP9 superframe index.
  static let limit = 8

  /// Whether a packet is a single hidden frame.
  static func isHidden(_ packet: UnsafeRawBufferPointer, _ coding: Coding) -> Bool {
    guard let first = unsafe packet.first else { return false }
    switch coding {
    case .vp8:
      // RFC 6386, 9.1: show_frame.
      return packet.count >= 3 && first & 0x10 == 0
    case .vp9:
      // 6.2: the marker, two profile bits, a reserved bit in the last profile, show_existing_frame,
      // frame_type, show_frame.
      guard first >> 6 == 2, unsafe frames(of: packet, .vp9).count == 1 else { return false }
      let bits = first & 0x30 == 0x30 ? first << 1 : first
      return bits & 0x08 == 0 && bits & 0x02 == 0
    }
  }

  /// Joins frames into one packet; only the last of them is shown.
  static func joined(_ frames: [ArraySlice<UInt8>], _ coding: Coding) -> [UInt8] {
    let longest = frames.map(\.count).max() ?? 0
    let width = coding == .vp8 ? 4 : max(1, (Int.bitWidth - longest.leadingZeroBitCount + 7) / 8)
    let marker = 0xC0 | UInt8(width - 1) << 3 | UInt8(frames.count - 1)
    var index = coding == .vp8 ? seal : []
    index.append(marker)
    for frame in frames {
      for byte in 0..<width { index.append(UInt8(truncatingIfNeeded: frame.count >> (8 * byte))) }
    }
    index.append(marker)
    return Array(frames.joined()) + index
  }

  /// The byte ranges of the frames in a packet; a single one for the whole packet where it has no
  /// index.
  static func frames(of packet: UnsafeRawBufferPointer, _ coding: Coding) -> [Range<Int>] {
    let whole = [0..<packet.count]
    guard let marker = unsafe packet.last, marker & 0xE0 == 0xC0 else { return whole }
    let count = Int(marker & 7) + 1
    let width = Int(marker >> 3 & 3) + 1
    let index = packet.count - 2 - count * width
    let end = coding == .vp8 ? index - seal.count : index
    guard end >= 0, unsafe packet[index] == marker else { return whole }
    if coding == .vp8, unsafe !packet[end..<index].elementsEqual(seal) { return whole }
    var ranges: [Range<Int>] = []
    var start = 0
    for frame in 0..<count {
      let place = index + 1 + frame * width
      let size = unsafe packet[place..<place + width].reversed().reduce(0) { $0 << 8 | Int($1) }
      guard size <= end - start else { return whole }
      if size > 0 { ranges.append(start..<start + size) }
      start += size
    }
    return ranges.isEmpty ? whole : ranges
  }

  /// A marker before an index made here, which no encoder writes.
  private static let seal: [UInt8] = [
    0x74, 0x72, 0x69, 0x6D, 0x9E, 0x41, 0xC7, 0x0B, 0x5D, 0xE8, 0x32, 0xF6, 0x18, 0xA3, 0x7C, 0x55,
  ]
}
