/// What tests add to the processes of the tool: operations of a batch that misbehave, and faults between steps.
package struct TestHooks: Sendable {
  /// Operations by name; each returns the members of its result.
  var operations: [String: @Sendable () -> [(String, String)]]
  /// Called for every step of the batch between a task and its row; a test ends the process at one
  /// of them.
  var step: @Sendable (String) -> Void

  /// Called before each operation by the process in which FFmpeg reads a command's files: a
  /// returned text makes the operation fail with that message.
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

  /// No hooks.
  package static let none = TestHooks([:])
}
