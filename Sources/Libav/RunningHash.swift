/// A number for a sequence of words.
///
/// Equal sequences have equal ones; not for secrets.
package struct RunningHash: Hashable, Sendable {
  package private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  package init() {}

  @inline(__always) package mutating func add(_ word: UInt64) {
    let (high, low) = (value ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    value = high ^ low ^ (value << 7 | value >> 57)
  }
}
