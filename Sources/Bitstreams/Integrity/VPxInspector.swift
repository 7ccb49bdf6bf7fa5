/// Looks for damage in VP8 and VP9 frames; only their first bytes are not entropy-coded.
package enum VPxInspector {
  /// Checks the frame tag (RFC 6386, 9.1): the end of the first partition, and a keyframe's start
  /// code.
  package static func vp8Fault(in frame: [UInt8]) -> PacketFault? {
    guard frame.count >= 3 else { return .structure("it is shorter than its header") }
    let isKey = frame[0] & 1 == 0
    let size = Int(frame[0]) >> 5 | Int(frame[1]) << 3 | Int(frame[2]) << 11
    if isKey, frame.count < 10 || frame[3...5] != [0x9D, 0x01, 0x2A] {
      return .header("a keyframe has no start code")
    }
    guard size <= frame.count - (isKey ? 10 : 3) else {
      return .structure("its first partition is longer than the frame")
    }
    return nil
  }

  /// Checks the beginning of the uncompressed header (VP9 bitstream, 6.2) and the superframe index
  /// (annex B).
  package static func vp9Fault(in packet: [UInt8]) -> PacketFault? {
    if let last = packet.last, last & 0xE0 == 0xC0 {
      let count = Int(last & 7) + 1
      let width = Int(last >> 3 & 3) + 1
      let size = 2 + count * width
      if packet.count >= size, packet[packet.count - size] == last {
        var total = 0
        var start = 0
        for frame in 0..<count {
          var length = 0
          for byte in 0..<width {
            length |= Int(packet[packet.count - size + 1 + frame * width + byte]) << (8 * byte)
          }
          total += length
          guard total <= packet.count - size else {
            return .structure("the frames of a superframe do not fit into it")
          }
          if length > 0, let fault = vp9FrameFault(packet[start..<start + length]) { return fault }
          start += length
        }
        return nil
      }
    }
    return vp9FrameFault(packet[...])
  }

  private static func vp9FrameFault(_ frame: ArraySlice<UInt8>) -> PacketFault? {
    var reader = BitReader(frame.prefix(8))
    guard reader.read(2) == 2, let low = reader.read(1), let high = reader.read(1) else {
      return .header("a frame has no frame marker")
    }
    if high << 1 | low == 3, reader.read(1) != 0 { return .header("a reserved bit is not 0") }
    guard let showsExisting = reader.flag(), !showsExisting, reader.flag() == false else {
      return nil
    }
    reader.skip(2)
    return reader.read(24) == 0x498342 ? nil : .header("a keyframe has no start code")
  }
}
