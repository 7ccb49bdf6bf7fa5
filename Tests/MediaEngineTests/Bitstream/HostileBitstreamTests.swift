import Support
import Testing

@testable import MediaEngine

@Suite(.timeLimit(.minutes(2))) struct `Given bytes that were tampered with` {
  /// One to four bytes replaced or bits flipped, then perhaps an end cut off.
  static func tampered(
    _ bytes: [UInt8], using generator: inout SeededGenerator
  ) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let index = Int.random(in: bytes.indices, using: &generator)
      if Bool.random(using: &generator) {
        bytes[index] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &generator) ?? 0
      } else {
        bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
    }
    if Bool.random(using: &generator) {
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
    }
    return bytes
  }

  @Test(arguments: CodedHeaderCase.all)
  func `when it is a configuration then reading it ends`(_ known: CodedHeaderCase) throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let configuration = Self.tampered(known.configuration, using: &generator)
      var stream = try #require(
        VideoBitstream(codec: known.codec, configuration: configuration))
      _ = stream.picture(in: Self.tampered(known.sample, using: &generator))
      // The header's own bytes are as good as a sample.
      _ = stream.picture(in: Self.tampered(known.configuration, using: &generator))
      if let width = stream.header?.width { #expect(width > 0, "\(generator)") }
      if let height = stream.header?.height { #expect(height > 0, "\(generator)") }
    }
  }
}
