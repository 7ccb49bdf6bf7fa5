/// Looks for damage in AAC frames (ISO 14496-3): ADTS headers, or the first element of a raw frame.
///
/// The rest has no redundancy; only a decoder can check it.
package struct AACInspector {
  /// Whether the first element is a channel pair or a single channel; `nil` where unknown.
  private let startsWithPair: Bool?
  /// Whether frames have ADTS headers: the track has no configuration, or an earlier frame had a header.
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
    // Table 1.19: the elements of a frame.
    startsWithPair = channels == 1 ? false : channels == 2 ? true : nil
  }

  /// The most that the 13 bits of aac_frame_length allow in addition to a seven-byte header (1.A.2.2); 6144
  /// bits per channel (4.5.3.1) are less.
  private static let largestFrame = (1 << 13) - 1 - 7

  package mutating func fault(in packet: [UInt8]) -> PacketFault? {
    let hasHeader = packet.count > 7 && packet[0] == 0xFF && packet[1] & 0xF6 == 0xF0
    guard isStream || hasHeader else {
      guard packet.count <= Self.largestFrame else {
        return .structure("a frame is larger than possible")
      }
      return elementFault(packet[...])
    }
    let fault = streamFault(packet)
    if fault == nil { isStream = true }
    return fault
  }

  /// ADTS (1.A.2.2): aac_frame_length includes the header.
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

  /// raw_data_block (4.4.2.1): channel elements are in a fixed order, others may be anywhere.
  private func elementFault(_ frame: ArraySlice<UInt8>) -> PacketFault? {
    guard let startsWithPair else { return nil }
    var reader = BitReader(frame.prefix(4))
    guard let element = reader.read(3) else { return nil }
    switch element {
    case 0 where !startsWithPair, 1 where startsWithPair: break
    // Coupling, data, program configuration, fill.
    case 2, 4, 5, 6: return nil
    // Parametric stereo, and silence from some encoders, use a single channel in stereo streams too.
    case 0: return nil
    default: return .header("it begins with an element that the stream does not have")
    }
    // element_instance_tag; for a pair common_window, then ics_info, whose reserved bit is 0.
    guard startsWithPair, reader.skip(4), reader.flag() == true else { return nil }
    return reader.flag() == false ? nil : .header("a reserved bit is not 0")
  }
}
