// Measures what the trimming session and its presenter cost, and counts what they must not do.
// Prints one JSON object; ends with 1 when a count is wrong. Run by `tools/bench --only session`.
import ExactTime
import Glibc
import MallocCounter
import Trimming

/// Seconds of CPU time of this process.
func processTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Keeps the optimiser from dropping a loop.
@inline(never) @_optimize(none) func consume<Value>(_ value: Value) {}

let video = TrimmingVideo(
  duration: MediaDuration(60), location: "film.mp4",
  initialRange: MediaTimeRange(from: MediaTime(1), to: MediaTime(59)))

/// The empty loop's body: takes an input as the session does, and has nothing to say of it.
@inline(never) @_optimize(none) func idle(_ input: SessionInput) -> [SessionEffect] { [] }

/// Positions inside the range: inputs that change the playhead and have no effect besides.
let inputs = (0..<1_000_000).map { index in
  SessionInput.playbackTimeDidChange(currentTime: MediaTime(Int64(600 + index % 34_000), 600))
}

struct Costs {
  var empty: Double
  var session: Double
  var allocations: UInt64
}

func measureSession() -> Costs {
  var session = TrimmingSession(video: video, limit: .standard, isPlaying: true)
  _ = session.handle(.videoDidLoad(VideoTimings()))
  _ = session.handle(inputs[0])
  let startOfEmpty = processTime()
  for input in inputs { consume(idle(input)) }
  let empty = processTime() - startOfEmpty
  let allocations = trim_allocation_count()
  let start = processTime()
  for input in inputs { consume(session.handle(input)) }
  let cost = processTime() - start
  let allocated = trim_allocation_count() - allocations
  consume(session)
  return Costs(empty: empty, session: cost, allocations: allocated)
}

/// Restarts sent at full speed; each of three readers must get all of them, in order.
@MainActor func measurePresenter(restarts: Int) async -> (perSecond: Double, lost: Int) {
  let ports = TrimmingPorts(
    probe: ProbePort { _ in VideoTimings() }, flags: .inMemory(isClaimed: true),
    export: ExportPort { request, _ in request.location })
  let presenter = TrimmingPresenter(video: video, ports: ports)
  presenter.videoDidLoad()
  let streams = (0..<3).map { _ in presenter.onRestartedVideo.subscribe() }
  let readers = streams.map { stream in
    Task.detached {
      var received = 0
      for await _ in stream {
        received += 1
        if received == restarts { break }
      }
      return received
    }
  }
  let start = processTime()
  for _ in 0..<restarts {
    presenter.playbackTimeDidChange(currentTime: MediaTime(59))
  }
  let sent = processTime() - start
  presenter.onRestartedVideo.finish()
  var lost = 0
  for reader in readers { lost += restarts - (await reader.value) }
  return (Double(restarts) / sent, lost)
}

// The quickest of many short rounds: whatever else the machine does only ever adds.
let rounds = (0..<25).map { _ in measureSession() }
let quickest = rounds.map(\.session).min() ?? .infinity
let ratio = quickest / (rounds.map(\.empty).min() ?? 1)
let inputsPerSecond = Double(inputs.count) / quickest
let allocations = rounds.map(\.allocations).max() ?? 0
let events = await measurePresenter(restarts: 200_000)
print(
  """
  {"ratio": \(ratio), "inputs_per_second": \(inputsPerSecond.rounded()), \
  "allocations": \(allocations), "events_per_second": \(events.perSecond.rounded()), \
  "lost": \(events.lost)}
  """)
exit(allocations == 0 && events.lost == 0 ? 0 : 1)
