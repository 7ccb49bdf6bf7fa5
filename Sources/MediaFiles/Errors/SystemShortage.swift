import Glibc

/// What a process, or the system, has run out of: the fault of neither the file nor the disk, and gone once
/// others have released it.
package struct SystemShortage: Sendable, Hashable {
  /// A sentence without the file's name.
  package var message: String
  /// What to do about it.
  package var hint: String

  /// - Parameter code: the `errno` of a failed call; `nil` for one that has another cause.
  package init?(_ code: Int32) {
    switch code {
    case EMFILE:
      message = "too many files are open"
      hint =
        "Allow more open files (ulimit -n 1024), or work on fewer files at a time, then try again."
    case ENFILE:
      message = "too many files are open in the whole system"
      hint = "Close other programs, then try again."
    case ENOMEM:
      message = "the system has no memory left for it"
      hint = "Close other programs, or allow more memory (ulimit -v), then try again."
    default: return nil
    }
  }

  /// - Parameter message: a library's, which ends with the system's own words for the cause.
  init?(endOf message: String) {
    let codes = [EMFILE, ENFILE]
    guard let code = codes.first(where: { message.hasSuffix(systemText($0)) }) else { return nil }
    self.init(code)
  }

  /// Both in one text.
  package var sentences: String { "\(message). \(hint)" }
}

extension MediaError {
  init(_ shortage: SystemShortage) {
    self.init(.outOfMemory, shortage.message, hint: shortage.hint)
  }
}
