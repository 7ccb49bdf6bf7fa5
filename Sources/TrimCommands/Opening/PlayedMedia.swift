import CommandLineKit
import ExactTime
import Isolation
import MediaEngine
import MediaFacts
import Trimming

/// A file as the player sees it: on a timeline that starts with its first presented sample.
struct PlayedMedia: Sendable {
  /// The name, safe to display.
  var location: String
  /// The bounds, starting at zero.
  var bounds: MediaTimeRange
  /// What is played first.
  var part: MediaTimeRange
  var timings: VideoTimings
  /// The context for times that are typed later.
  var context: TimelineContext
  var facts: MediaFacts
  /// Its pictures and audio; `nil` if there are none.
  var pictures: MediaPictures?
  /// Why its pictures cannot be decoded.
  var noPicture: String?

  /// Why a file cannot be played, with the exit status for it.
  struct Failure: Error, Equatable {
    var message: String
    var hint: String?
    var status: ExitStatus
    /// The error code in JSON.
    var code = ofPart

    /// That of a part which the file does not have.
    static let ofPart = "usage"

    var videoFailure: VideoFailure { VideoFailure(message, hint: hint) }
  }

  init(
    _ facts: MediaFacts, location: String, part expression: PartExpression,
    frames: FrameStarts? = nil
  ) throws(Failure) {
    guard let presented = facts.durations.presented, presented.length.isPositive,
      let bounds = MediaTimeRange(from: .zero, to: MediaTime(seconds: presented.length.seconds))
    else {
      throw Failure(
        message: "nothing is presented: the file's length cannot be determined",
        hint: "'trim probe' shows what it contains.", status: .badData)
    }
    let timeline = PresentedTimeline(facts, start: presented.start ?? .zero)
    self.facts = facts
    // They are now in the timeline context, and may be many.
    for place in facts.tracks.indices { self.facts.tracks[place].shownFrames = [] }
    self.location = location
    self.bounds = bounds
    timings = VideoTimings(
      bounds: bounds, frames: timeline.frames,
      keyframes: FrameInstants(timeline.keyframes.compactMap { $0.isShown ? $0.time : nil }))
    context = timeline.context(presented: bounds)
    // Exact frame times are only known from the packets: a frame rate gives them to within a tick.
    if let frames { context.frames = frames }
    part = try Self.range(of: expression, in: context, bounds)
  }

  /// Another part of the file.
  func range(of expression: PartExpression) throws(Failure) -> MediaTimeRange {
    try Self.range(of: expression, in: context, bounds)
  }

  private static func range(
    of expression: PartExpression, in context: TimelineContext, _ bounds: MediaTimeRange
  ) throws(Failure) -> MediaTimeRange {
    let part: MediaTimeRange
    do throws(TimeResolutionError) {
      part = try expression.resolve(in: context)
    } catch {
      throw Failure(message: "\(error)", status: .usage)
    }
    guard part.start < bounds.end, part.end > bounds.start else {
      throw Failure(
        message: "the part is outside the file, which is "
          + "\(DecimalText.shortest(bounds.end.seconds)) s long", status: .usage)
    }
    return part
  }

  var video: TrimmingVideo {
    TrimmingVideo(location: location, bounds: bounds, initialRange: part)
  }

  /// Whether it has video that can be decoded.
  var hasPictures: Bool { pictures?.hasPictures == true }

  /// The display aspect ratio of its picture.
  var shape: Rational {
    let track = facts.tracks.first { $0.kind == .video && $0.isPresented }
    guard let video = track?.video, video.width > 0, video.height > 0,
      let shape = try? Rational(Int64(video.width), Int64(video.height))
        .multiplied(by: video.sampleAspectRatio ?? .one), shape.isPositive
    else { return Rational(16, 9) }
    return video.rotation % 180 == 0 ? shape : (try? Rational.one.divided(by: shape)) ?? shape
  }

  /// The position of zero on the file's own timeline.
  var origin: MediaTime { facts.durations.presented?.start ?? .zero }

