import Bitstreams
import Testing

/// Blocks of 256 and 2048 samples, and a mode for each (Vorbis I, 4.2.2 and 4.2.4).
@Suite struct `Given the headers of Vorbis` {
  private static let word = Array("vorbis".utf8)
  private static let identification =
    [1] + word + [UInt8](repeating: 0, count: 4) + [1, 0x80, 0xBB, 0, 0]
    + [UInt8](repeating: 0, count: 12) + [0xB8, 1]
  /// Two modes, the second one for long blocks, preceded by a byte that is not part of them.
  private static let setup: [UInt8] = {
    var bits: [Bool] = [true, false, false, false, false, false]
    for isLong in [false, true] { bits += [isLong] + [Bool](repeating: false, count: 40) }
    bits.append(true)
    let modes = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<min(bits.count, start + 8)].enumerated().reduce(UInt8(0)) { byte, bit in
        byte | (bit.element ? 1 << UInt8(bit.offset) : 0)
      }
    }
    return [5] + word + [0xFF] + modes
  }()

  private let short: UInt8 = 0b00
  private let long: UInt8 = 0b10

  private func opened() -> VorbisBlocks {
    var blocks = VorbisBlocks()
    blocks.read(header: Self.identification[...])
    blocks.read(header: Self.setup[...])
    return blocks
  }

  @Test func `then a packet decodes to its overlap with the one before`() {
    var blocks = opened()
    #expect([short, short, long, long].map { blocks.samples($0) } == [0, 128, 576, 1024])
  }

  @Test func `when another stream begins then its first packet only primes`() {
    var blocks = opened()
    _ = blocks.samples(long)
    blocks.read(header: Self.identification[...])
    #expect(blocks.samples(long) == 0)
  }

  /// Headers have their lowest bit set; damage can set that bit in a sound packet too.
  @Test(arguments: [
    [1], [5, 0, 0], [1] + Array("vorbid".utf8) + Array(repeating: 0xBB, count: 30),
  ])
  func `when a packet looks like a header except for 'vorbis' then it is not taken for one`(
    _ packet: [UInt8]
  ) {
    var blocks = opened()
    _ = blocks.samples(long)
    blocks.read(header: packet[...])
    #expect(blocks.samples(long) == 1024)
  }
}
