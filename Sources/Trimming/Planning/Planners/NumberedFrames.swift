import ExactTime
import MediaFacts

/// Video of which a container only stores the numbers of frames, as Ogg does: what falls between two of them cannot
/// be told.
struct NumberedFrames {
  let context: PartContext

  /// The frame duration of video that is identified only by frame number; `nil` where none is written that
  /// way, or its rate is not known.
  private var numberedFrame: (track: SourceFacts.Track, length: MediaDuration)? {
    guard context.rules.audio.endsByPosition, context.writesPictures,
      let track = context.tracks.first(where: {
        $0.kind == .video && $0.isPresented && context.isChosen($0)
      }),
      let rate = track.frameRate, rate.isPositive, let length = try? Rational.one.divided(by: rate)
    else { return nil }
    return (track, MediaDuration(seconds: length))
  }

  /// Where nothing is on screen at IN yet, the time a whole number of frame periods before the first
  /// frame, at or before IN; `nil` where something is.
  func wholeFramesBeforePictures(at time: MediaTime) -> MediaTime? {
    guard let (track, length) = numberedFrame else { return nil }
    let visible = track.coded.visible.lowerBound
    guard let tick = track.coded.packets.lazy.map(\.pts).filter({ $0 >= visible }).min(),
      let first = try? track.coded.time(atTick: tick), first > time,
      let count = try? first.distance(from: time).seconds.divided(by: length.seconds)
        .rounded(.up),
      let lead = try? length.seconds.multiplied(by: Rational(count))
    else { return nil }
    return try? first.moved(back: MediaDuration(seconds: lead))
  }

  /// A length rounded down to whole frames, where frames are identified only by number.
  func wholeFrames(of length: MediaDuration) throws(ExactTimeError) -> MediaDuration {
    guard let frame = numberedFrame?.length else { return length }
    let count = try length.seconds.divided(by: frame.seconds).rounded(.down)
    return MediaDuration(seconds: try frame.seconds.multiplied(by: Rational(count)))
  }

  /// The length of a part that is followed by another, extended to the end of a frame where frames are
  /// identified only by number: audio that outlasts the video may end within a frame.
  func completingFrame(_ length: MediaDuration) throws(ExactTimeError) -> MediaDuration {
    guard let frame = numberedFrame?.length else { return length }
    let over = try length.subtracting(wholeFrames(of: length))
    let left = try frame.subtracting(over)
    // Timestamps of the source may be rounded.
    let isWhole = min(over, left) <= context.rules.times.roundedTolerance ?? .zero
    return isWhole ? length : try length.adding(left)
  }

  /// Why Theora frames cannot be numbered, where a container only stores frame numbers; `nil` where they
  /// can.
  func unnumbered(_ index: Int, _ cut: VideoCut, until end: MediaTime) -> String? {
    let track = context.tracks[index]
    guard context.rules.audio.endsByPosition, track.codec == .theora, let rate = track.frameRate,
      rate.isPositive, let length = try? Rational.one.divided(by: rate)
    else { return nil }
    let frame = MediaDuration(seconds: length)
    let encoded = Set(cut.head).union(cut.replaced).union(cut.tail)
    let places = encoded.union(cut.copied).sorted()
    var times = places.map { place in
      try? track.coded.grid.duration(ofTicks: track.coded.packets[place].pts)
    }
    times.append(try? end.distance(from: track.coded.origin))
    // The granule position has limited room for frames since a keyframe (Theora specification, 6.2,
    // KFGSHIFT).
    let most = Int64(1) << Int64(track.positionBits ?? 62)
    var since: Int64 = 0
    for (place, interval) in zip(places, zip(times, times.dropFirst())) {
      guard let time = interval.0, let next = interval.1,
        let count = FrameNumbers.frames(from: time, to: next, of: frame)
      else { return "do not fit a constant frame rate" }
      // Every re-encoded frame is a keyframe.
      let isKey = encoded.contains(place) || track.coded.packets[place].isKey
      since = (isKey ? 0 : since) + count
      if since > most { return "are farther from a keyframe than the codec header allows" }
    }
    return nil
  }
}
