import ExactTime
import Support
import Synchronization
import Testing
import Trimming

/// A port's function that the test itself answers: it waits for the call, then decides.
final class Door<Request: Sendable, Answer: Sendable>: Sendable {
  private struct State {
    var calls: [Request] = []
    var open: [Int: CheckedContinuation<Answer, any Error>] = [:]
    var cancelled: Set<Int> = []
    var meetings = Meetings()
  }

  private let state = Mutex(State())

  var calls: [Request] { state.withLock { $0.calls } }

  /// Called by the code under test; a cancelled call ends at once.
  func call(_ request: Request) async throws -> Answer {
    let id = state.withLock { state in
      state.calls.append(request)
      return state.calls.count - 1
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (isCancelled, ready) = state.withLock { state in
          let isCancelled = state.cancelled.contains(id)
          if !isCancelled { state.open[id] = continuation }
          return (isCancelled, state.meetings.take(upTo: state.calls.count))
        }
        for waiter in ready { waiter.resume(returning: true) }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.cancelled.insert(id)
        return state.open.removeValue(forKey: id)
      }
      continuation?.resume(throwing: CancellationError())
    }
  }

  /// Returns when that many calls have arrived, answered or not; records an issue if they never do.
  func calls(
    atLeast count: Int, within limit: Duration = .seconds(1),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let meeting = state.withLock { $0.meetings.newID() }
    let deadline = Deadline(after: limit) { [weak self] in self?.giveUp(meeting) }
    defer { deadline.cancel() }
    let isMet = await withCheckedContinuation { waiter in
      let isMet = state.withLock { state in
        guard state.calls.count < count || state.open[count - 1] == nil else { return true }
        state.meetings.wait(waiter, id: meeting, for: count)
        return false
      }
      if isMet { waiter.resume(returning: true) }
    }
    guard !isMet else { return }
    Issue.record(
      "\(count) calls did not come within \(limit), but \(calls)", sourceLocation: sourceLocation)
  }

  private func giveUp(_ meeting: Int) {
    state.withLock { $0.meetings.giveUp(meeting) }?.resume(returning: false)
  }

  func answer(_ id: Int, with result: Result<Answer, any Error>) {
    let continuation = state.withLock { $0.open.removeValue(forKey: id) }
    continuation?.resume(with: result)
  }
}

/// A screen with everything around it controlled by a test.
@MainActor struct Stage {
  let clock = ManualClock()
  let log = Recorder<LogEvent>()
  let probing = Door<String, VideoTimings>()
  let exporting = Door<ExportRequest, String>()
  let picturing = Door<PictureRequest, FramePicture?>()
  let flag: FirstVisitFlag
  let presenter: TrimmingPresenter

  init(
    _ selected: MediaTimeRange = range(1, 60), isPlaying: Bool = true,
    flag: FirstVisitFlag = .inMemory(isClaimed: true), isReady: Bool = true,
    trace: @escaping (SessionEvent) -> Void = { _ in }
  ) {
    self.flag = flag
    let (log, probing, exporting, picturing) = (log, probing, exporting, picturing)
    presenter = TrimmingPresenter(
      video: Clip.video(selected), isPlaying: isPlaying,
      ports: TrimmingPorts(
        probe: ProbePort { try await probing.call($0) }, flags: flag,
        export: ExportPort { request, _ in try await exporting.call(request) },
        pictures: PicturePort(delay: .milliseconds(80)) { try await picturing.call($0) },
        log: LogPort { log.record($0) }, clock: clock),
      trace: trace)
    if isReady {
      presenter.videoDidLoad(Clip.timings)
      expectLogged([.videoLoaded])
    }
  }

  /// The log since the last expectation has entries of exactly these names.
  func expectLogged(_ names: [LogEvent.Name], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(log.take().map(\.name) == names, sourceLocation: sourceLocation)
  }
}

struct Refusal: Error, CustomStringConvertible {
  let description: String
}
