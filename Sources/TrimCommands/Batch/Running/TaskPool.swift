import CommandLineKit
import Isolation
import MediaEngine

/// The sealed processes of one batch, as its lanes see them.
struct TaskPool: Sendable {
  /// How a task ended.
  struct Outcome: Sendable {
    /// The reply, or why there is none.
    var reply: Result<TaskReply, BatchFailure>
    var attempts: Int
    /// The layers its process was sealed with; `nil` if none could be started.
    var layers: SandboxLayers?
  }

  private let processes: TaskProcesses

  init(isolation: Isolation) { processes = TaskProcesses(isolation) }

  /// Performs one task in a sealed process; blocking.
  func perform(
    _ task: BatchTask, bytes: [UInt8], files: OpenedFiles?, within time: Duration
  ) -> Outcome {
    let reads = task.known?.readsHeaders == true && !task.readsPackets
    var asked = TaskProcesses.Task(
      TaskRunner.operation, TaskRunner.arguments(line: task.line, within: time), body: bytes,
      isNative: reads && SealedEngine.isNative(head: files?.head ?? []), limit: time)
    asked.input = files == nil ? nil : task.file
    asked.others = files == nil ? [] : task.otherFiles
    asked.output = files == nil ? nil : task.target
    asked.files = files
    let outcome = processes.perform(asked) { answer in
      answer.value["error"]?["code"]?.text == MediaError.Code.engineMissing.rawValue
    }
    return Outcome(
      reply: Self.reply(outcome), attempts: outcome.attempts, layers: outcome.layers)
  }

  private static func reply(
    _ outcome: TaskProcesses.Outcome
  ) -> Result<TaskReply, BatchFailure> {
    switch outcome.answer {
    case .success(let answer):
      TaskReply(answer).map(Result.success)
        ?? .failure(BatchFailure(EngineFailure.invalidAnswer.mediaError))
    case .failure(let failure): .failure(BatchFailure(failure))
    }
  }
}

extension BatchFailure {
  fileprivate init(_ failure: TaskProcesses.Failure) {
    switch failure {
    case .cannotStart(let number): self = .cannotStart(number)
    case .refused(let error): self.init(error)
    case .output(let error): self.init(error)
    case .failed(let failure): self.init(failure.mediaError)
    case .memory: self.init(.memoryUsedUp)
    case .died(let signal): self = .crashed(signal: signal)
    case .overran(let isBusy): self = isBusy ? .processorTime : .timedOut
    }
  }
}
