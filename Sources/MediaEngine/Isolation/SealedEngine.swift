#if FFmpeg
  import Libav
#endif

/// What must have happened in a process before it seals itself.
package enum SealedEngine {
  /// Loads FFmpeg's libraries; where they are missing, the work that needs them says so.
  package static func load() {
    #if FFmpeg
      try? LibavLibrary.limitAllocations(to: Limits.standard.allocation)
    #endif
  }

  /// Whether a file that begins so is read without FFmpeg, as far as its first bytes tell: it begins
  /// with a box of ISO base media (ISO/IEC 14496-12, 4.2).
  package static func isNative(head: [UInt8]) -> Bool {
    guard head.count >= 8 else { return false }
    let types = ["ftyp", "styp", "moov", "moof", "mdat", "free", "skip", "wide", "pnot", "sidx"]
    return types.contains { Array($0.utf8) == Array(head[4..<8]) }
  }
}
