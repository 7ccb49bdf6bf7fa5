/// One way to damage a file.
package enum Mutation: CaseIterable {
  case flippedBits, truncation, boxSize, zeroedStretch, repeatedStretch, extremeField

  package func apply(to bytes: inout [UInt8], using random: inout SeededGenerator) {
    guard bytes.count > 16 else { return }
    switch self {
    case .flippedBits:
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        // Half of the bits in the first kilobytes, where headers are.
        let reach = Bool.random(using: &random) ? min(4096, bytes.count) : bytes.count
        let place = Int.random(in: 0..<reach, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
    case .truncation:
      bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
    case .boxSize:
      guard let place = Self.boxes(of: bytes).randomElement(using: &random) else {
        return Mutation.extremeField.apply(to: &bytes, using: &random)
      }
      let value = Self.extremes.randomElement(using: &random) ?? 0
      bytes.replaceSubrange(place..<place + 4, with: BoxBuilder.Field.u32(value).bytes)
    case .zeroedStretch:
      let stretch = Self.stretch(of: bytes, using: &random)
      for index in stretch { bytes[index] = 0 }
    case .repeatedStretch:
      let stretch = Self.stretch(of: bytes, using: &random)
      bytes.insert(contentsOf: Array(bytes[stretch]), at: stretch.lowerBound)
    case .extremeField:
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count - 8, using: &random)
        let value = Self.extremes.randomElement(using: &random) ?? 0
        bytes.replaceSubrange(place..<place + 4, with: BoxBuilder.Field.u32(value).bytes)
      }
    }
  }

  private static let extremes: [UInt32] = [
    0, 1, 7, 8, 9, 16, 255, 65_535, 1 << 24, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF,
  ]

  private static func stretch(
    of bytes: [UInt8], using random: inout SeededGenerator
  ) -> Range<Int> {
    let start = Int.random(in: 0..<bytes.count, using: &random)
    return start..<min(bytes.count, start + Int.random(in: 1...4096, using: &random))
  }

  /// The positions of what may be box sizes.
  private static func boxes(of bytes: [UInt8]) -> [Int] {
    (0..<min(bytes.count, 1 << 16) - 8).filter { place in
      (4..<8).allSatisfy { (0x61...0x7A).contains(bytes[place + $0]) } && bytes[place] == 0
    }
  }
}
