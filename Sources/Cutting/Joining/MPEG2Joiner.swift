import Bitstreams
import MediaFiles

/// MPEG-1 and MPEG-2 video (ISO 13818-2): the headers are in the pictures' packets.
///
/// The copied run begins with a sequence header, and with a closed GOP: if its leading pictures
/// were left out, the others of that GOP are renumbered (6.3.9, temporal_reference).
struct MPEG2Joiner: EdgeJoiner {
  /// The source's sequence header and its extensions.
  private let headers: [UInt8]
  private let leftOut: Int
  /// Whether a decoder outputs each picture at once (6.3.5, low_delay).
  private let hasLowDelay: Bool
  /// True from the entry up to the next GOP.
  private var renumbers = false

  var configuration: [UInt8]? { nil }

  init(headers: [UInt8], leftOut: Int) {
    self.headers = headers
    self.leftOut = leftOut
    hasLowDelay = Self.delayPlace(in: headers).map { headers[$0] & 0x80 != 0 } ?? false
  }

  /// Encoded headers state the source's delay: if a later sequence header states that there is
  /// none, decoders drop the picture that they still hold.
  func encoded(
    _ bytes: [UInt8], configuration: [UInt8], as role: PictureRole
  ) throws(MediaError) -> [UInt8] {
    guard hasLowDelay, let place = Self.delayPlace(in: bytes) else { return bytes }
    var bytes = bytes
    bytes[place] |= 0x80
    return bytes
  }

  /// The byte whose highest bit is low_delay: in sequence_extension, which follows a sequence
  /// header (6.2.2.3), after 40 other bits.
  private static func delayPlace(in bytes: [UInt8]) -> Int? {
    guard let sequence = StartCodes.first(in: bytes, { $0 == 0xB3 || $0 == 0 }),
      bytes[sequence + 3] == 0xB3,
      let header = StartCodes.first(in: bytes, from: sequence + 4, { $0 == 0xB5 || $0 == 0 }),
      header + 9 < bytes.count, bytes[header + 3] == 0xB5, bytes[header + 4] >> 4 == 1
    else { return nil }
    return header + 9
  }

  mutating func copied(
    _ bytes: () throws(MediaError) -> [UInt8], as role: CopiedRole
  ) throws(MediaError) -> [UInt8]? {
    if role == .entry {
      renumbers = leftOut > 0
      var packet = try bytes()
      if leftOut > 0 { Self.closeGroup(&packet) }
      let hasHeader = StartCodes.first(in: packet) { $0 == 0xB3 } != nil
      if renumbers { Self.renumber(&packet, by: leftOut) }
      return hasHeader ? (leftOut > 0 ? packet : nil) : headers + packet
    }
    guard renumbers else { return nil }
    var packet = try bytes()
    if StartCodes.first(in: packet, { $0 == 0xB8 }) != nil {
      renumbers = false
      return nil
    }
    Self.renumber(&packet, by: leftOut)
    return packet
  }

  /// Sets closed_gop in group_of_pictures_header: nothing refers to earlier pictures any more.
  private static func closeGroup(_ packet: inout [UInt8]) {
    guard let header = StartCodes.first(in: packet, { $0 == 0xB8 }), header + 7 < packet.count
    else { return }
    // time_code has 25 bits; closed_gop and broken_link follow.
    packet[header + 7] |= 0x40
    packet[header + 7] &= ~0x20
  }

  private static func renumber(_ packet: inout [UInt8], by count: Int) {
    var position = 0
    while let header = StartCodes.first(in: packet, from: position, { $0 == 0 }),
      header + 5 < packet.count
    {
      let number = Int(packet[header + 4]) << 2 | Int(packet[header + 5] >> 6)
      let changed = (number - count) & 0x3FF
      packet[header + 4] = UInt8(changed >> 2)
      packet[header + 5] = UInt8(changed & 3) << 6 | packet[header + 5] & 0x3F
      position = header + 4
    }
  }
}
