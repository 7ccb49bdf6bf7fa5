import MediaFacts
import Testing

@testable import Bitstreams

@Suite struct `Given NAL units` {
  @Test(
    arguments: [
      ("one byte each", Framing.lengthPrefixed(1), [1, 9, 2, 0x65, 7]),
      ("two bytes each", .lengthPrefixed(2), [0, 1, 9, 0, 2, 0x65, 7]),
      ("four bytes each", .lengthPrefixed(4), [0, 0, 0, 2, 9, 8, 0, 0, 0, 2, 0x65, 7]),
      ("start codes of three and four bytes", .annexB, [0, 0, 1, 9, 0, 0, 0, 1, 0x65, 7]),
      ("zeros before the first start code", .annexB, [0, 0, 0, 0, 1, 9, 0, 0, 1, 0x65, 7]),
      ("a last unit that is cut short", .lengthPrefixed(2), [0, 1, 9, 0xFF, 0xFF, 0x65, 7]),
      ("an empty unit between", .lengthPrefixed(1), [1, 9, 0, 2, 0x65, 7]),
      (
        "start codes against the configuration", .lengthPrefixed(4),
        [0, 0, 0, 1, 9, 0, 0, 1, 0x65, 7]
      ),
    ] as [(String, Framing, [UInt8])])
  func `then they are separated`(_ name: String, _ framing: Framing, _ bytes: [UInt8]) {
    let units = NALUnits(bytes: bytes[...], framing: framing).map { Array($0) }
    #expect(units.map(\.first) == [9, 0x65])
    #expect(units.last == [0x65, 7])
  }

  @Test func `when emulation prevention bytes are removed then the original payload remains`() {
    let unit: [UInt8] = [0, 0, 3, 1, 0, 0, 3, 0, 0, 3, 3, 0, 3]
    #expect(NALEscaping.unescaped(unit[...]) == [0, 0, 1, 0, 0, 0, 0, 3, 0, 3])
  }

  @Test(
    arguments: [
      ("h264", [1, 66, 0, 30, 0xFD, 0xE1, 0], Framing.lengthPrefixed(2)),
      ("h264", [0, 0, 0, 1, 0x67, 0, 0], .annexB),
      ("h264", [], .annexB),
      ("hevc", [1] + [UInt8](repeating: 0, count: 20) + [3, 0], .lengthPrefixed(4)),
      ("hevc", [0, 0, 0, 1] + [UInt8](repeating: 0, count: 20), .annexB),
      ("mpeg4", [0, 0, 1, 0xB0, 1, 0, 0], .annexB),
    ] as [(Codec, [UInt8], Framing)])
  func `when there is a configuration then it gives their framing`(
    _ codec: Codec, _ configuration: [UInt8], _ framing: Framing
  ) {
    #expect(Framing(codec: codec, configuration: configuration) == framing)
  }
}
