import Bitstreams
import Support
import Testing

/// 3GPP TS 26.245, 5.17.
@Suite struct `Given a sample of timed text` {
  private static let style: [UInt8] = [0, 0, 0, 10] + Array("styl".utf8) + [0, 0]

  private static func sample(_ text: [UInt8], lengthPlus more: Int = 0) -> [UInt8] {
    let length = text.count + more
    return [UInt8(length >> 8), UInt8(length & 0xFF)] + text + style
  }

  @Test func `when it is UTF-8 then it is kept unchanged`() {
    let sample = Self.sample(Array("café".utf8))
    #expect(TimedText(sample).bytes == sample)
    #expect(TimedText(sample).withoutBoxes.bytes == [0, 5] + Array("café".utf8))
  }

  @Test func `when a byte is not UTF-8 then the others stay, without boxes that count them`() {
    #expect(TimedText(Self.sample([0x63, 0xE9])).bytes == [0, 4] + Array("c\u{FFFD}".utf8))
  }

  @Test(
    arguments: [
      [0xFE, 0xFF, 0x00, 0x63, 0xD8, 0x3D, 0xDE, 0x00],
      [0xFF, 0xFE, 0x63, 0x00, 0x3D, 0xD8, 0x00, 0xDE, 0x20],
    ] as [[UInt8]])
  func `when it is UTF-16 with its byte order mark then it becomes UTF-8`(_ text: [UInt8]) {
    #expect(TimedText(Self.sample(text)).bytes == [0, 5] + Array("c\u{1F600}".utf8))
  }

  /// FFmpeg does not accept it as a character.
  @Test func `when it has U+FFFE then that is replaced`() {
    #expect(ReadableText.of(Array("a\u{FFFE}".utf8)) == Array("a\u{FFFD}".utf8))
  }

  @Test(arguments: [[], [0], [0, 9], [0, 9, 0x63]] as [[UInt8]])
  func `when it is shorter than stated then what is there is read`(_ sample: [UInt8]) {
    let text = Array(sample.dropFirst(2))
    #expect(TimedText(sample).bytes == [0, UInt8(text.count)] + text)
  }

  @Test func `when it gets too long for the length field then it is truncated`() {
    let bytes = TimedText(Self.sample([UInt8](repeating: 0xE9, count: 60_000))).bytes
    #expect(bytes.count <= 2 + Int(UInt16.max) && bytes.count > 65_000)
  }
}
