extension BidirectionalCollection<Int64> {
  /// The duration of a last frame that has none stated, from the ascending times of a track's
  /// frames: as long as the previous frame, and no longer than most of the others.
  ///
  /// The previous frame alone is not enough: where a file with reordered pictures is truncated, one
  /// shown before the last may be missing. `nil` where there is no other frame.
  package var usualDistance: Int64? {
    guard let last, let before = self.last(where: { $0 < last }) else { return nil }
    var votes = 0
    var candidate: Int64 = 0
    for (frame, next) in zip(self, dropFirst()) {
      if votes == 0 { candidate = next &- frame }
      votes += next &- frame == candidate ? 1 : -1
    }
    let like = zip(self, dropFirst()).count { $1 &- $0 == candidate }
    return candidate > 0 && 2 * like > count - 1
      ? Swift.min(candidate, last &- before) : last &- before
  }
}
