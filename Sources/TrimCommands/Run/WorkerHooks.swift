/// Operations besides those of the tool, for tests of what happens when one misbehaves.
package struct WorkerHooks: Sendable {
  /// By name; each gives the members of its result.
  var operations: [String: @Sendable () -> [(String, String)]]
  /// Told of every step that the batch takes between a task and its row; a test ends the process
  /// at one of them.
  var step: @Sendable (String) -> Void

  package init(
    _ operations: [String: @Sendable () -> [(String, String)]],
    step: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.operations = operations
    self.step = step
  }

  /// The tool as it is.
  package static let none = WorkerHooks([:])
}
