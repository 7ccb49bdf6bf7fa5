import CommandLineKit
import Isolation
import MediaEngine
import MediaFacts
import Trimming

/// Performs tasks, one at a time: the part of a worker that accesses files.
struct TaskRunner: Sendable {
  /// The columns of a finished task.
  struct Done {
    var result: JSONValue
    var bytes: Int64?
  }

  /// The commands whose options a task may have.
  var commands: CommandSpec
  var engine: EnginePort
  var hooks: TestHooks

  func perform(_ task: BatchTask, within time: Duration) throws(BatchFailure) -> Done {
    if let failure = task.failure { throw failure }
    guard let path = task.path, let operation = task.operation else {
      throw .badTask("the task cannot be understood")
    }
    if let hook = hooks.operations[operation] {
      let members = hook().map { JSONValue.Member(key: $0.0, value: .string($0.1)) }
      return Done(result: .object(members))
    }
    guard let known = task.known else { throw .badTask("the task cannot be understood") }
    var output = task.output
    // Not a file: levels without an output go into the row.
    if known.name == WaveCommand.command, output == nil { output = Self.levels }
    let parsed = try known.parsed(
      task.words, path: path, others: task.others, output: output, with: commands)
    switch known.name {
    case BatchOperation.check.name: return try check(path, parsed, within: time)
    case CutOptions.command, BatchOperation.plan.name, BatchOperation.cuts.name:
      return try cut(parsed, within: time)
    case JoinOptions.command: return try join(parsed, within: time)
    case FindCommand.command: return try find(parsed, within: time)
    case StripCommand.command, WaveCommand.command, TimelineCommand.command:
      return try draw(known.name, parsed, to: task.target, within: time)
    default: return try probe(path, parsed, within: time)
    }
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
    options.wantsFrames = parsed.has("frames")
    let (name, part) = try Self.split(path)
    let facts = try facts(of: name, options, within: time)
    var record = FactsRecord(
      input: .file(path: name), limit: limit, listsKeyframes: options.wantsKeyframes,
      listsFrames: options.wantsFrames)
    record.part = part.flatMap { NamedPart($0, of: facts) }
    // As the single command exits: a damaged file is a result, not a failed row.
    let status: ExitStatus = facts.damage.isEmpty ? .success : .badData
    let columns = record.columns(of: facts)
    return Done(
      result: .object(JSONValue.members(["status": .integer(Int64(status.code))]) + columns),
      bytes: facts.byteCount)
  }

  private func check(
    _ path: [UInt8], _ parsed: ParsedArguments, within time: Duration
  ) throws(BatchFailure) -> Done {
    let deadline = ContinuousClock.now + time
    let options: ProbeOptions
    let limit: LengthLimit
    let search: FindOptions?
    do throws(UsageError) {
      options = try ProbeOptions(parsed, command: "check")
      limit = try LengthLimit(parsed, command: "check")
      search = try ContentGate.options(parsed, command: "check")
    } catch {
      throw BatchFailure(error)
    }
    let (name, part) = try Self.split(path)
    let whole = try facts(of: name, options, within: time)
    let facts = part.flatMap { NamedPart($0, of: whole) }.map(whole.reduced) ?? whole
    var record = CheckRecord(input: .file(path: name), limit: limit)
    if let search {
      do throws(MediaError) {
        record.content = try ContentGate.content(
          of: record.input, whole, part, search, with: engine, deadline: deadline,
          isCancelled: { ContinuousClock.now >= deadline })
      } catch {
        throw BatchFailure(error)
      }
    }
    let status = JSONValue.integer(
      Int64(CheckRecord.status(of: facts, limit, record.content).code))
    return Done(
      result: .object(JSONValue.members(["status": status]) + record.columns(of: facts)),
      bytes: facts.byteCount)
  }

  /// Splits a path into the file and the range after it.
  private static func split(
    _ path: [UInt8]
  ) throws(BatchFailure) -> (name: [UInt8], part: PartExpression?) {
    do throws(UsageError) {
      let (name, part) = try PartExpression.split(ArgumentText(bytes: path), command: "batch")
      return (name, part)
    } catch {
      throw BatchFailure(error)
    }
  }

  func facts(
    of path: [UInt8], _ options: ProbeOptions, within time: Duration
  ) throws(BatchFailure) -> MediaFacts {
    var options = options
    options.timeout = time
    do throws(MediaError) {
      return try engine.probe(.file(path: path), options) { _ in true }
    } catch {
      throw BatchFailure(error)
    }
  }
}

extension TaskRunner {
  /// The name of the operation of a sealed process.
  static let operation = "task"

  /// Its arguments; its body is the line of the task.
  static func arguments(line: Int, within time: Duration) -> JSONValue {
    .object(["line": .integer(line), "milliseconds": .integer(time.wholeMilliseconds)])
  }

  /// The operation of a sealed process that performs a task.
  static func performing(_ commands: CommandSpec, _ hooks: TestHooks) -> SealedOperation {
    // The batch ends the process of a task that takes too long.
    let engine = EnginePort.live(isCancelled: { false })
    let native = engine.withoutFFmpeg
    let names = Set(hooks.operations.keys)
    return { work in
      guard let line = work.arguments["line"]?.exactInteger,
        let milliseconds = work.arguments["milliseconds"]?.exactInteger
      else { throw EngineFailure.invalidAnswer }
      let task = BatchTask(
        line: Int(clamping: line), bytes: work.body, commands: commands, hooks: names)
      let runner = TaskRunner(
        commands: commands, engine: work.hasFFmpeg ? engine : native, hooks: hooks)
      return runner.reply(to: task, within: .milliseconds(milliseconds)).answer
    }
  }

  private func reply(to task: BatchTask, within time: Duration) -> TaskReply {
    var reply = TaskReply()
    let start = ContinuousClock.now
    do throws(BatchFailure) {
      let done = try perform(task, within: time)
      reply.result = .value(done.result)
      reply.bytes = done.bytes
    } catch {
      reply.failure = error
    }
    reply.milliseconds = (ContinuousClock.now - start).wholeMilliseconds
    return reply
  }
}

extension EnginePort {
  /// The engine of a process without FFmpeg: a file that needs FFmpeg is refused.
  fileprivate var withoutFFmpeg: EnginePort {
    var port = self
    port.probe = { (input, options, progress) throws(MediaError) in
      let prober = Prober(isCancelled: { false })
      let file = try prober.open(input, options, progress)
      guard let facts = try prober.factsWithoutFFmpeg(of: file, options: options) else {
        throw MediaError(.engineMissing, "this requires FFmpeg")
      }
      return facts
    }
    return port
  }
}

extension TaskRunner {
  func find(_ parsed: ParsedArguments, within time: Duration) throws(BatchFailure) -> Done {
    let deadline = ContinuousClock.now + time
    let desk = EngineDesk(engine: engine, isCancelled: { ContinuousClock.now >= deadline })
    var command: FindCommand
    do throws(UsageError) {
      command = try FindCommand(parsed)
    } catch {
      throw BatchFailure(error)
    }
    command.media.timeout = time
    do throws(PlayedMedia.Failure) {
      let (media, found) = try command.findings(in: Self.input(of: command.media), with: desk)
      return Done(
        result: .object(FindingsRecord.columns(found)), bytes: media.facts.byteCount)
    } catch {
      throw BatchFailure(error)
    }
  }
}

extension BatchFailure {
  init(_ error: PlayedMedia.Failure) {
    self.init(code: error.code, status: error.status, error.message, hint: error.hint)
  }
}
