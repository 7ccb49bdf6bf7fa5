import ExactTime

/// The times of a track in the units of its boxes.
struct TrackTimes {
  var edits: [(duration: UInt64, mediaTime: Int64)] = []
  /// The presented duration in movie ticks: the sum of the edits.
  var presented: UInt64
  /// The duration of the media, in track ticks.
  var media: UInt64

  /// Rounds the ends of edits, not their durations, so that rounding errors do not accumulate.
  init(_ track: ISOOutputTrack, movie: TickGrid) throws(ISOWriteError) {
    media = UInt64(track.samples.totalDuration)
    guard !track.edits.isEmpty else {
      presented = UInt64(try Self.ticks(try track.mediaLength, movie, track))
      return
    }
    var end = MediaDuration.zero
    var endTick: Int64 = 0
    for edit in track.edits {
      guard !edit.length.isNegative, edit.mediaTime ?? 0 >= 0 else {
        throw ISOWriteError(
          .timeOutOfRange, "an edit of track \(track.boxes.id) has a negative start or length")
      }
      guard let next = try? end.adding(edit.length) else { throw Self.outOfRange(track) }
      let nextTick = try Self.ticks(next, movie, track)
      edits.append((UInt64(nextTick - endTick), edit.mediaTime ?? -1))
      end = next
      endTick = nextTick
    }
    presented = UInt64(endTick)
  }

  private static func ticks(
    _ length: MediaDuration, _ movie: TickGrid, _ track: ISOOutputTrack
  ) throws(ISOWriteError) -> Int64 {
    guard let ticks = try? movie.ticks(of: length, rounding: .nearest) else {
      throw outOfRange(track)
    }
    return ticks
  }

  private static func outOfRange(_ track: ISOOutputTrack) -> ISOWriteError {
    ISOWriteError(
      .timeOutOfRange, "track \(track.boxes.id) lasts longer than 64-bit ticks can express")
  }
}

extension ISOOutputTrack {
  /// The total duration of all samples.
  var mediaLength: MediaDuration {
    get throws(ISOWriteError) {
      guard
        let length = try? Rational(
          checked: Int128(samples.totalDuration), over: Int128(boxes.timescale))
      else {
        throw ISOWriteError(.incompleteTrack, "track \(boxes.id) has no timescale")
      }
      return MediaDuration(seconds: length)
    }
  }

  /// The durations that the movie timescale must be able to express.
  var statedLengths: [Rational] {
    get throws(ISOWriteError) {
      edits.isEmpty ? [try mediaLength.seconds] : edits.map(\.length.seconds)
    }
  }
}
