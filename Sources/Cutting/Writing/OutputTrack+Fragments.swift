import ExactTime
import Trimming

extension OutputTrack {
  /// The same track for fragments: its samples last as long as it is shown.
  ///
  /// A reader of fragments takes the end of the last sample as the end of the track, whatever an
  /// edit says (ISO 14496-12, 8.6.6: in a fragmented file, edits may be written before their
  /// durations are known). Audio ends within its last packet, which is still decoded in full.
  func endingWithItsLastSample() throws(ExactTimeError) -> OutputTrack {
    guard !packets.isEmpty else { return self }
    var track = self
    if let audio {
      track.shortenSound(by: audio.hiddenEnd)
      return track
    }
    if video != nil {
      let end = try shown.end.seconds.divided(by: grid.secondsPerTick).adding(zero)
      track.endPictures(at: try end.rounded(.nearest))
    } else {
      track.shortenClipped(to: try grid.ticks(of: shown.length, rounding: .down))
    }
    return track
  }

  /// The same track, cut off at the end of video and audio.
  func endingNoLater(than end: MediaTime) -> OutputTrack {
    var track = self
    track.shown = MediaTimeRange(from: shown.start, to: min(shown.end, end)) ?? shown
    return track
  }

  /// Ends text, timecode and metadata with what is shown, not a fraction of one of their ticks
  /// later.
  private mutating func shortenClipped(to length: Int64) {
    let end = packets[0].pts &+ length
    let last = packets.count - 1
    packets[last].duration = max(0, min(packets[last].duration, end &- packets[last].pts))
  }

  private mutating func shortenSound(by hidden: Int64) {
    var hidden = hidden
    for place in packets.indices.reversed() where hidden > 0 {
      let taken = min(hidden, packets[place].duration - 1)
      packets[place].duration -= taken
      hidden -= taken
    }
  }

  /// Makes every sample end by then: a sample lasts until the next DTS, so pictures that are
  /// decoded long before they are shown are decoded later.
  private mutating func endPictures(at end: Int64) {
    guard let final = packets.indices.last, let last = packets.lazy.map(\.pts).max(), last < end
    else { return }
    let usual = packets[final].pts == last ? end - last : max(1, packets[final].duration)
    packets[final].duration = min(usual, max(1, end - packets[final].pts))
    var covered = packets[final].pts + packets[final].duration
    for place in packets.indices.dropLast().reversed() {
      let next = packets[place + 1].dts
      packets[place].dts = max(packets[place].dts, next - (end - packets[place].pts))
      covered = max(covered, packets[place].pts + next - packets[place].dts)
    }
    // A picture that stays until the end may be decoded before another one, which then covers the
    // rest.
    if covered < end { packets[final].duration = end - packets[final].pts }
  }
}
