/// Operations besides those of the tool, for tests of what happens when one misbehaves.
package struct WorkerHooks: Sendable {
  /// By name; each gives the members of its result.
  var operations: [String: @Sendable () -> [(String, String)]]
  /// Told of every step that the batch takes between a task and its row; a test ends the process
  /// at one of them.
  var step: @Sendable (String) -> Void

  /// Asked by the process in which FFmpeg reads the files of a command, before each operation: a
  /// text makes it fail with these words.
  var engine: @Sendable (String) -> String?

  package init(
    _ operations: [String: @Sendable () -> [(String, String)]],
    step: @escaping @Sendable (String) -> Void = { _ in },
    engine: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.operations = operations
    self.engine = engine
    self.step = step
  }

  /// The tool as it is.
  package static let none = WorkerHooks([:])
}
