/// An invalid command line: exit status 64.
package struct UsageError: Error, Equatable, Sendable {
  /// One sentence; untrusted text in it is already escaped.
  package var message: String
  /// The command whose usage is shown with it; empty for `trim` itself.
  package var command: String
  /// Lines that point at the error within a value; safe to print.
  package var diagram: String?

  package init(_ message: String, command: String = "", diagram: String? = nil) {
    self.message = message
    self.command = command
    self.diagram = diagram
  }
}
