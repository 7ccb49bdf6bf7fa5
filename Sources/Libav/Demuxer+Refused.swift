#if FFmpeg
  import CFFmpeg

  extension Demuxer {
    /// What FFmpeg would not take, and read on behind.
    package struct Refusal: Sendable, Hashable {
      /// Where the last packet before the first of it ends.
      package var place: Int64
      package var count: Int
      /// One of FFmpeg's sentences.
      package var reason: String
    }

    /// True where a scan goes on behind something that FFmpeg refused.
    ///
    /// Its demuxer of Ogg refuses a page of a stream that never began, and packets of Opus on a page
    /// without a position, and would go on at the next: nothing of what follows is lost with them.
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
#endif
