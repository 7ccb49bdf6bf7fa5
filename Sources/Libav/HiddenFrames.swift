/// Frames of VP8 and VP9 that are decoded and not shown, on which later ones build.
///
/// Containers have them in packets of their own. A ``Demuxer`` hands them out in one packet with the
/// frame that is shown next, so that every packet is a picture; a ``Decoder`` and a ``Muxer`` take
/// them apart again. VP9 has a packet for that (VP9 bitstream, annex B), VP8 has none: what is made of it
/// here goes into no file.
enum HiddenFrames {
  enum Coding { case vp8, vp9 }

  /// As many as an index of VP9 names.
  static let limit = 8

  /// Whether a packet is one frame that is not shown.
  static func isHidden(_ packet: UnsafeRawBufferPointer, _ coding: Coding) -> Bool {
    guard let first = unsafe packet.first else { return false }
    switch coding {
    case .vp8:
      // RFC 6386, 9.1: show_frame.
      return packet.count >= 3 && first & 0x10 == 0
    case .vp9:
      // 6.2: the marker, two bits of the profile, a reserved one in the last, show_existing_frame,
      // frame_type, show_frame.
      guard first >> 6 == 2, unsafe frames(of: packet, .vp9).count == 1 else { return false }
      let bits = first & 0x30 == 0x30 ? first << 1 : first
      return bits & 0x08 == 0 && bits & 0x02 == 0
    }
  }

  /// One packet of some frames, of which the last is shown.
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

  /// Where the frames of a packet lie; one that is all of it where it has no index.
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

  /// In front of an index that was made here: no encoder's bytes.
  private static let seal: [UInt8] = [
    0x74, 0x72, 0x69, 0x6D, 0x9E, 0x41, 0xC7, 0x0B, 0x5D, 0xE8, 0x32, 0xF6, 0x18, 0xA3, 0x7C, 0x55,
  ]
}
