import CSystem
import MediaEngine
import Synchronization
import TerminalUI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The workers of one batch, never more of a kind than are used at once.
final class WorkerPool: Sendable {
  /// How a task ended.
  struct Outcome: Sendable {
    /// The worker's reply, or why there is none.
    var reply: Result<WorkerReply, BatchFailure>
    var attempts: Int
    /// The layers its process was sealed with; `nil` if none could be started.
    var layers: SandboxLayers?
  }

  private let nursery = ProcessNursery()
  private let resting = Mutex<[WorkerChild]>([])
  private let lanes = Mutex(Lanes())
  private let isolation: Isolation

  /// How many tasks are at work, and how many of these lack a process.
  private struct Lanes {
    var count = 0
    var waiting = 0
  }

  /// How long to wait for another task to end.
  private static let pauseMicroseconds: UInt32 = 5_000

  init(isolation: Isolation) { self.isolation = isolation }

  /// Performs one task in a worker; blocking.
  ///
  /// A worker's death may have been caused by an earlier task: this one is retried once in a fresh
  /// process.
  func perform(
    _ task: BatchTask, bytes: [UInt8], files: OpenedFiles?, within time: Duration
  ) -> Outcome {
    let request = WorkerRequest(
      line: task.line, milliseconds: time.wholeMilliseconds, task: bytes,
      namesPart: task.file != task.path)
    let descriptors = files?.descriptors ?? []
    lanes.withLock { $0.count += 1 }
    defer { lanes.withLock { $0.count -= 1 } }
    var attempts = 1
    var layers: SandboxLayers?
    do throws(BatchFailure) {
      var child = try takeOne(Self.kind(for: task, head: files?.head ?? []))
      layers = try child.layers()
      var outcome = child.perform(request, descriptors: descriptors, within: time)
      if case .answered(let reply) = outcome, child.kind == .native, reply.needsFFmpeg {
        // It is a different container than its first bytes suggested.
        put(child)
        child = try takeOne(.full)
        layers = try child.layers()
        outcome = child.perform(request, descriptors: descriptors, within: time)
      }
      guard case .died = outcome else {
        put(child)
        return Outcome(reply: outcome.reply, attempts: 1, layers: layers)
      }
      attempts = 2
      child = try start(.full)
      do throws(CutError) { try files?.emptyOutput() } catch { throw BatchFailure(error) }
      let second = child.perform(request, descriptors: descriptors, within: time)
      return Outcome(reply: second.reply, attempts: 2, layers: try child.layers())
    } catch {
      return Outcome(reply: .failure(error), attempts: attempts, layers: layers)
    }
  }

  private static func kind(for task: BatchTask, head: [UInt8]) -> WorkerKind {
    let reads = task.known?.readsHeaders == true && !task.readsPackets
    return reads && SealedEngine.isNative(head: head) ? .native : .full
  }

  private func put(_ child: WorkerChild) {
    if child.isFresh { resting.withLock { $0.append(child) } }
  }

  /// An idle worker of that kind, or else a new one.
  private func takeOne(_ kind: WorkerKind) throws(BatchFailure) -> WorkerChild {
    if let found = idle(kind) { return found }
    return try start(kind)
  }

  private func idle(_ kind: WorkerKind) -> WorkerChild? {
    resting.withLock { resting in
      resting.firstIndex { $0.kind == kind }.map { resting.remove(at: $0) }
    }
  }

  /// Starts another process if one ends before it has received anything: the task was not the cause.
  private func start(_ kind: WorkerKind) throws(BatchFailure) -> WorkerChild {
    let seals = isolation != .off
    var child = try born(kind, seals: seals)
    if (try? child.layers()) == nil { child = try born(kind, seals: seals) }
    if let refusal = isolation.refusal(of: try child.layers()) { throw BatchFailure(refusal) }
    return child
  }

  private func born(_ kind: WorkerKind, seals: Bool) throws(BatchFailure) -> WorkerChild {
    var isWaiting = false
    defer { if isWaiting { lanes.withLock { $0.waiting -= 1 } } }
    while true {
      // Seen first: what the others give back meanwhile is found below.
      let isAlone = lanes.withLock { $0.waiting + (isWaiting ? 0 : 1) >= $0.count }
      let started = nursery.value { WorkerChild.start(kind, seals: seals) }
      do throws(BatchFailure) {
        return try (started ?? .failure(.cannotStart(WaitingThread.noThreadLeft))).get()
      } catch {
        guard error.isShortage else { throw error }
        // Fewer processes than jobs may fit into the limits: another task's, or an idle one of the
        // other kind, gives way.
        if let found = idle(kind) { return found }
        let others = resting.withLock { resting in
          defer { resting = [] }
          return resting
        }
        if !others.isEmpty { continue }
        if !isWaiting {
          isWaiting = true
          lanes.withLock { $0.waiting += 1 }
        }
        if isAlone { throw error }
        usleep(Self.pauseMicroseconds)
      }
    }
  }
}

extension WorkerChild.Outcome {
  fileprivate var reply: Result<WorkerReply, BatchFailure> {
    switch self {
    case .answered(let reply): .success(reply)
    case .overran(let isBusy): .failure(isBusy ? .processorTime : .timedOut)
    case .died(signal: -Int32(TRIM_NO_MEMORY_STATUS)): .failure(BatchFailure(.memoryUsedUp))
    case .died(let signal): .failure(.crashed(signal: signal))
    }
  }
}

extension WorkerReply {
  /// Whether a worker without FFmpeg encountered a file that requires it.
  fileprivate var needsFFmpeg: Bool {
    failure?.code == ProbeError.Code.engineMissing.rawValue
  }
}
