/// Why a terminal could not be taken over.
package enum TerminalError: Error, Hashable, Sendable {
  /// The descriptor is not a terminal.
  case notATerminal
  /// A ``TerminalMode`` exists already: a process has one screen.
  case alreadyTaken
  /// A system call failed with this `errno`.
  case system(code: Int32)
}

extension TerminalError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notATerminal: "there is no terminal: the standard streams are files or pipes"
    case .alreadyTaken: "the terminal is already showing a screen of this process"
    case .system(let code): "the terminal refused (errno \(code))"
    }
  }
}
