/// Operations besides those of the tool, for tests of what happens when one misbehaves.
package struct WorkerHooks: Sendable {
  /// By name; each gives the members of its result.
  var operations: [String: @Sendable () -> [(String, String)]]

  package init(_ operations: [String: @Sendable () -> [(String, String)]]) {
    self.operations = operations
  }

  /// The tool as it is.
  package static let none = WorkerHooks([:])
}
