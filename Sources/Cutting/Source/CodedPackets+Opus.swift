import Trimming

/// Packets of Opus in Ogg.
extension ContiguousArray<CodedPacket> {
  /// A page states where its last packet ends, and less where not all of that is heard (RFC 7845, 4.4).
  ///
  /// Where a page without packets is marked as the last one, FFmpeg counts the packets of the page before back
  /// from there.
  ///
  /// - Parameter place: of the first packet that FFmpeg found on the last page, which may be the last one of the
  ///   page before.
  /// - Returns: the first packet that begins too early, and by how many ticks; `nil` where none does.
  func earlyEnd(onPageAt place: Int) -> (place: Int, ticks: Int64)? {
    guard let last else { return nil }
    for place in [place, place + 1] where place > 0 && place < count {
      let ticks = self[place - 1].pts &+ self[place - 1].duration &- self[place].pts
      if ticks > 0, ticks < last.duration { return (place, ticks) }
    }
    return nil
  }

  /// Puts those behind the packets before them: the end of the last is what is not heard.
  mutating func delayEnd(onPageAt place: Int) {
    guard let (first, ticks) = earlyEnd(onPageAt: place) else { return }
    for place in first..<endIndex {
      self[place].pts += ticks
      self[place].dts += ticks
    }
  }
}
