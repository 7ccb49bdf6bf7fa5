import CSystem
import CommandLineKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `trim batch`: one task a line in, one row a task out, in the order of the tasks.
struct BatchCommand: Sendable {
  var options: BatchOptions

  init(_ parsed: ParsedArguments) throws(UsageError) {
    options = try BatchOptions(parsed)
  }

  func run(in tool: Tool, console: Console) -> ExitStatus {
    var results: ResultsFile?
    var finished: [String: FinishedTask] = [:]
    if let path = options.results {
      do throws(ResultsFile.SystemFailure) {
        let file = try ResultsFile(path)
        if options.skipsDone { finished = file.finished() }
        try file.endLine()
        results = file
      } catch {
        return Self.report(
          "the results file \(console.shownOnErr(path.bytes))", error.number, console)
      }
    }
    let descriptor: Int32
    do throws(NameReader.Failure) {
      descriptor = try Self.open(options.list)
    } catch {
      guard case .cannotOpen(let number) = error else { return .ioError }
      return Self.report(
        "the list \(console.shownOnErr(options.list.bytes))", number, console, reads: true)
    }
    trim_finish_work_on_termination()
    let source = TaskSource(
      descriptor: descriptor, shard: options.shard, hooks: Set(tool.hooks.operations.keys),
      isCancelled: { tool.interruption() != 0 })
    let lane = TaskLane(
      pool: WorkerPool(), options: options, finished: finished, interruption: tool.interruption)
    return emit(from: source, through: lane, results: results, console: console)
  }

  private func emit(
    from source: TaskSource, through lane: TaskLane, results: ResultsFile?, console: Console
  ) -> ExitStatus {
    var hasFailures = false
    var lost: Int32?
    let work = StreamedWork<TaskSource.Entry, TaskLane.Row>(workers: options.jobs) {
      lane.row(for: $0)
    }
    let isDone = work.run(
      next: { source.next() },
      emit: { row in
        lost = Self.record(row, in: results)
        guard lost == nil else { return false }
        console.out.write(row.bytes)
        hasFailures = hasFailures || row.status != .success
        if console.out.failure != nil { return false }
        return options.failures != .fatal || row.status == .success
      })
    if let lost { return Self.report("the results file", lost, console) }
    guard isDone else {
      console.error("no thread can be started: the system has no room for one")
      return .temporaryFailure
    }
    if let failure = source.failure { return Self.report("the list", failure, console) }
    return hasFailures && options.failures != .ok ? .negative : .success
  }

  /// The `errno` of what failed; a task that was skipped has its row there already.
  private static func record(_ row: TaskLane.Row, in results: ResultsFile?) -> Int32? {
    guard let results, !row.isSkipped else { return nil }
    do throws(ResultsFile.SystemFailure) {
      try results.append(row.bytes)
      return nil
    } catch {
      return error.number
    }
  }

  private static func open(_ list: ArgumentText) throws(NameReader.Failure) -> Int32 {
    if list.isStandardStream { return 0 }
    #if canImport(Glibc)
      let descriptor = Glibc.open(
        list.bytes.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_CLOEXEC | O_NOCTTY)
    #else
      let descriptor = Darwin.open(
        list.bytes.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_CLOEXEC | O_NOCTTY)
    #endif
    guard descriptor >= 0 else { throw .cannotOpen(errno: errno) }
    return descriptor
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
