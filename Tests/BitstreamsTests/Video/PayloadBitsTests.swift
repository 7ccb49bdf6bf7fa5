import Support
import Testing

@testable import Bitstreams

@Suite struct `Given the bits of a NAL unit's payload` {
  private static let seeds = Array(UInt64(1)...200)

  /// Bytes with many small values, as start codes have.
  private static func bytes(_ generator: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 1...60, using: &generator)).map { _ in
      Bool.random(using: &generator)
        ? UInt8.random(in: 0...3, using: &generator) : UInt8.random(in: 0...255, using: &generator)
    }
  }

  @Test(arguments: seeds)
  func `when it is escaped then it has no start code, and unescaping restores it`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    // A payload ends with the stop bit.
    let payload = Self.bytes(&generator) + [0x80]
    let escaped = NALEscaping.escaped(payload)
    for place in escaped.indices.dropLast(2) where escaped[place] == 0 && escaped[place + 1] == 0 {
      #expect(escaped[place + 2] >= 3, "\(generator): \(escaped)")
    }
    #expect(NALEscaping.unescaped(escaped[...]) == payload, "\(generator)")
  }

  @Test(
    arguments: [
      ([0, 0, 0], [0, 0, 3, 0, 3]), ([0, 0, 1], [0, 0, 3, 1]), ([0, 0, 3], [0, 0, 3, 3]),
      ([0, 0, 4], [0, 0, 4]), ([0, 0, 0, 0, 1], [0, 0, 3, 0, 0, 3, 1]), ([5, 0], [5, 0, 3]),
    ] as [([UInt8], [UInt8])])
  func `then bytes that would look like a start code are separated`(
    _ payload: [UInt8], _ escaped: [UInt8]
  ) {
    #expect(NALEscaping.escaped(payload) == escaped)
  }

  @Test(arguments: seeds)
  func `when bits are copied between any positions then each is preserved`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let source = Self.bytes(&generator)
    let start = Int.random(in: 0...source.count * 8, using: &generator)
    let end = Int.random(in: start...source.count * 8, using: &generator)
    let before = Int.random(in: 0...17, using: &generator)
    var writer = Bitstreams.BitWriter()
    for place in 0..<before { writer.flag(place % 3 == 0) }
    writer.copy(source, from: start, to: end)
    #expect(writer.count == before + end - start, "\(generator)")
    #expect(writer.bytes.count == (writer.count + 7) / 8, "\(generator)")
    var reader = BitReader(writer.bytes)
    for place in 0..<before { #expect(reader.flag() == (place % 3 == 0), "\(generator)") }
    for bit in start..<end {
      let expected = source[bit / 8] & (0x80 >> UInt8(bit % 8)) != 0
      #expect(reader.flag() == expected, "\(generator): bit \(bit)")
    }
  }

  @Test(arguments: [0, 1, 2, 3, 14, 15, 16, 254, 255, 65535, UInt32.max - 1])
  func `when a number is written as Exp-Golomb code then it is read back`(_ value: UInt32) {
    var writer = Bitstreams.BitWriter()
    writer.exponentialGolomb(value)
    var reader = BitReader(writer.bytes)
    #expect(reader.exponentialGolomb() == value)
    #expect(reader.position == writer.count)
  }

  @Test(arguments: [0, 1, -1, 2, -2, 100, -100, Int32.max / 2, -Int32.max / 2])
  func `when a signed number is written as Exp-Golomb code then it is read back`(_ value: Int32) {
    var writer = Bitstreams.BitWriter()
    writer.signedExponentialGolomb(value)
    var reader = BitReader(writer.bytes)
    #expect(reader.signedExponentialGolomb() == value)
  }
}
