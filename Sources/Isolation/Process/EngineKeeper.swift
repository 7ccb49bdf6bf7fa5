import MediaEngine
import Synchronization
import Threads

/// The processes in which FFmpeg works for one command.
final class EngineKeeper: Sendable {
  private let isolation: Isolation
  /// Called once with what the seal lacks, as a human-readable line.
  private let note: @Sendable (String) -> Void
  private let crew = Mutex(Crew())
  private let resting = Mutex<[EngineProcess]>([])
  private let wasNoted = Mutex(false)

  /// The process starter, and started processes that have not been requested yet.
  private struct Crew {
    var nursery: ProcessNursery?
    /// How many processes the next start creates.
    var wanted = 1
    var coming: [EngineProcess.Start] = []
  }

  init(_ isolation: Isolation, note: @escaping @Sendable (String) -> Void) {
    self.isolation = isolation
    self.note = note
  }

  deinit {
    // Wait for those still starting: each process ends when released.
    for start in crew.withLock({ $0.coming }) { _ = start.sealed() }
  }

  /// Announces that this many processes will be needed soon, so that they share one load of FFmpeg.
  func expect(_ count: Int) {
    crew.withLock { $0.wanted = max(1, count) }
  }

  /// The next started process, or a new one; `nil` if the system has no thread left.
  private func started() -> Result<EngineProcess, EngineProcess.StartFailure>? {
    let known = crew.withLock { $0.coming.popLast() }
    // If it could not be forked from another, it starts on its own.
    if let known, case .success(let process) = known.sealed() { return .success(process) }
    let begun = crew.withLock { crew -> Result<EngineProcess.Start, EngineProcess.StartFailure>? in
      if let start = crew.coming.popLast() { return .success(start) }
      let nursery = crew.nursery ?? ProcessNursery()
      crew.nursery = nursery
      let wanted = crew.wanted
      crew.wanted = 1
      return nursery.value(of: { EngineProcess.start(wanted) })?.map { starts in
        crew.coming += starts.dropFirst()
        return starts[0]
      }
    }
    return begun?.flatMap { $0.sealed() }
  }

  /// A process for exclusive use; `nil` if none is available and work continues without.
  ///
  /// - Throws: ``MediaError`` with code `notIsolated` where that is not allowed.
  func start() throws(MediaError) -> EngineProcess? {
    switch started() {
    case .success(let process)?:
      if let refusal = isolation.refusal(of: process.layers) { throw refusal }
      let missing = process.layers.missingNames
      if !missing.isEmpty {
        report("this system lacks sandbox layers: \(missing.joined(separator: " "))")
      }
      return process
    case .failure(let failure)?: return try goOnWithout(systemText(failure.code))
    case nil: return try goOnWithout("the system cannot start a thread")
    }
  }

  private func goOnWithout(_ reason: String) throws(MediaError) -> EngineProcess? {
    let words = "no process can be started: \(reason)"
    guard isolation != .required else { throw Isolation.refusal(words) }
    report("FFmpeg is not sandboxed, because \(words)")
    return nil
  }

  private func report(_ text: String) {
    let isNew = wasNoted.withLock { was in
      defer { was = true }
      return !was
    }
    if isNew { note(text) }
  }

  /// A process of that kind that was lent before and is still alive.
  private func rested(_ kind: ProcessKind = ProcessKind()) -> EngineProcess? {
    while let process = resting.withLock({ resting in
      resting.lastIndex { $0.kind == kind }.map { resting.remove(at: $0) }
    }) {
      if process.isFresh { return process }
    }
    return nil
  }

  /// Keeps a process for the next file.
  func keep(_ process: EngineProcess) {
    if process.isReusable { resting.withLock { $0.append(process) } }
  }

  /// An idle process of that kind, or else a new one.
  func take(_ kind: ProcessKind) throws(TaskProcesses.Failure) -> EngineProcess {
    if let known = rested(kind) { return known }
    return try startTask(kind)
  }

  /// Starts another process if one ends before it has received anything: no file was the cause.
  func startTask(_ kind: ProcessKind) throws(TaskProcesses.Failure) -> EngineProcess {
    var started = try born(kind).sealed()
    if case .failure = started { started = try born(kind).sealed() }
    switch started {
    case .success(let process):
      if let refusal = isolation.refusal(of: process.layers) { throw .refused(refusal) }
      return process
    case .failure(let failure): throw .cannotStart(failure.code)
    }
  }

  private func born(_ kind: ProcessKind) throws(TaskProcesses.Failure) -> EngineProcess.Start {
    let nursery = crew.withLock { crew in
      let nursery = crew.nursery ?? ProcessNursery()
      crew.nursery = nursery
      return nursery
    }
    switch nursery.value(of: { EngineProcess.start(1, kind) }) {
    case .success(let starts)?: return starts[0]
    case .failure(let failure)?: throw .cannotStart(failure.code)
    case nil: throw .cannotStart(WaitingThread.noThreadLeft)
    }
  }

  /// Lends a process for one request, and keeps it for the next one.
  ///
  /// - Parameter body: receives `nil` if there is no process.
  func lend<Value>(
    _ body: (EngineProcess?) throws(MediaError) -> Value
  ) throws(MediaError) -> Value {
    let process: EngineProcess? = if let known = rested() { known } else { try start() }
    defer {
      if let process { keep(process) }
    }
    return try body(process)
  }

  /// A process for one file, which ends when its last owner releases it; `nil` if none is available.
  func startOne() throws(EngineFailure) -> EngineProcess? {
    do throws(MediaError) {
      return try start()
    } catch {
      throw EngineFailure(error)
    }
  }
}
