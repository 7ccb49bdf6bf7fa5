/// A command line that cannot be understood: exit status 64.
struct UsageError: Error, Equatable, Sendable {
  /// One sentence; foreign text in it is escaped already.
  var message: String
  /// The command whose usage is shown with it; empty for `trim` itself.
  var command: String = ""

  init(_ message: String, command: String = "") {
    self.message = message
    self.command = command
  }
}
