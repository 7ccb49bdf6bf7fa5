import ExactTime
package import ISOMedia

/// Start timecodes of QuickTime's timecode tracks.
package enum ISOTimecodes {
  /// The label of a timecode track's first frame, or that of the timecode track that the track
  /// refers to (QuickTime File Format, "Timecode Media").
  package static func label(of track: ISOTrack, in movie: ISOMovie) -> String? {
    if let timecode = track.timecode { return label(timecode) }
    for id in track.references["tmcd"] ?? [] {
      if let timecode = movie.tracks.first(where: { $0.id == id })?.timecode {
        return label(timecode)
      }
    }
    return nil
  }

  package static func label(_ timecode: ISOTimecode) -> String? {
    guard let frame = timecode.startFrame, let rate = rate(of: timecode) else { return nil }
    return Timecode(frame: frame, rate: rate).description
  }

  private static func rate(of timecode: ISOTimecode) -> TimecodeRate? {
    guard timecode.timescale > 0, timecode.frameDuration > 0,
      let stated = try? Rational(
        checked: Int128(timecode.timescale), over: Int128(timecode.frameDuration))
    else { return nil }
    if let rate = try? TimecodeRate(framesPerSecond: stated, isDropFrame: timecode.isDropFrame) {
      return rate
    }
    // Rates are also written rounded, such as 2997 over 100; the number of labels a second is not.
    let labels = Rational(Int64(timecode.framesPerSecond))
    let exact = try? labels.multiplied(by: Rational(1000, 1001))
    return [exact, labels].compactMap { $0 }.lazy.compactMap {
      try? TimecodeRate(framesPerSecond: $0, isDropFrame: timecode.isDropFrame)
    }.first
  }
}
