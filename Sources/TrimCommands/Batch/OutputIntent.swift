import CommandLineKit
import MediaEngine

/// What a batch records before an output gets its name: which file it will be, and the row that
/// will follow.
///
/// A run that is killed in between leaves the output without its row. The next one finds the intent
/// and recognizes the output as its own:
///
/// ```
/// work · sync · intent · name appears · row
///              ╰─ killed from here on: adopted, or done again ─╯
/// ```
struct OutputIntent: Sendable, Equatable {
  static let kind = "intent"

  var state: OutputState
  /// A hash of the output's content.
  var hash: UInt64
  /// The row of the task.
  var row: JSONValue

  init(state: OutputState, hash: UInt64, row: JSONValue) {
    self.state = state
    self.hash = hash
    self.row = row
  }

  /// As a line of the results file.
  var line: [UInt8] {
    JSONWriter.write(
      .object(
        JSONValue.members([
          "schema": .integer(RecordHead.schema), "tool": .string(Version.tool),
          "kind": .string(Self.kind), "key": row["key"] ?? .null,
          "file": .object(
            JSONValue.members([
              "device": .string("\(state.identity.device)"),
              "inode": .string("\(state.identity.inode)"), "bytes": .integer(state.byteCount),
              "modified_s": .integer(state.modifiedSeconds),
              "modified_ns": .integer(state.modifiedNanoseconds), "hash": .string("\(hash)"),
            ])),
          "row": row,
        ])), .line)
  }

  /// - Parameter row: a line of a results file.
  init?(_ row: JSONValue) {
    guard let file = row["file"], let device = file["device"]?.text.flatMap({ UInt64($0) }),
      let inode = file["inode"]?.text.flatMap({ UInt64($0) }),
      let bytes = file["bytes"]?.exactInteger, let seconds = file["modified_s"]?.exactInteger,
      let nanoseconds = file["modified_ns"]?.exactInteger,
      let hash = file["hash"]?.text.flatMap({ UInt64($0) }), let row = row["row"],
      row["result"]?["bytes"] != nil
    else { return nil }
    self.init(
      state: OutputState(
        identity: FileIdentity(device: device, inode: inode), byteCount: bytes,
        modifiedSeconds: seconds, modifiedNanoseconds: nanoseconds),
      hash: hash, row: row)
  }

  /// Whether the file at a path is the intended one: the same file, or one with the same content.
  func isFulfilled(at path: [UInt8]) -> Bool {
    guard let found = OutputState(path: path) else { return false }
    if found == state { return true }
    return found.byteCount == state.byteCount && OutputState.contentHash(path: path) == hash
  }

  /// Fills in the columns of the row that was not written.
  func complete(_ other: inout BatchRow) {
    other.result = row["result"].map(TaskResult.value)
    other.attempts = row["attempts"]?.exactInteger.map { Int(clamping: $0) } ?? 1
    if case .array(let layers) = row["sandbox"] { other.sandbox = layers.compactMap(\.text) }
    other.milliseconds = row["wall_ms"]?.exactInteger
  }
}
