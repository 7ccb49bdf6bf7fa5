/// Looks for damage in AC-3 and E-AC-3 frames, which end with a checksum of all their bytes (ETSI
/// TS 102 366, 6.1.7 and E.1.3).
package enum DolbyInspector {
  /// 16-bit words per frame, by bit rate, at 48, 44.1 and 32 kHz (table 5.18).
  private static let bitRates = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]

  package static func fault(in packet: [UInt8]) -> PacketFault? {
    var place = 0
    while place < packet.count {
      guard packet.count - place > 6, packet[place] == 0x0B, packet[place + 1] == 0x77 else {
        return .header("a frame does not begin with its sync word")
      }
      guard let count = byteCount(packet[place...]) else {
        return .header("the header of a frame cannot be read")
      }
      guard count <= packet.count - place else {
        return .structure("a frame is longer than its packet")
      }
      // Over everything after the sync word, including crc2, the remainder is 0.
      let body = packet[(place + 2)..<(place + count)]
      guard Checksum.crc16(body) == 0 else {
        return .checksum("the checksum of a frame does not match")
      }
      place += count
    }
    return nil
  }

  private static func byteCount(_ frame: ArraySlice<UInt8>) -> Int? {
    let start = frame.startIndex
    // bsid: above 10 it is E-AC-3, which states its size.
    if frame[start + 5] >> 3 > 10 {
      return 2 * ((Int(frame[start + 2] & 7) << 8 | Int(frame[start + 3])) + 1)
    }
    let code = Int(frame[start + 4])
    guard code & 0x3F < 38 else { return nil }
    let rate = bitRates[(code & 0x3F) / 2]
    switch code >> 6 {
    case 0: return rate * 4
    case 1: return 2 * (rate * 320 / 147 + code & 1)
    case 2: return rate * 6
    default: return nil
    }
  }
}
