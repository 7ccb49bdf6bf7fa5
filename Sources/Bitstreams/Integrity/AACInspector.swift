/// Looks for damage in frames of AAC (ISO 14496-3): headers of a stream, the first element of a raw
/// frame.
///
/// What follows is coded without gaps; only a decoder reads it.
package struct AACInspector {
  /// Of the first element: a single channel, a pair; `nil` where it is not known.
  private let startsWithPair: Bool?
  /// Frames have headers: nothing else describes them, or one had.
  private var isStream: Bool

  package init(configuration: [UInt8]) {
    isStream = configuration.isEmpty
    var reader = BitReader(configuration)
    let objectType = reader.read(5)
    guard let objectType, (1...5).contains(objectType), objectType != 3, let rate = reader.read(4),
      reader.skip(rate == 15 ? 24 : 0), let channels = reader.read(4)
    else {
      startsWithPair = nil
      return
    }
    // Table 1.19: what the elements of a frame are.
    startsWithPair = channels == 1 ? false : channels == 2 ? true : nil
  }

  /// What thirteen bits of aac_frame_length count besides a header of seven bytes (1.A.2.2); 6144 bits
  /// a channel (4.5.3.1) are less.
  private static let largestFrame = (1 << 13) - 1 - 7

  package mutating func fault(in packet: [UInt8]) -> PacketFault? {
    let hasHeader = packet.count > 7 && packet[0] == 0xFF && packet[1] & 0xF6 == 0xF0
    guard isStream || hasHeader else {
      guard packet.count <= Self.largestFrame else {
        return .structure("a frame is larger than one can be")
      }
      return elementFault(packet[...])
    }
    let fault = streamFault(packet)
    if fault == nil { isStream = true }
    return fault
  }

  /// ADTS (1.A.2.2): aac_frame_length counts the header too.
  private func streamFault(_ packet: [UInt8]) -> PacketFault? {
    var place = 0
    while place < packet.count {
      guard packet.count - place >= 7, packet[place] == 0xFF, packet[place + 1] & 0xF6 == 0xF0
      else { return .header("a frame does not begin with its sync word") }
      let length =
        Int(packet[place + 3] & 3) << 11 | Int(packet[place + 4]) << 3 | Int(packet[place + 5] >> 5)
      guard length >= 7, length <= packet.count - place else {
        return .structure("a frame is longer than its packet")
      }
      place += length
    }
    return nil
  }

  /// raw_data_block (4.4.2.1): elements in the order of the channels, other ones anywhere.
  private func elementFault(_ frame: ArraySlice<UInt8>) -> PacketFault? {
    guard let startsWithPair else { return nil }
    var reader = BitReader(frame.prefix(4))
    guard let element = reader.read(3) else { return nil }
    switch element {
    case 0 where !startsWithPair, 1 where startsWithPair: break
    // Coupling, data, the program's configuration, fill.
    case 2, 4, 5, 6: return nil
    // Parametric stereo and what encoders make of silence are single channels in either.
    case 0: return nil
    default: return .header("it begins with an element that the stream does not have")
    }
    // element_instance_tag; for a pair common_window, then ics_info with its reserved bit 0.
    guard startsWithPair, reader.skip(4), reader.flag() == true else { return nil }
    return reader.flag() == false ? nil : .header("a reserved bit is not 0")
  }
}
