/// A running hash of a sequence of words.
///
/// Equal sequences have equal hashes; not cryptographic.
package struct RunningHash: Hashable, Sendable {
  @usableFromInline var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  package init() {}

  package var value: UInt64 { state }

  @inlinable package mutating func add(_ word: UInt64) {
    let (high, low) = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    state = high ^ low ^ (state << 7 | state >> 57)
  }
}
