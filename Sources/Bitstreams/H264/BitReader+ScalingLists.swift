extension BitReader {
  /// Skips the scaling lists of a sequence or picture parameter set (ITU-T H.264, 7.3.2.1.1.1).
  ///
  /// - Returns: false where they are truncated or have invalid values.
  mutating func skipScalingLists(count: Int) -> Bool {
    for index in 0..<count {
      guard let isPresent = flag() else { return false }
      guard isPresent else { continue }
      var last: Int32 = 8
      var next: Int32 = 8
      for _ in 0..<(index < 6 ? 16 : 64) {
        if next != 0 {
          guard let delta = signedExponentialGolomb(), delta.magnitude < 256 else { return false }
          next = (last + delta + 256) % 256
        }
        last = next == 0 ? last : next
      }
    }
    return true
  }
}
