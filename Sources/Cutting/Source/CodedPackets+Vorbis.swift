import Trimming

/// Vorbis packets, whose durations depend on each other.
extension ContiguousArray<CodedPacket> {
  /// Closes gaps between Vorbis blocks: a block's duration depends on the previous one (Vorbis I,
  /// 4.3.8), which is unknown at the beginning of an Ogg page, so such a block begins where the
  /// previous one ends.
  ///
  /// No block is longer than 4096 samples (4.2.2).
  ///
  /// - Parameter most: longer gaps are not due to rounding.
  mutating func closeBlocks(upTo most: Int64) {
    for place in indices.dropFirst() {
      let gap = self[place].pts &- self[place - 1].pts &- self[place - 1].duration
      guard gap > 0, gap <= 4096, (0...4096).contains(self[place - 1].duration),
        (0...4096).contains(self[place].duration)
      else { continue }
      // The first block has no predecessor that would determine its duration.
      if place == 1, self[0].duration &+ gap <= 4096 {
        self[0].duration += gap
        continue
      }
      guard gap <= most, self[place].duration &+ gap <= 4096 else { continue }
      self[place].pts -= gap
      self[place].dts = self[place].pts
      self[place].duration += gap
    }
  }

  /// The first packet is not heard, and ends where the next one begins.
  mutating func placeLead() {
    guard count > 1, self[0].pts < self[1].pts,
      self[0].pts &+ self[0].duration > self[1].pts
    else { return }
    self[0].pts = self[1].pts &- self[0].duration
    self[0].dts = self[0].pts
  }
}
