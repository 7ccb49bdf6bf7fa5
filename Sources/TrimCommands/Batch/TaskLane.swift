import CommandLineKit
import Isolation
import MediaEngine

/// Processes one task into a row.
struct TaskLane: Sendable {
  /// A finished row.
  struct Row: Sendable {
    var bytes: [UInt8]
    var status: ExitStatus
    /// Whether the results have it already.
    var isRecorded = false
  }

  var pool: TaskPool
  var options: BatchOptions
  var record: ResultsFile.Record
  var results: ResultsFile?
  /// The run's own files, which no task may read or replace.
  var ownFiles: OwnFiles
  var hooks: TestHooks
  var interruption: @Sendable () -> Int32

  /// `nil` when the run was asked to stop before this task began.
  func row(for entry: TaskSource.Entry) -> Row? {
    guard interruption() == 0 else { return nil }
    let task = entry.task
    var row = BatchRow(task: task)
    if let failure = task.failure { return Self.finished(&row, failure) }
    let names = (task.file.map { [$0] } ?? []) + task.otherFiles
    ServedFiles.begin(names)
    defer { ServedFiles.end(names) }
    let source = task.file.flatMap { SourceState(path: $0) }
    row.key = source.map { TaskKey(task, source: $0) }
    row.bytes = source?.byteCount
    let read = task.otherFiles.reduce(source?.byteCount ?? 0) { sum, path in
      sum.addingReportingOverflow(SourceState(path: path)?.byteCount ?? 0).partialValue
    }
    if let key = row.key, let done = record.finished[key.text], done.stands(for: task) {
      row.isSkipped = true
      row.result = results?.result(of: done).map(TaskResult.value)
      return Row(
        bytes: row.line, status: .success, isRecorded: done.ids.contains(task.id))
    }
    if let key = row.key, let output = task.target, let intent = record.intents[key.text],
      intent.isFulfilled(at: output)
    {
      intent.complete(&row)
      return Self.finished(&row, nil)
    }
    return Self.finished(&row, perform(entry, &row, byteCount: read))
  }

  private static func finished(_ row: inout BatchRow, _ failure: BatchFailure?) -> Row {
    row.failure = failure
    if failure != nil { row.result = nil }
    return Row(bytes: row.line, status: failure?.status ?? .success)
  }

  private func perform(
    _ entry: TaskSource.Entry, _ row: inout BatchRow, byteCount: Int64?
  ) -> BatchFailure? {
    let task = entry.task
    let (result, cost) = RemoteFiles.measured([task.file].compactMap { $0 } + task.otherFiles) {
      Result { () throws(BatchFailure) in try work(entry, &row, byteCount: byteCount) }
    }
    row.cost = cost
    if case .failure(let failure) = result { return failure }
    return nil
  }

  private func work(
    _ entry: TaskSource.Entry, _ row: inout BatchRow, byteCount: Int64?
  ) throws(BatchFailure) {
    let task = entry.task
    let files = try open(task)
    hooks.step("opened")
    // Only those who open a file on another machine know its size.
    row.bytes = row.bytes ?? files?.byteCount
    let outcome = pool.perform(
      task, bytes: entry.bytes, files: files,
      within: time(for: task, byteCount: files?.allBytes ?? byteCount))
    row.attempts = outcome.attempts
    row.sandbox = outcome.layers?.names
    let reply = try outcome.reply.get()
    row.milliseconds = reply.milliseconds
    if let bytes = reply.bytes { row.bytes = bytes }
    if let failure = reply.failure { throw failure }
    row.result = reply.result
    hooks.step("worked")
    if let files, task.target != nil { try publish(files, row) }
  }

  /// Opens the files; `nil` for a test operation.
  private func open(_ task: BatchTask) throws(BatchFailure) -> OpenedFiles? {
    guard let path = task.file, let operation = task.operation,
      hooks.operations[operation] == nil
    else { return nil }
    try ownFiles.check(task)
    do throws(MediaError) {
      return try OpenedFiles(
        input: path, others: task.otherFiles, output: task.target, replacing: task.replaces,
        needsScratch: task.known?.readsHeaders != true,
        faults: { [hooks] step in
          hooks.step("\(step)")
          return nil
        })
    } catch {
      throw BatchFailure(error)
    }
  }

  /// Names the output after it is synced to disk and recorded.
  private func publish(_ files: OpenedFiles, _ row: BatchRow) throws(BatchFailure) {
    do throws(MediaError) {
      try files.sync()
      try writeIntent(files, row)
      hooks.step("intent")
      try files.publish()
      hooks.step("published")
    } catch {
      throw BatchFailure(error)
    }
  }

  private func writeIntent(_ files: OpenedFiles, _ row: BatchRow) throws(MediaError) {
    guard let results, row.key != nil, let state = files.outputState(),
      let hash = files.outputHash()
    else { return }
    let intent = OutputIntent(state: state, hash: hash, row: row.json)
    do throws(ResultsFile.Refusal) {
      try results.append(intent.line, isDurable: true)
    } catch {
      throw MediaError(
        .writeFailed, "the output could not be recorded in the results before it was published")
    }
  }

  /// The time allowed for a probe, and ten times that for anything that may decode.
  private func time(for task: BatchTask, byteCount: Int64?) -> Duration {
    if let stated = options.timeout { return stated }
    let isRemote = ([task.file].compactMap { $0 } + task.otherFiles).contains(
      where: { RemoteFiles.isAddress($0) || ServedFiles.isMeant(by: $0) })
    let whole = Limits.standard.time(forBytes: byteCount, isRemote: isRemote)
    return task.known?.readsHeaders != false && !task.decodes ? whole : whole * 10
  }
}
