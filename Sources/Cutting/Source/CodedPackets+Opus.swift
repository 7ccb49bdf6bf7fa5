import Trimming

/// Opus packets in Ogg.
extension ContiguousArray<CodedPacket> {
  /// Checks whether a page ends earlier than its packets: it states where its last packet ends, or
  /// an earlier time if part of that is not heard (RFC 7845, 4.4).
  ///
  /// If a page without packets is marked as the last one, FFmpeg counts the packets of the previous
  /// page back from its end.
  ///
  /// - Parameter place: the first packet that FFmpeg found on the last page, which may be the last
  ///   one of the previous page.
  /// - Returns: the first packet that begins too early, and by how many ticks; `nil` where none
  ///   does.
  func earlyEnd(onPageAt place: Int) -> (place: Int, ticks: Int64)? {
    guard let last else { return nil }
    for place in [place, place + 1] where place > 0 && place < count {
      let ticks = self[place - 1].pts &+ self[place - 1].duration &- self[place].pts
      if ticks > 0, ticks < last.duration { return (place, ticks) }
    }
    return nil
  }

  /// Moves those packets to the end of the ones before them: the end of the last one is not heard.
  mutating func delayEnd(onPageAt place: Int) {
    guard let (first, ticks) = earlyEnd(onPageAt: place) else { return }
    for place in first..<endIndex {
      self[place].pts += ticks
      self[place].dts += ticks
    }
  }
}
