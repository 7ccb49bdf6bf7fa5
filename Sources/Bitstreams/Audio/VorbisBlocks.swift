/// How many samples Vorbis packets decode to, which depends on the stream's headers.
package struct VorbisBlocks {
  /// Samples in the short and the long block.
  private var sizes: (short: Int, long: Int)?
  /// For each mode, whether it uses the long block.
  private var modes: [Bool] = []
  /// The previous block; the first audio packet only primes the overlap (Vorbis I, 4.3.8).
  private var previous: Int?

  package init() {}

  /// - Parameter configuration: the three headers, laced as FFmpeg and Matroska keep them.
  package init(configuration: [UInt8]) {
    guard configuration.first == 2 else { return }
    var position = 1
    var lengths: [Int] = []
    for _ in 0..<2 {
      var length = 0
      while position < configuration.count {
        let byte = configuration[position]
        position += 1
        length += Int(byte)
        if byte < 255 { break }
      }
      lengths.append(length)
    }
    let setup = position + lengths[0] + lengths[1]
    guard setup < configuration.count else { return }
    read(header: configuration[position..<position + lengths[0]])
    read(header: configuration[setup...])
  }

  /// Reads a header; the next audio packet primes again.
  ///
  /// Damaged audio may look like one except for the `vorbis` signature (Vorbis I, 4.2.1).
  package mutating func read(header: ArraySlice<UInt8>) {
    guard header.dropFirst().starts(with: "vorbis".utf8) else { return }
    if header.first != 3 { previous = nil }
    switch header.first {
    case 1 where header.count >= 30:
      // Vorbis I, 4.2.2: the exponents of both block sizes in one byte.
      let byte = header[header.startIndex + 28]
      let (short, long) = (Int(byte & 0xF), Int(byte >> 4))
      sizes = (6...13).contains(short) && short <= long ? (1 << short, 1 << long) : nil
    case 5: modes = Self.modes(inSetup: header.dropFirst(7))
    default: break
    }
  }

  /// Samples that an audio packet decodes to; `nil` where the headers do not determine it.
  package mutating func samples(_ first: UInt8?) -> Int? {
    // 4.3.1: a 0 bit for an audio packet, then the mode number in the fewest bits that can hold it.
    guard let sizes, !modes.isEmpty, let first, first & 1 == 0 else { return nil }
    let bits = modes.count > 1 ? Int.bitWidth - (modes.count - 1).leadingZeroBitCount : 0
    let mode = Int(first >> 1) & ((1 << bits) - 1)
    guard mode < modes.count else { return nil }
    let block = modes[mode] ? sizes.long : sizes.short
    defer { previous = block }
    guard let previous else { return 0 }
    return (previous + block) / 4
  }

  /// The modes at the end of the setup header (4.2.4): read backwards, because nothing before them
  /// has a stated length.
  ///
  /// A mode is a flag, 16 zero bits of window type, 16 of transform type and 8 of mapping; their
  /// count minus one precedes the first, a set bit follows the last.
  private static func modes(inSetup setup: ArraySlice<UInt8>) -> [Bool] {
    guard let last = setup.lastIndex(where: { $0 != 0 }) else { return [] }
    func bit(_ position: Int) -> Int {
      Int(setup[setup.startIndex + position / 8] >> UInt8(position % 8)) & 1
    }
    func number(_ position: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | bit(position + $1) << $1 }
    }
    let framing = (last - setup.startIndex) * 8 + 7 - setup[last].leadingZeroBitCount
    var flags: [Bool] = []
    var found: [Bool] = []
    var end = framing
    while flags.count < 64, end >= 41 + 6 {
      end -= 41
      guard number(end + 1, 32) == 0, number(end + 33, 8) < 64 else { break }
      flags.insert(bit(end) == 1, at: 0)
      // Of several counts that fit, the greatest is right: modes are long runs of zeros.
      if number(end - 6, 6) == flags.count - 1 { found = flags }
    }
    return found
  }
}

/// Distinguishes Vorbis headers from audio packets.
package enum VorbisPacket {
  /// - Returns: the first byte, whose lowest bit is set in headers (Vorbis I, 4.2.1), and for an
  ///   identification header the sample rate (4.2.2).
  package static func kind(_ packet: UnsafeRawBufferPointer) -> (type: UInt8, rate: Int64?) {
    guard let type = packet.first else { return (0, nil) }
    guard type == 1, packet.count >= 16 else { return (type, nil) }
    let rate = (0..<4).reduce(UInt32(0)) { $0 | UInt32(packet[12 + $1]) << UInt32($1 * 8) }
    return (type, rate > 0 ? Int64(rate) : nil)
  }
}
