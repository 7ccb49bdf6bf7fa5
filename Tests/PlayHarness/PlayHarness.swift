import ExactTime
import FoundationEssentials
import Glibc
import Isolation
import MediaEngine
import MediaFacts
import Synchronization
import TrimCommands

/// The tool with other functions behind it, only for the tests.
///
/// `TRIM_HARNESS` describes them in JSON: what probing finds, or how it fails, waits or crashes.
/// The shipped tool knows no such variable.
@main struct PlayHarness {
  private struct Functions: Decodable {
    var probe: Probe
  }

  private struct Probe: Decodable {
    /// Seconds that are presented, as a fraction.
    var presented: Rational?
    /// Frames a second.
    var rate: Rational?
    var keyframes: [Rational]?
    /// The message of a failure.
    var failure: String?
    /// The failure may be temporary.
    var mayPass: Bool?
    /// Never returns.
    var waits: Bool?
    /// Only the first try returns.
    var waitsOnceMore: Bool?
    /// Traps.
    var crashes: Bool?
    /// Has pictures, all of the same grey.
    var draws: Bool?
  }

  static func main() throws {
    let variables = ProcessInfo.processInfo.environment
    let text = variables["TRIM_HARNESS"] ?? #"{"probe": {"failure": "TRIM_HARNESS is not set"}}"#
    let probe = try JSONDecoder().decode(Functions.self, from: Data(text.utf8)).probe
    CommandLineTool.run(
      engine: EnginePort(
        probe: { (_, _, _) throws(MediaError) in try facts(as: probe) },
        pictures: { _, _, _ in probe.draws == true ? drawing : nil }))
  }

  private static var drawing: MediaPictures {
    let pixels = [UInt8](repeating: 128, count: 16 * 9 * 3)
    let picture = Picture(width: 16, height: 9, pixels: pixels)
    return MediaPictures { time, _, _ in
      let frame = PresentedFrame(number: 0, start: time, end: time)
      return GrabbedPicture(frame: frame, picture: picture)
    }
  }

  private static let tries = Atomic(0)

  private static func facts(as probe: Probe) throws(MediaError) -> MediaFacts {
    let isFirst = tries.add(1, ordering: .relaxed).newValue == 1
    if probe.waits == true || (probe.waitsOnceMore == true && !isFirst) { while true { pause() } }
    if probe.crashes == true { crash() }
    guard let presented = probe.presented else {
      throw MediaError(
        probe.mayPass == true ? .readFailed : .notMedia, probe.failure ?? "there is nothing",
        hint: "Try another file.")
    }
    let length = DurationFact(
      length: MediaDuration(seconds: presented), start: .zero, source: .sampleTable, trackID: 1)
    var track = TrackFacts(id: 1, index: 0, kind: .video, codec: .h264)
    track.durations.presented = length
    track.video = VideoFacts(width: 1920, height: 1080)
    track.video?.nominalFrameRate = probe.rate
    track.video?.isConstantFrameRate = probe.rate != nil
    track.frameCount = probe.rate.flatMap { rate in
      (try? presented.multiplied(by: rate).rounded(.up)).map { Int($0) }
    }
    track.keyframes = (probe.keyframes ?? []).enumerated().map { number, seconds in
      KeyframeFacts(frame: number, time: MediaTime(seconds: seconds), access: .idr)
    }
    var facts = MediaFacts(
      container: ContainerFacts(format: "mp4", longName: "MPEG-4"), depth: .header)
    facts.tracks = [track]
    facts.durations = Durations(presented: length)
    return facts
  }

  /// Only once the screen is open: this tests the terminal's state.
  private static func crash() -> Never {
    var mode = termios()
    while tcgetattr(0, &mode) == 0, mode.c_lflag & UInt32(ICANON) != 0 { sched_yield() }
    // The screen is written right after that, by another thread.
    usleep(300_000)
    let nowhere: [Int32] = []
    exit(nowhere[nowhere.count])
  }
}
