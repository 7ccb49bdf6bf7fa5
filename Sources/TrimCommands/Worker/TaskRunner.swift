import CommandLineKit
import MediaEngine
import MediaFacts
import Trimming

/// Does tasks, one at a time: the part of a worker that touches files.
struct TaskRunner: Sendable {
  /// The columns of a task that was done.
  struct Done {
    var result: JSONValue
    var bytes: Int64?
  }

  /// The commands whose options a task may have.
  var commands: CommandSpec
  var engine: EnginePort
  var hooks: WorkerHooks

  func perform(_ task: BatchTask, within time: Duration) throws(BatchFailure) -> Done {
    if let failure = task.failure { throw failure }
    guard let path = task.path, let operation = task.operation else {
      throw .badTask("the task cannot be understood")
    }
    if let hook = hooks.operations[operation] {
      let members = hook().map { JSONValue.Member(key: $0.0, value: .string($0.1)) }
      return Done(result: .object(members))
    }
    let parsed = try task.parsed(with: commands)
    return operation == BatchOperation.cut.name
      ? try cut(parsed, within: time) : try probe(path, parsed, within: time)
  }

  private func probe(
    _ path: [UInt8], _ parsed: ParsedArguments, within time: Duration
  ) throws(BatchFailure) -> Done {
    var options: ProbeOptions
    let limit: LengthLimit
    do throws(UsageError) {
      options = try ProbeOptions(parsed, command: "probe")
      limit = try LengthLimit(parsed, command: "probe")
    } catch {
      throw BatchFailure(error)
    }
    options.wantsKeyframes = parsed.has("keyframes")
    options.timeout = time
    let facts: MediaFacts
    do throws(ProbeError) {
      facts = try engine.probe(.file(path: path), options) { _ in true }
    } catch {
      throw BatchFailure(error)
    }
    let record = FactsRecord(
      input: .file(path: path), limit: limit, listsKeyframes: options.wantsKeyframes)
    return Done(result: .object(record.columns(of: facts)), bytes: facts.byteCount)
  }
}
