import CSystem
import Glibc
package import JSON
package import MediaEngine

/// Processes for the tasks of a batch, never more of a kind than are used at once.
package final class TaskProcesses: Sendable {
  /// Why a task has no answer.
  package enum Failure: Error {
    /// No process can be started, by this errno.
    case cannotStart(Int32)
    /// The system cannot seal a process as required.
    case refused(MediaError)
    /// Its output cannot be prepared for a second attempt.
    case output(MediaError)
    /// What the operation itself reports.
    case failed(EngineFailure)
    /// Its process died twice: of this signal, or with exit status `-signal`.
    case died(signal: Int32)
    /// It used up the memory of its process.
    case memory
    /// Its process was ended after twice the time; `isBusy` if it was working the whole time.
    case overran(isBusy: Bool)
  }

  /// How a task ended.
  package struct Outcome: Sendable {
    package var answer: Result<SealedAnswer, Failure>
    package var attempts = 1
    /// The layers its process was sealed with; `nil` if none could be started.
    package var layers: SandboxLayers?
  }

  /// What a task needs.
  package struct Task {
    package var operation: String
    package var arguments: JSONValue
    package var body: [UInt8]
    /// The names by which it refers to its files.
    package var input: [UInt8]?
    /// Further files that are read.
    package var others: [[UInt8]] = []
    package var output: [UInt8]?
    package var files: OpenedFiles?
    /// Whether it is tried first in a process without FFmpeg.
    package var isNative: Bool
    /// Its process is ended after twice that time.
    package var limit: Duration

    package init(
      _ operation: String, _ arguments: JSONValue, body: [UInt8], isNative: Bool, limit: Duration
    ) {
      self.operation = operation
      self.arguments = arguments
      self.body = body
      self.isNative = isNative
      self.limit = limit
    }
  }

  private let keeper: EngineKeeper
  private let isSealed: Bool

  package init(_ isolation: Isolation) {
    keeper = EngineKeeper(isolation, note: { _ in })
    isSealed = isolation != .off
  }

  /// Performs a task; blocking.
  ///
  /// A process's death may have been caused by an earlier task: this one is retried once in a fresh process.
  ///
  /// - Parameter needsFFmpeg: whether an answer says that FFmpeg is needed after all.
  package func perform(_ task: Task, needsFFmpeg: (SealedAnswer) -> Bool) -> Outcome {
    var outcome = Outcome(answer: .failure(.memory))
    do throws(Failure) {
      outcome.answer = .success(try answer(task, needsFFmpeg, &outcome))
    } catch {
      outcome.answer = .failure(error)
    }
    return outcome
  }

  private func answer(
    _ task: Task, _ needsFFmpeg: (SealedAnswer) -> Bool, _ outcome: inout Outcome
  ) throws(Failure) -> SealedAnswer {
    var process = try keeper.take(kind(hasFFmpeg: !task.isNative))
    var result = Self.attempt(task, in: process, &outcome)
    if task.isNative, case .success(let answer) = result, needsFFmpeg(answer) {
      // It is a different container than its first bytes suggested.
      keeper.keep(process)
      process = try keeper.take(kind(hasFFmpeg: true))
      result = Self.attempt(task, in: process, &outcome)
    }
    if case .failure(let fate) = result, fate.isDeath {
      outcome.attempts = 2
      process = try keeper.startTask(kind(hasFFmpeg: true))
      do throws(MediaError) { try task.files?.emptyOutput() } catch { throw .output(error) }
      result = Self.attempt(task, in: process, &outcome)
    }
    keeper.keep(process)
    switch result {
    case .success(let answer): return answer
    case .failure(.failed(let failure)): throw .failed(failure)
    case .failure(.overran(let isBusy)): throw .overran(isBusy: isBusy)
    case .failure(.died(signal: -Int32(TRIM_NO_MEMORY_STATUS))): throw .memory
    case .failure(.died(let signal)): throw .died(signal: signal)
    case .failure(.ended): throw .died(signal: SIGKILL)
    }
  }

  private func kind(hasFFmpeg: Bool) -> ProcessKind {
    ProcessKind(hasFFmpeg: hasFFmpeg, isSealed: isSealed, isForTasks: true)
  }

  private static func attempt(
    _ task: Task, in process: EngineProcess, _ outcome: inout Outcome
  ) -> Result<SealedAnswer, EngineProcess.Fate> {
    outcome.layers = process.layers
    var files = EngineFiles(input: task.input, output: task.output)
    files.byteCount = task.files?.byteCount
    let sizes = task.files?.otherByteCounts ?? []
    files.others = task.others.enumerated().map { place, name in
      EngineFiles.Other(name: name, byteCount: sizes.indices.contains(place) ? sizes[place] : nil)
    }
    let handed: [HandedInput]
    do throws(MediaError) {
      handed = try task.files?.handedInputs() ?? []
    } catch {
      return .failure(.failed(EngineFailure(error)))
    }
    defer { withExtendedLifetime(handed) {} }
    do throws(EngineProcess.Fate) {
      let answer = try process.attempt(
        EngineProcess.Request(
          operation: .added(task.operation), arguments: task.arguments, body: task.body,
          files: files,
          descriptors: handed.map(\.descriptor) + (task.files?.outputDescriptors ?? []),
          limit: task.limit, isTask: true))
      task.files?.confirm()
      if let fault = task.files?.remoteFault { return .failure(.failed(EngineFailure(fault))) }
      return .success(SealedAnswer(answer.head, answer.body))
    } catch {
      // Where the file changed, that is why it could not be read.
      if case .failed = error { task.files?.confirm() }
      if let fault = task.files?.remoteFault { return .failure(.failed(EngineFailure(fault))) }
      return .failure(error)
    }
  }
}

extension EngineProcess.Fate {
  /// Whether the process died or had to be ended, for a reason that another may not meet.
  fileprivate var isDeath: Bool {
    switch self {
    case .died, .ended: true
    case .failed, .overran: false
    }
  }
}
