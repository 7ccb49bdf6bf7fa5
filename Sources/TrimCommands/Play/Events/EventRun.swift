import CommandLineKit
import ExactTime
import Trimming

/// `trim play` without a screen: the presenter's events as lines, until the requested end.
@MainActor struct EventRun {
  let tool: Tool
  let options: PlayOptions
  let media: PlayedMedia
  let flags: FirstVisitFlag

  func perform() async -> ExitStatus {
    switch options.clock {
    case .real:
      await run(on: DeadlineClock(ContinuousClock(), stoppingAfter: options.stopAfter))
    case .virtual:
      await run(on: DeadlineClock(VirtualClock(), stoppingAfter: options.stopAfter))
    }
    return .success
  }

  private func run<Base: Clock>(on clock: DeadlineClock<Base>) async
  where Base.Duration == Duration {
    let printer = EventPrinter(out: tool.out, limit: options.limit, elapsed: { clock.elapsed })
    let session = Session()
    let presenter = TrimmingPresenter(
      video: media.video, limit: options.limit, ports: .simulating(media, flags: flags),
      trace: { event in
        guard let presenter = session.presenter else { return }
        printer.report(event, range: presenter.timeRange, loops: presenter.passCount)
      })
    session.presenter = presenter
    printer.opened(media, speed: options.speed)
    printer.range(presenter.timeRange)
    printer.validity(presenter.session.verdict)
    presenter.videoDidLoad(media.timings)
    presenter.viewDidAppear()
    position(of: presenter, printer)

    let driver = try? PlaybackDriver(
      presenter: presenter, clock: clock, tick: tick, speed: options.speed)
    // The range of a ready video is not empty, and the speed was checked.
    try? await driver?.run { step in
      if step.passesEnded == 0 || step.position != presenter.timeRange.start {
        position(of: presenter, printer)
      }
      return reasonToEnd(presenter, isTimeOver: clock.isOver) == nil
    }
    let reason = reasonToEnd(presenter, isTimeOver: clock.isOver) ?? .interrupted
    printer.ended(reason, position: presenter.playbackTime, loops: presenter.passCount)
  }

  /// Holds the presenter, which its own trace refers to.
  private final class Session {
    weak var presenter: TrimmingPresenter?
  }

  private func position(of presenter: TrimmingPresenter, _ printer: EventPrinter) {
    printer.position(
      presenter.playbackTime,
      frame: media.timings.frames.index(at: presenter.playbackTime), loops: presenter.passCount)
  }

  private func reasonToEnd(_ presenter: TrimmingPresenter, isTimeOver: Bool) -> EndReason? {
    if tool.interruption() != 0 { return .interrupted }
    if tool.out.failure != nil { return .closed }
    if let loops = options.loops, presenter.passCount >= loops { return .loops }
    return isTimeOver ? .time : nil
  }

  /// One position per second of video, and at most 15 per second of clock time.
  private var tick: Duration {
    let shortest = Duration.seconds(1) / 15
    guard let length = try? Rational.one.divided(by: options.speed),
      let tick = Duration(exactly: MediaDuration(seconds: length))
    else { return .seconds(1) }
    return max(tick, shortest)
  }
}
