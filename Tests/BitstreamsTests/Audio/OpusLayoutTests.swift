import Bitstreams
import Testing

/// RFC 7845, 5.1.1; RFC 8486 for families 2 and 3.
@Suite struct `Given an OpusHead` {
  /// - Parameter table: the stream count and coupled count, then a byte for each channel.
  private func head(_ channels: UInt8, family: UInt8, _ table: [UInt8] = []) -> [UInt8] {
    Array("OpusHead".utf8) + [1, channels, 56, 1, 0x80, 0xBB, 0, 0, 0, 0, family] + table
  }

  @Test func `then one stream of one or two channels needs no table`() {
    #expect(OpusLayout.isValid(head(1, family: 0)))
    #expect(OpusLayout.isValid(head(2, family: 0)))
    #expect(!OpusLayout.isValid(head(0, family: 0)))
    #expect(!OpusLayout.isValid(head(3, family: 0)))
  }

  @Test func `then a table maps each channel to a stream`() {
    #expect(OpusLayout.isValid(head(3, family: 1, [2, 1, 0, 2, 1])))
    #expect(OpusLayout.isValid(head(2, family: 255, [2, 0, 0, 255])))
    #expect(OpusLayout.isValid(head(4, family: 2, [4, 0, 0, 1, 2, 3])))
    #expect(!OpusLayout.isValid(head(3, family: 1, [2, 1, 0, 2])), "a channel is missing")
    #expect(!OpusLayout.isValid(head(3, family: 1, [2, 1, 0, 3, 1])), "there is no stream 3")
    #expect(!OpusLayout.isValid(head(2, family: 1, [0, 0, 0, 0])), "there is no stream")
    #expect(!OpusLayout.isValid(head(2, family: 1, [1, 2, 0, 1])), "more coupled than there are")
    #expect(!OpusLayout.isValid(head(9, family: 1, [9, 0] + Array(0..<9))), "more than eight")
    #expect(!OpusLayout.isValid(head(1, family: 2)), "there is no table")
  }

  @Test func `then family 3 has a matrix in place of the table`() {
    #expect(OpusLayout.isValid(head(4, family: 3, [2, 2])))
    #expect(!OpusLayout.isValid(head(4, family: 3, [2, 3])))
  }

  @Test func `then bytes that are not an OpusHead are not judged`() {
    #expect(OpusLayout.isValid([]))
    #expect(OpusLayout.isValid([0, 2, 1, 56]))
  }
}
