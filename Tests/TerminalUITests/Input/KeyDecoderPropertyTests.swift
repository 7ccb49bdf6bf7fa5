import Support
import TerminalUI
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Given hostile bytes` {
  /// Bytes that occur in terminal sequences, more often than by chance.
  private static let likely: [UInt8] = Array(
    "\u{1B}\u{1B}\u{1B}[[[O]P;;<?MmuZ~~0123456789ABC\u{7}\\".utf8)

  private func bytes(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    (0..<count).map { _ in
      if Bool.random(using: &generator) { return UInt8.random(in: 0...255, using: &generator) }
      return Self.likely.randomElement(using: &generator) ?? 0
    }
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `a pause always resets the decoder`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var decoder = KeyDecoder()
    for _ in 0..<20 {
      _ = decoder.decode(bytes(Int.random(in: 0...60, using: &generator), &generator))
      _ = decoder.flush()
      #expect(!decoder.isWaiting, "\(generator)")
      #expect(decoder.decode([0x71]) == [.key(.character("q"))], "\(generator)")
    }
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `splitting the input does not matter`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let stream = bytes(400, &generator)
    var whole = KeyDecoder()
    var pieces = KeyDecoder()
    let expected = whole.decode(stream) + whole.flush()
    var events: [TerminalEvent] = []
    var rest = stream[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...7, using: &generator)
      events += pieces.decode(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    #expect(events + pieces.flush() == expected, "\(generator)")
  }
}
