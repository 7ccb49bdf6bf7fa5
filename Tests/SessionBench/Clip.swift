import ExactTime
import Trimming

/// A minute at 30 frames a second, with a keyframe every second; 1 to 59 s is selected.
enum Clip {
  static let end = MediaTime(60)
  static let start = MediaTime(1)
  static let out = MediaTime(59)

  private static let video = TrimmingVideo(
    duration: MediaDuration(60), location: "clip.mp4",
    initialRange: MediaTimeRange(from: start, to: out))
  private static let timings = VideoTimings(
    frames: FrameInstants((0..<1_800).map { MediaTime($0, 30) }),
    keyframes: FrameInstants((0..<60).map { MediaTime($0) }))

  /// A video that is loaded and playing.
  static func session() -> TrimmingSession {
    var session = TrimmingSession(video: video)
    _ = session.handle(.videoDidLoad(timings))
    return session
  }

  @MainActor static func presenter() -> TrimmingPresenter {
    let ports = TrimmingPorts(
      probe: ProbePort { _ in timings }, flags: .inMemory(isClaimed: true),
      export: ExportPort { request, _ in request.location })
    let presenter = TrimmingPresenter(video: video, ports: ports)
    presenter.videoDidLoad(timings)
    return presenter
  }

  /// Positions inside the range, each different from the previous one.
  static func positions(_ count: Int) -> [MediaTime] {
    (0..<count).map { MediaTime(Int64(601 + $0 % 34_000), 600) }
  }
}
