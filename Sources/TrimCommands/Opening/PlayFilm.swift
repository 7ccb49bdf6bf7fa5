import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// A file as the player sees it: on a timeline that starts with its first presented sample.
struct PlayFilm: Sendable {
  /// The name as it may be shown.
  var location: String
  /// Starts at zero.
  var bounds: MediaTimeRange
  /// What is played first.
  var part: MediaTimeRange
  var timings: VideoTimings
  /// For times that are typed later.
  var context: TimelineContext
  var facts: MediaFacts
  /// What can be seen and heard of it; `nil` where nothing can.
  var pictures: FilmPictures?
  /// Why its pictures cannot be decoded.
  var noPicture: String?

  /// Why a file cannot be played, with the exit status that says so.
  struct Failure: Error, Equatable {
    var message: String
    var hint: String?
    var status: ExitStatus
    /// As JSON names it.
    var code = "usage"

    var videoFailure: VideoFailure { VideoFailure(message, hint: hint) }
  }

  init(
    _ facts: MediaFacts, location: String, part expression: PartExpression,
    frames: () -> FrameStarts? = { nil }
  ) throws(Failure) {
    guard let presented = facts.durations.presented, presented.length.isPositive,
      let bounds = MediaTimeRange(from: .zero, to: MediaTime(seconds: presented.length.seconds))
    else {
      throw Failure(
        message: "nothing is presented: the file has no length that can be known",
        hint: "'trim probe' says what it holds.", status: .badData)
    }
    let timeline = PresentedTimeline(facts, start: presented.start ?? .zero)
    self.facts = facts
    self.location = location
    self.bounds = bounds
    timings = VideoTimings(
      bounds: bounds, frames: timeline.frames, keyframes: FrameInstants(timeline.keyframes))
    context = timeline.context(presented: bounds)
    // A rate that varies is only known from the packets.
    if context.frames == nil { context.frames = frames() }
    do throws(TimeResolutionError) {
      part = try expression.resolve(in: context)
    } catch {
      throw Failure(message: "\(error)", status: .usage)
    }
    guard part.start < bounds.end, part.end > bounds.start else {
      throw Failure(
        message: "the part lies outside the file, which is "
          + "\(DecimalText.shortest(presented.length.seconds)) s long", status: .usage)
    }
  }

  var video: TrimmingVideo {
    TrimmingVideo(location: location, bounds: bounds, initialRange: part)
  }

  /// It has a moving picture that can be decoded.
  var hasPictures: Bool { pictures?.hasPictures == true }

  /// Width over height of its picture, as it is shown.
  var shape: Rational {
    let track = facts.tracks.first { $0.kind == .video && $0.isPresented }
    guard let video = track?.video, video.width > 0, video.height > 0,
      let shape = try? Rational(Int64(video.width), Int64(video.height))
        .multiplied(by: video.sampleAspectRatio ?? .one), shape.isPositive
    else { return Rational(16, 9) }
    return video.rotation % 180 == 0 ? shape : (try? Rational.one.divided(by: shape)) ?? shape
  }

  /// Where zero lies on the file's own timeline.
  var origin: MediaTime { facts.durations.presented?.start ?? .zero }

  /// Adds pictures, which know the frames of a variable rate too.
  mutating func show(_ pictures: FilmPictures) {
    self.pictures = pictures
    guard pictures.hasPictures, timings.frames.isEmpty else { return }
    timings.frames = pictures.frames()
    let starts = (0..<timings.frames.count).compactMap { timings.frames.time(at: $0) }
    context.frames = FrameStarts(starts: starts, end: bounds.end)
  }
}

/// The file's instants, moved so that the first presented one is zero.
private struct PresentedTimeline {
  let start: MediaTime
  let chapters: [MediaTime]
  let track: TrackFacts?
  let keyframes: [MediaTime]
  /// The file's own timecode at its first frame, of the pictures, of a timecode track or of a tag.
  let startTimecode: TimecodeLabel?
  /// Its clock, where it runs apart from the frames.
  let timecodeClock: TimecodeClock?

  init(_ facts: MediaFacts, start: MediaTime) {
    func moved(_ time: MediaTime) -> MediaTime? {
      (try? time.distance(from: start)).map { MediaTime(seconds: $0.seconds) }
    }
    self.start = start
    chapters = facts.chapters.compactMap { moved($0.start) }
    track = facts.tracks.first { $0.kind == .video && $0.isPresented }
    startTimecode = SourceTimecode.start(of: facts)
    timecodeClock = SourceTimecode.clock(of: facts).flatMap { clock in
      try? clock.moved(back: start.distance(from: .zero))
    }
    keyframes = (track?.keyframes ?? []).compactMap { $0.frame == nil ? nil : moved($0.time) }
  }

  /// Known for constant rates; a list for the others would take a scan of all packets.
  private var constantRate: (first: MediaTime, rate: Rational, count: Int)? {
    guard let track, let video = track.video, video.isConstantFrameRate == true,
      let rate = video.nominalFrameRate, rate.isPositive, let count = track.frameCount,
      let first = track.durations.presented?.start,
      let offset = try? first.distance(from: start)
    else { return nil }
    return (MediaTime(seconds: offset.seconds), rate, count)
  }

  var frames: FrameInstants {
    guard let known = constantRate, let length = try? Rational.one.divided(by: known.rate) else {
      return .unknown
    }
    return FrameInstants(
      first: known.first, frameLength: MediaDuration(seconds: length), count: known.count)
      ?? .unknown
  }

  func context(presented: MediaTimeRange) -> TimelineContext {
    var context = TimelineContext(presented: presented)
    context.frames = constantRate.flatMap {
      try? FrameStarts(
        first: $0.first, framesPerSecond: $0.rate, count: Int64($0.count))
    }
    context.frameRate = track?.video?.nominalFrameRate
    context.startTimecode = startTimecode
    context.timecodeClock = timecodeClock
    context.keyframes = keyframes.isEmpty ? nil : keyframes
    context.chapters = chapters
    return context
  }
}
