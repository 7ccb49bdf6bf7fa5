import Bitstreams
import Testing

@Suite struct `Given a checksum` {
  /// The digits 1 to 9, of which catalogues of checksums tell the sums.
  private let digits = Array("123456789".utf8)

  @Test func `then the sums of its catalogue come out`() {
    #expect(Checksum.crc8(digits[...]) == 0xF4)
    // CRC-16/UMTS and CRC-16/ARC.
    #expect(Checksum.crc16(digits[...]) == 0xFEE8)
    #expect(Checksum.reflectedCRC16(digits[...]) == 0xBB3D)
  }
}
