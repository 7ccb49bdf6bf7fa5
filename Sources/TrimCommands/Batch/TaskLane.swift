import CommandLineKit
import MediaEngine

/// What becomes of one task on its way to a row.
struct TaskLane: Sendable {
  /// A finished row.
  struct Row: Sendable {
    var bytes: [UInt8]
    var status: ExitStatus
    var isSkipped = false
  }

  var pool: WorkerPool
  var options: BatchOptions
  var finished: [String: FinishedTask]
  var interruption: @Sendable () -> Int32

  /// `nil` when the run was asked to stop before this task began.
  func row(for entry: TaskSource.Entry) -> Row? {
    guard interruption() == 0 else { return nil }
    let task = entry.task
    var row = BatchRow(task: task)
    if let failure = task.failure { return Self.failed(&row, failure) }
    let source = task.path.flatMap { SourceState(path: $0) }
    row.key = source.map { TaskKey(task, source: $0) }
    row.bytes = source?.byteCount
    if let key = row.key, let done = finished[key.text], done.stands(for: task) {
      row.isSkipped = true
      return Row(bytes: row.line, status: .success, isSkipped: true)
    }
    let outcome = pool.perform(
      task, bytes: entry.bytes, key: row.key, within: time(for: task, byteCount: source?.byteCount))
    switch outcome.reply {
    case .success(let reply): return Row(bytes: reply.row, status: reply.status)
    case .failure(let failure):
      row.attempts = outcome.attempts
      return Self.failed(&row, failure)
    }
  }

  private static func failed(_ row: inout BatchRow, _ failure: BatchFailure) -> Row {
    row.failure = failure
    return Row(bytes: row.line, status: failure.status)
  }

  /// What a probe may take, and a cut ten times as long: it decodes and encodes.
  private func time(for task: BatchTask, byteCount: Int64?) -> Duration {
    if let stated = options.timeout { return stated }
    let limits = Limits.standard
    let whole = limits.baseTime + .seconds((byteCount ?? 0) / max(1, limits.bytesPerSecond))
    return task.output == nil ? whole : whole * 10
  }
}
