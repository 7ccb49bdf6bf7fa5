import CSystem
import Isolation
import MediaEngine
import Synchronization
import Threads

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
  private let isolation: Isolation

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
    let found: WorkerChild? = resting.withLock { resting in
      if let index = resting.firstIndex(where: { $0.kind == kind }) {
        return resting.remove(at: index)
      }
      return nil
    }
    if let found { return found }
    return try start(kind)
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
    let started = nursery.value { WorkerChild.start(kind, seals: seals) }
    return try (started ?? .failure(.cannotStart(WaitingThread.noThreadLeft))).get()
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
