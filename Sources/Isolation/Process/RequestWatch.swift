import CSystem
import Glibc
import MediaEngine

/// Monitors a request to another process: decides how long to wait for it.
protocol RequestWatch {
  /// How long to wait for its next message before looking again, in milliseconds.
  var patience: Int32 { get }
  /// Whether the CPU time of the whole process is now limited.
  var limitsProcess: Bool { get }

  /// A message has arrived.
  mutating func heard()
  /// Some time has passed.
  mutating func looked()
  /// Why the process must be ended now; `nil` to go on.
  func end() -> EngineProcess.Fate?
}

extension RequestWatch {
  var limitsProcess: Bool { false }

  /// The polling interval of a waiting caller, in milliseconds.
  static var tick: Int32 { 50 }
}

/// Monitors work in another process: its CPU time and its heartbeats between steps.
///
/// Time is counted in polls of the waiting thread, each a few ticks at most, so that a stopped
/// job or a sleeping machine does not use it up.
struct StepWatch: RequestWatch {
  private let process: pid_t
  private let limit: Duration?
  /// How much CPU time one step may take.
  private let step: Duration
  private var total = Duration.zero
  private var clock: StepClock
  private var lastLook = ContinuousClock.now

  /// How long work past its time limit may take to report that itself.
  private static var respite: Duration { .seconds(3) }

  init(_ process: pid_t, limit: Duration?, step: Duration) {
    self.process = process
    self.limit = limit
    self.step = step
    clock = StepClock(used: Self.used(by: process))
  }

  private static func used(by process: pid_t) -> Duration {
    .nanoseconds(max(0, trim_processor_time(process)))
  }

  var patience: Int32 { Self.tick }

  mutating func heard() { clock.heard(used: Self.used(by: process)) }

  mutating func looked() {
    let now = ContinuousClock.now
    let time = min(now - lastLook, .milliseconds(4 * Self.tick))
    lastLook = now
    total += time
    clock.passed(time)
  }

  func end() -> EngineProcess.Fate? {
    if let limit, total > limit + Self.respite { return .ended(EngineFailure(.tookTooLong)) }
    return clock.refusal(
      used: Self.used(by: process), step: step, standstill: Limits.standard.standstill
    ).map { .ended(EngineFailure($0)) }
  }
}

/// Monitors a task of a batch: it is ended after twice its time.
struct TaskWatch: RequestWatch {
  private let process: pid_t
  private let limit: Duration
  private let start = ContinuousClock.now
  /// The CPU time that it had used when it was first looked at; `nil` before that.
  private var used: Duration?

  /// How long a task runs before its CPU time is monitored: most files are finished before that would matter.
  private static var shortTime: Duration { .milliseconds(50) }

  /// - Parameter isLimited: whether the process was limited for an earlier task.
  init(_ process: pid_t, _ limit: Duration, isLimited: Bool) {
    self.process = process
    self.limit = limit
    if isLimited { begin() }
  }

  private mutating func begin() {
    // In case this process is stopped meanwhile; codec threads count too.
    trim_limit_processor_time(process, 8 * (limit.components.seconds + 1))
    used = workTime
  }

  /// The CPU time it has used, plus the time it was ready but waiting for a CPU.
  private var workTime: Duration {
    .nanoseconds(trim_processor_time(process) + trim_processor_wait(process))
  }

  var limitsProcess: Bool { used != nil }

  var patience: Int32 {
    let due = start + (used == nil ? min(Self.shortTime, limit / 4) : limit * 2)
    return Int32(clamping: max(1, min((due - .now).wholeMilliseconds, 60_000)))
  }

  mutating func heard() {}

  mutating func looked() {
    if used == nil, ContinuousClock.now >= start + min(Self.shortTime, limit / 4) { begin() }
  }

  func end() -> EngineProcess.Fate? {
    guard let used, ContinuousClock.now >= start + limit * 2 else { return nil }
    return .overran(isBusy: (workTime - used) * 2 > limit)
  }
}
