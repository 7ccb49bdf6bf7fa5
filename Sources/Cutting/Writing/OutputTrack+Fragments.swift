#if FFmpeg
  import ExactTime
  import Trimming

  extension OutputTrack {
    /// The same track for fragments: its samples last as long as it is shown.
    ///
    /// A reader of fragments takes the end of the last sample for the end of the track, whatever an
    /// edit says (ISO 14496-12, 8.6.6: the edits of a file in fragments may be written before their
    /// lengths are known). Sound ends within its last packet, which is decoded whole all the same.
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

    /// The same track, which outlasts pictures and sound no more.
    func endingNoLater(than end: MediaTime) -> OutputTrack {
      var track = self
      track.shown = MediaTimeRange(from: shown.start, to: min(shown.end, end)) ?? shown
      return track
    }

    /// Text, timecode and metadata end with what is shown, and not behind it by part of a tick of theirs.
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

    /// No picture lasts beyond that by its sample, which lasts until the next is decoded: those that are
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
      // What stands on until the end is decoded before another one, which then states it.
      if covered < end { packets[final].duration = end - packets[final].pts }
    }
  }
#endif
