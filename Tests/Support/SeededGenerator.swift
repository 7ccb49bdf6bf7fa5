/// A random number generator that gives the same numbers for the same seed on every machine.
///
/// SplitMix64 (Steele, Lea and Flood, 2014): every seed is good, and the state is one word. Its
/// description is the initial seed, so that a failing expectation names what to run again.
///
/// ```swift
/// var generator = SeededGenerator(seed: 1)
/// let frames = Int.random(in: 1...500, using: &generator)
/// #expect(law(frames), "\(generator)")
/// ```
package struct SeededGenerator: RandomNumberGenerator, Sendable, CustomStringConvertible {
  /// The initial seed.
  package let seed: UInt64
  private var state: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// - Parameter count: a multiple of eight.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let words = UnsafeMutableRawBufferPointer(buffer)
      while filled < count {
        words.storeBytes(of: next(), toByteOffset: filled, as: UInt64.self)
        filled += 8
      }
    }
  }

  package var description: String { "seed \(seed)" }
}
