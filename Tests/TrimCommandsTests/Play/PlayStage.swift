import ExactTime
import MediaFacts
import TerminalUI
import Trimming

@testable import TrimCommands

/// A file and a player for the tests of `trim play`.
enum PlayStage {
  /// 300 s at 30000/1001 frames a second, with a keyframe every 300 frames.
  static var facts: MediaFacts {
    var track = TrackFacts(id: 1, index: 0, kind: .video, codec: "h264")
    let length = DurationFact(
      length: MediaDuration(300), start: .zero, source: .sampleTable, trackID: 1)
    track.durations.presented = length
    track.frameCount = 8992
    var video = VideoFacts(width: 1920, height: 1080)
    video.nominalFrameRate = Rational(30000, 1001)
    video.isConstantFrameRate = true
    track.video = video
    track.keyframes = (0..<30).map { number in
      KeyframeFacts(
        frame: number * 300, time: MediaTime(Int64(number) * 1001, 100), access: .idr)
    }
    var facts = MediaFacts(
      container: ContainerFacts(format: "mp4", longName: "MPEG-4"),
      durations: Durations(presented: length), depth: .header)
    facts.tracks = [track]
    return facts
  }

  static func clip(_ part: PartExpression = PartExpression()) throws -> PlayedMedia {
    try PlayedMedia(facts, location: "walk.mp4", part: part)
  }

  /// - Parameter part: as `--from` and `--to`.
  @MainActor static func controller(
    from: String = "0", to: String = "60", isFirstVisit: Bool = false
  ) throws -> PlayController {
    let part = PartExpression(
      from: try TimeExpression(parsing: from), end: .to(try TimeExpression(parsing: to)))
    let clip = try clip(part)
    let presenter = TrimmingPresenter(
      video: clip.video, ports: .simulating(clip, flags: .inMemory(isClaimed: !isFirstVisit)))
    presenter.videoDidLoad(clip.timings)
    presenter.viewDidAppear()
    return PlayController(media: clip, presenter: presenter, speed: .one)
  }
}

/// A size of the screen, for golden files.
enum ScreenSize: String, CaseIterable, Sendable {
  case usual = "80x24"
  case large = "130x40"
  case small = "40x12"
  case least = "40x8"
  case tiny = "20x4"

  var size: Size {
    switch self {
    case .usual: Size(columns: 80, rows: 24)
    case .large: Size(columns: 130, rows: 40)
    case .small: Size(columns: 40, rows: 12)
    case .least: Size(columns: 40, rows: 8)
    case .tiny: Size(columns: 20, rows: 4)
    }
  }
}
