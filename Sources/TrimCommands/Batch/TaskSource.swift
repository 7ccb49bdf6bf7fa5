import CommandLineKit
import Synchronization

/// The tasks of one batch, line by line.
final class TaskSource: Sendable {
  /// A task with its input line.
  struct Entry: Sendable {
    var task: BatchTask
    var bytes: [UInt8]
  }

  private struct State {
    var reader: LineReader
    var line = 0
  }

  private let shard: Shard?
  private let commands: CommandSpec
  private let hooks: Set<String>
  private let state: Mutex<State>

  init(
    descriptor: Int32, shard: Shard?, commands: CommandSpec, hooks: Set<String>,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.shard = shard
    self.commands = commands
    self.hooks = hooks
    state = Mutex(
      State(
        reader: LineReader(
          descriptor: descriptor, longest: BatchTask.longestLine, isCancelled: isCancelled)))
  }

  /// Why reading ended early, as an `errno`.
  var failure: Int32? { state.withLock { $0.reader.failure } }

  /// The next task of this part of the list; empty lines are skipped.
  func next() -> Entry? {
    state.withLock { state in
      while let line = state.reader.next() {
        state.line += 1
        let entry = entry(line, number: state.line)
        guard let entry else { continue }
        if let shard, !shard.contains(entry.task.path ?? entry.bytes) { continue }
        return entry
      }
      return nil
    }
  }

  private func entry(_ line: LineReader.Line, number: Int) -> Entry? {
    switch line {
    case .tooLong:
      let failure = BatchFailure(
        code: "lineTooLong", status: .usage,
        "the line is longer than \(BatchTask.longestLine) bytes")
      return Entry(task: BatchTask(line: number, failure: failure), bytes: [])
    case .bytes(var bytes):
      if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
      guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return nil }
      bytes = RemoteInputs.named(task: bytes)
      return Entry(
        task: BatchTask(line: number, bytes: bytes, commands: commands, hooks: hooks),
        bytes: bytes)
    }
  }
}
