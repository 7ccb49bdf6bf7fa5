import CSystem
import CommandLineKit
import Glibc
import Isolation
import MediaEngine

/// `trim batch`: one task per line in, one row per task out.
struct BatchCommand: Sendable {
  var options: BatchOptions
  /// The commands available to tasks.
  var commands: CommandSpec

  init(
    _ parsed: ParsedArguments, environment: Environment, commands: CommandSpec
  ) throws(UsageError) {
    self.commands = commands
    options = try BatchOptions(parsed, environment: environment)
  }

  func run(in tool: Tool, console: Console) -> ExitStatus {
    let descriptor: Int32
    do throws(NameReader.Failure) {
      descriptor = try Self.open(options.list)
    } catch {
      guard case .cannotOpen(let number) = error else { return .ioError }
      return Self.report(
        "the list \(console.shownOnErr(options.list.bytes))", number, console, reads: true)
    }
    var results: ResultsFile?
    var record = ResultsFile.Record()
    if let path = options.results {
      let name = "the results file \(console.shownOnErr(path.bytes))"
      do throws(ResultsFile.Refusal) {
        let file = try ResultsFile(path)
        if OwnFiles(list: descriptor, results: file.identity).areOne {
          console.error(
            "\(name) is the list of tasks", hint: "Name another file with --results.")
          return .cannotCreate
        }
        if options.skipsDone { record = file.record() }
        try file.endLine()
        results = file
      } catch {
        return Self.report(name, error, console)
      }
    }
    if !options.rangeSockets.isEmpty {
      let seconds = options.timeout.map { Int(min($0.components.seconds, 86_400)) * 2 }
      guard let files = CallerFiles(descriptors: options.rangeSockets, seconds: seconds) else {
        console.error("what --range-sockets names are not all connected sockets")
        return .usage
      }
      ServedFiles.allow { (name) throws(MediaError) in try files.open(name) }
    }
    let missing = SandboxLayers.available.missingNames
    if console.verbosity > 0, options.isolation != .off, !missing.isEmpty {
      let names = missing.joined(separator: " ")
      console.err.write("trim: this system lacks sandbox layers: \(names)\n")
    }
    trim_finish_work_on_termination()
    let source = TaskSource(
      descriptor: descriptor, shard: options.shard, commands: commands,
      hooks: Set(tool.hooks.operations.keys),
      isCancelled: { tool.interruption() != 0 })
    let lane = TaskLane(
      pool: TaskPool(isolation: options.isolation), options: options, record: record,
      results: results, ownFiles: OwnFiles(list: descriptor, results: results?.identity),
      hooks: tool.hooks, interruption: tool.interruption)
    return emit(from: source, through: lane, results: results, console: console)
  }

  private func emit(
    from source: TaskSource, through lane: TaskLane, results: ResultsFile?, console: Console
  ) -> ExitStatus {
    var hasFailures = false
    var lost: ResultsFile.Refusal?
    let work = StreamedWork<TaskSource.Entry, TaskLane.Row>(
      workers: options.jobs, keepsOrder: options.keepsOrder
    ) {
      lane.row(for: $0)
    }
    let isDone = work.run(
      next: { source.next() },
      emit: { row in
        lost = Self.record(row, in: results)
        guard lost == nil else { return false }
        lane.hooks.step("recorded")
        console.out.write(row.bytes)
        hasFailures = hasFailures || row.status != .success
        if console.out.failure != nil { return false }
        return options.failures != .fatal || row.status == .success
      })
    if let lost { return Self.report("the results file", lost, console) }
    guard isDone else {
      console.error("no thread can be started: the system has no resources for one")
      return .temporaryFailure
    }
    if let failure = source.failure { return Self.report("the list", failure, console) }
    return hasFailures && options.failures != .ok ? .negative : .success
  }

  /// Records a row; a skipped task already has one, unless it has a new ID.
  private static func record(
    _ row: TaskLane.Row, in results: ResultsFile?
  ) -> ResultsFile.Refusal? {
    guard let results, !row.isRecorded else { return nil }
    do throws(ResultsFile.Refusal) {
      try results.append(row.bytes)
      return nil
    } catch {
      return error
    }
  }

  private static func open(_ list: ArgumentText) throws(NameReader.Failure) -> Int32 {
    if list.isStandardStream { return 0 }
    let descriptor = Glibc.open(
      list.bytes.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .cannotOpen(errno: errno) }
    return descriptor
  }

  private static func report(
    _ what: String, _ refusal: ResultsFile.Refusal, _ console: Console
  ) -> ExitStatus {
    switch refusal {
    case .system(let number): return report(what, number, console)
    case .foreign:
      console.error(
        "\(what) contains something other than batch results, and is left as it is",
        hint: "Name a new file with --results, or one that an earlier run wrote.")
      return .cannotCreate
    }
  }

  private static func report(
    _ what: String, _ number: Int32, _ console: Console, reads: Bool = false
  ) -> ExitStatus {
    console.error("\(what) cannot be used: \(SystemError.text(number))")
    switch number {
    case EACCES, EPERM: return .noPermission
    case ENOENT, ENOTDIR, EISDIR, EINVAL: return reads ? .noInput : .cannotCreate
    default: return .ioError
    }
  }
}
