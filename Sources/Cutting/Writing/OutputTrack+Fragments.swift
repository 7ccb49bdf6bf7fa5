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
      if video == nil {
        track.shortenSound(by: audio?.hiddenEnd ?? 0)
        return track
      }
      let end = try shown.end.seconds.divided(by: grid.secondsPerTick).adding(zero)
        .rounded(.nearest)
      track.endPictures(at: end)
      return track
    }

    private mutating func shortenSound(by hidden: Int64) {
      var hidden = hidden
      for place in packets.indices.reversed() where hidden > 0 {
        let taken = min(hidden, packets[place].duration - 1)
        packets[place].duration -= taken
        hidden -= taken
      }
    }

    /// The picture that is shown last ends there; those that are decoded behind it come earlier.
    private mutating func endPictures(at end: Int64) {
      guard let last = packets.indices.max(by: { packets[$0].pts < packets[$1].pts }),
        packets[last].pts < end
      else { return }
      let length = end - packets[last].pts
      if last + 1 < packets.count {
        let surplus = packets[last + 1].dts - packets[last].dts - length
        if surplus > 0 {
          for place in last + 1..<packets.count { packets[place].dts -= surplus }
        }
      }
      guard let final = packets.indices.last else { return }
      let usual = final == last ? length : max(1, packets[final].duration)
      packets[final].duration = min(usual, max(1, end - packets[final].pts))
    }
  }
#endif
