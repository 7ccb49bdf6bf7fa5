import CFFmpeg

extension Demuxer {
  /// Data that FFmpeg rejected and after which reading continued.
  package struct Refusal: Sendable, Hashable {
    /// Where the last packet before the first rejected data ends.
    package var place: Int64
    package var count: Int
    /// FFmpeg's error message.
    package var reason: String
  }

  /// True where a scan continues after something that FFmpeg rejected.
  ///
  /// Its Ogg demuxer rejects a page of a stream that never began, and Opus packets on a page
  /// without a position, but can continue at the next one: nothing that follows is lost.
  mutating func readsOn(behind code: Int32) -> Bool {
    guard formatName == "ogg", !bridge.isBarren,
      code == trim_ERROR_INVALID || code == trim_ERROR_PATCHWELCOME
    else { return false }
    var refusal =
      refusal
      ?? Refusal(place: bridge.lastPacketEnd, count: 0, reason: LibavError.text(of: code))
    refusal.count += 1
    self.refusal = refusal
    return true
  }
}