  /// Adds pictures, which provide exact frame times: a frame rate gives them only to within a tick.
  mutating func show(_ pictures: MediaPictures) {
    self.pictures = pictures
    guard pictures.hasPictures else { return }
    let known = pictures.frames()
    guard !known.isEmpty else { return }
    timings.frames = known
    let starts = (0..<timings.frames.count).compactMap { timings.frames.time(at: $0) }
    context.frames = FrameStarts(starts: starts, end: bounds.end)
  }
}

/// The file's instants, shifted so that the first presented one is zero.
private struct PresentedTimeline {
  let start: MediaTime
  let chapters: [MediaTime]
  let track: TrackFacts?
  /// The keyframes as counted, including those that are not shown.
  let keyframes: [(time: MediaTime, isShown: Bool)]
  /// The start of each shown frame, if requested, and the end of the last one.
  let listed: (starts: [MediaTime], end: MediaTime)?
  /// The file's timecode at its first frame, from the video, a timecode track or a tag.
  let startTimecode: TimecodeLabel?
  /// The timecode's clock, where it runs separately from the frames.
  let timecodeClock: TimecodeClock?

  init(_ facts: MediaFacts, start: MediaTime) {
    func moved(_ time: MediaTime) -> MediaTime? {
      (try? time.distance(from: start)).map { MediaTime(seconds: $0.seconds) }
    }
    self.start = start
    chapters = facts.chapters.compactMap { moved($0.start) }
    track = facts.tracks.first { $0.kind == .video && $0.isPresented }
    startTimecode = SourceTimecode.start(of: facts)
    let shown = track?.shownFrames ?? []
    let starts = shown.compactMap { moved($0.time) }
    let end = shown.last.flatMap { try? $0.time.advanced(by: $0.duration) }.flatMap(moved)
    listed = starts.count == shown.count ? end.map { (starts, $0) } : nil
    keyframes = (track?.keyframes ?? []).map { key in
      guard let frame = key.frame, frame >= 0, let time = moved(key.time) else {
        return (.zero, false)
      }
      // An edit list that begins inside a frame shows it from there on.
      return (starts.indices.contains(frame) ? starts[frame] : max(.zero, time), true)
    }
    timecodeClock = SourceTimecode.clock(of: facts).flatMap { clock in
      try? clock.moved(back: start.distance(from: .zero))
    }
  }

  /// Frame times to within a tick, for constant rates where no edit list begins inside a frame; listing them
  /// takes a scan of all packets.
  private var constantRate: (first: MediaTime, rate: Rational, count: Int)? {
    guard let track, let video = track.video, video.isConstantFrameRate == true,
      let rate = video.nominalFrameRate, rate.isPositive, let count = track.frameCount,
      let first = track.durations.presented?.start,
      let offset = try? first.distance(from: start)
    else { return nil }
    return (MediaTime(seconds: offset.seconds), rate, count)
  }

  var frames: FrameInstants {
    if let listed { return FrameInstants(listed.starts) }
    guard let known = constantRate, let length = try? Rational.one.divided(by: known.rate) else {
      return .unknown
    }
    return FrameInstants(
      first: known.first, frameLength: MediaDuration(seconds: length), count: known.count)
      ?? .unknown
  }

  func context(presented: MediaTimeRange) -> TimelineContext {
    var context = TimelineContext(presented: presented)
    if let listed {
      context.frames = FrameStarts(starts: listed.starts, end: listed.end)
    } else if let known = constantRate {
      context.frames = try? FrameStarts(
        first: known.first, framesPerSecond: known.rate, count: Int64(known.count))
    }
    context.frameRate = track?.video?.nominalFrameRate
    context.startTimecode = startTimecode
    context.timecodeClock = timecodeClock
    context.keyframes = keyframes.isEmpty ? nil : keyframes.map(\.time)
    context.hiddenKeyframes = Set(
      keyframes.indices.filter { !keyframes[$0].isShown }.map { Int64($0) + 1 })
    context.chapters = chapters
    return context
  }
}
