import Bitstreams
import Testing

@Suite struct `Given a checksum` {
  /// The digits 1 to 9, whose checksums catalogues list as the check value.
  private let digits = Array("123456789".utf8)

  @Test func `then it gives the check value of the CRC catalog`() {
    // CRC-16/UMTS and CRC-16/ARC.
    #expect(Checksum.crc16(digits[...]) == 0xFEE8)
    #expect(Checksum.reflectedCRC16(digits[...]) == 0xBB3D)
  }
}
