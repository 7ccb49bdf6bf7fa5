/// Looks for damage in FLAC frames, which have two checksums (RFC 9639, 9.1.8 and 9.3).
package enum FLACInspector {
  package static func fault(in frame: [UInt8]) -> PacketFault? {
    guard frame.count > 8, frame[0] == 0xFF, frame[1] & 0xFC == 0xF8 else {
      return .header("it does not begin with its sync code")
    }
    return Checksum.crc16(frame[...]) == 0
      ? nil : .checksum("the checksum of a frame does not match")
  }
}
