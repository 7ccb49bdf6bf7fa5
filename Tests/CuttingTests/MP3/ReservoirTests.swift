import Testing

@testable import Cutting

@Suite struct `Given the bit reservoir that a frame of MP3 needs` {
  /// 22,050 Hz, one channel, 64 kb/s, nothing but zeros; ISO 13818-3 has nine bytes of side information.
  private static func frame(_ data: [UInt8]) -> [UInt8] {
    let head: [UInt8] = [0xFF, 0xF3, 0x80, 0xC4] + [UInt8](repeating: 0, count: 9)
    return head + data + [UInt8](repeating: 0x55, count: 208 - head.count - data.count)
  }

  @Test(arguments: [0x80, 0x82, 0x83] as [UInt8])
  func
    `when its data would complete an H.263 start code then the written frame has none`(
      _ first: UInt8
    ) throws
  {
    let made = try #require(
      MPEGReservoir.frame(before: Self.frame([]), from: [Self.frame([first, 0x12])]))
    let starts = made.indices.dropLast(2).filter {
      made[$0] == 0 && made[$0 + 1] == 0 && (0x80...0x83).contains(made[$0 + 2])
    }
    #expect(made.contains(first))
    #expect(starts.isEmpty)
  }
}
