import ExactTime
import Support
import Synchronization
import Testing
import Trimming

/// A port's function that a test answers itself: it waits for the call, then decides.
final class Door<Request: Sendable, Answer: Sendable>: Sendable {
  private struct State {
    var calls: [Request] = []
    var open: [Int: CheckedContinuation<Answer, any Error>] = [:]
    var cancelled: Set<Int> = []
    var meetings: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var calls: [Request] { state.withLock { $0.calls } }

  /// Called by the code under test; a cancelled call ends at once.
  func call(_ request: Request) async throws -> Answer {
    let (id, met) = state.withLock { state in
      state.calls.append(request)
      return (state.calls.count - 1, 0)
    }
    _ = met
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (isCancelled, meetings) = state.withLock { state in
          let isCancelled = state.cancelled.contains(id)
          if !isCancelled { state.open[id] = continuation }
          let ready = state.meetings.filter { $0.count <= state.calls.count }
          state.meetings.removeAll { $0.count <= state.calls.count }
          return (isCancelled, ready)
        }
        for meeting in meetings { meeting.continuation.resume() }
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

  /// Returns when that many calls have come in and wait for an answer or have had one.
  func calls(atLeast count: Int) async {
    await withCheckedContinuation { continuation in
      let isMet = state.withLock { state in
        guard state.calls.count < count || state.open[count - 1] == nil else { return true }
        state.meetings.append((count, continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }

  func answer(_ id: Int, with result: Result<Answer, any Error>) {
    let continuation = state.withLock { $0.open.removeValue(forKey: id) }
    continuation?.resume(with: result)
  }
}

/// A screen with everything around it in the hands of a test.
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
      video: Film.video(selected), isPlaying: isPlaying,
      ports: TrimmingPorts(
        probe: ProbePort { try await probing.call($0) }, flags: flag,
        export: ExportPort { request, _ in try await exporting.call(request) },
        pictures: PicturePort(delay: .milliseconds(80)) { try await picturing.call($0) },
        log: LogPort { log.record($0) }, clock: clock),
      trace: trace)
    if isReady {
      presenter.videoDidLoad(Film.timings)
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
