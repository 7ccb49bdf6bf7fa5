package import ExactTime

/// A DVD-Video subpicture (`dvd_subtitle`): pixels, and commands that control their display.
package enum SubPicture {
  /// How long after its PTS it leaves the screen; `nil` where not stated or not understood.
  ///
  /// Each command sequence has a time (SP_DCSQ_STM), in units of 1,024 ticks of 90 kHz; STP_DSP is command 2.
  package static func end(of bytes: [UInt8]) -> MediaDuration? {
    func number(at place: Int) -> Int? {
      place + 1 < bytes.count ? Int(bytes[place]) << 8 | Int(bytes[place + 1]) : nil
    }
    guard var sequence = number(at: 2) else { return nil }
    while let time = number(at: sequence), let next = number(at: sequence + 2) {
      var place = sequence + 4
      commands: while place < bytes.count {
        switch bytes[place] {
        case 0, 1: place += 1
        case 2: return MediaDuration(Int64(time) * 1024, 90_000)
        // Colors and contrasts; the area; the offsets of the pixels; color changes.
        case 3, 4: place += 3
        case 5: place += 7
        case 6: place += 5
        case 7: place += 1 + max(2, number(at: place + 1) ?? .max / 2)
        default: break commands
        }
      }
      // The last one points to itself.
      guard next > sequence else { return nil }
      sequence = next
    }
    return nil
  }
}
