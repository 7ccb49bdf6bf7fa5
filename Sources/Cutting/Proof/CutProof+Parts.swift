#if FFmpeg
  import ExactTime
  import ISOMedia
  import Trimming

  extension CutProof {
    /// The sound of several parts: each has an edit that begins and ends when it should, in media
    /// without a gap.
    func checkEdits(_ written: any CutSource, _ index: Int) throws(CutError) {
      let track = tracks[index]
      guard let native = written as? ISOCutSource, native.movie.tracks.indices.contains(index),
        let timescale = native.movie.timescale
      else { throw failure("track \(index + 1) has no edit list") }
      let packets = native.tracks[index].coded.packets
      for place in packets.indices.dropFirst()
      where packets[place].pts &- packets[place - 1].pts != track.packets[place - 1].duration {
        throw failure("packet \(place) of track \(index + 1) is not heard when it should be")
      }
      let edits = native.movie.tracks[index].edits
      var (place, instant) = (0, MediaTime.zero)
      do throws(ExactTimeError) {
        for sound in track.sounds where sound.shown.length.isPositive {
          while place < edits.count, edits[place].isEmpty {
            instant = try instant.advanced(by: edits[place].length(timescale))
            place += 1
          }
          guard place < edits.count, packets.indices.contains(sound.first),
            edits[place].mediaTime == packets[sound.first].pts &+ sound.hiddenStart,
            try isNear(instant, sound.shown.start)
          else { throw ExactTimeError.notPositive }
          instant = try instant.advanced(by: edits[place].length(timescale))
          guard try isNear(instant, sound.shown.end) else { throw ExactTimeError.notPositive }
          place += 1
        }
      } catch {
        throw failure("the parts of track \(index + 1) are not heard when they should be")
      }
    }

    private func isNear(_ first: MediaTime, _ second: MediaTime) throws(ExactTimeError) -> Bool {
      try first.distance(from: second).checkedMagnitude() <= MediaDuration(1, 10_000)
    }
  }

  extension ISOEdit {
    fileprivate func length(_ timescale: Int64) throws(ExactTimeError) -> MediaDuration {
      MediaDuration(
        seconds: try Rational(checked: Int128(segmentDuration), over: Int128(timescale)))
    }
  }
#endif
