import ExactTime
import Testing
import Trimming

func at(_ seconds: Int64, _ denominator: Int64 = 1) -> MediaTime { MediaTime(seconds, denominator) }

func range(_ start: MediaTime, _ end: MediaTime) -> MediaTimeRange {
  guard let range = MediaTimeRange(from: start, to: end) else {
    preconditionFailure("a test's range ends before it starts")
  }
  return range
}

func range(_ start: Int64, _ end: Int64) -> MediaTimeRange { range(at(start), at(end)) }

/// A file of 300 s at 25 frames a second, with a keyframe every 2 s.
enum Clip {
  static let location = "holiday.mp4"
  static let bounds = range(0, 300)

  static var frames: FrameInstants {
    FrameInstants(first: .zero, frameLength: MediaDuration(1, 25), count: 7_500) ?? .unknown
  }
  static var keyframes: FrameInstants { FrameInstants((0..<150).map { at($0 * 2) }) }
  static var timings: VideoTimings {
    VideoTimings(bounds: bounds, frames: frames, keyframes: keyframes)
  }

  static func video(_ selected: MediaTimeRange = range(1, 60)) -> TrimmingVideo {
    TrimmingVideo(location: location, bounds: bounds, initialRange: selected)
  }

  /// A screen that is ready, with the given range selected.
  static func session(
    _ selected: MediaTimeRange = range(1, 60), isPlaying: Bool = true,
    limit: LengthLimit = .standard, timings: VideoTimings = timings
  ) -> TrimmingSession {
    var session = TrimmingSession(video: video(selected), limit: limit, isPlaying: isPlaying)
    session.after(.videoDidLoad(timings))
    return session
  }
}

extension TrimmingSession {
  @discardableResult mutating func after(_ inputs: SessionInput...) -> [SessionEffect] {
    inputs.flatMap { handle($0) }
  }

  @discardableResult mutating func selecting(_ range: MediaTimeRange) -> [SessionEffect] {
    handle(.timeRangeDidChange(from: range.start, to: range.end))
  }
}

extension [SessionEffect] {
  /// What subscribers receive, without the log.
  var reported: [SessionEvent] {
    compactMap { if case .deliver(let event) = $0 { event } else { nil } }
  }

  var logged: [LogEvent] {
    compactMap { if case .log(let event) = $0 { event } else { nil } }
  }

  var pictureRequests: [PictureRequest] {
    compactMap { if case .requestPicture(let request) = $0 { request } else { nil } }
  }

  var exports: [ExportRequest] {
    compactMap { if case .startExport(let request) = $0 { request } else { nil } }
  }

  var restarts: [Restart] {
    reported.compactMap { if case .restartedVideo(let restart) = $0 { restart } else { nil } }
  }
}
