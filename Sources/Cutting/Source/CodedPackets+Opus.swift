import Trimming

/// Packets of Opus in Ogg.
extension ContiguousArray<CodedPacket> {
  /// A page states where its last packet ends, and less where not all of that is heard (RFC 7845, 4.4).
  ///
  /// Where a page without packets is marked as the last one, FFmpeg counts the packets of the page before back
  /// from there.
  ///
  /// - Returns: the first of them, and by how many ticks they begin too early.
  var earlyEnd: (place: Int, ticks: Int64)? {
    guard let last,
      let place = indices.dropFirst().last(where: {
        self[$0].pts != self[$0 - 1].pts &+ self[$0 - 1].duration
      })
    else { return nil }
    let ticks = self[place - 1].pts &+ self[place - 1].duration &- self[place].pts
    return ticks > 0 && ticks < last.duration ? (place, ticks) : nil
  }

  /// Puts those behind the packets before them: the end of the last is what is not heard.
  mutating func delayEnd() {
    guard let (place, ticks) = earlyEnd else { return }
    for place in place..<endIndex {
      self[place].pts += ticks
      self[place].dts += ticks
    }
  }
}
