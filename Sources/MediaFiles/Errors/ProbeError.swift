/// Why a file could not be probed: a code for programs, a sentence and a hint for people.
public struct ProbeError: Error, Sendable, Hashable {
  /// What kind of error it is, for programs that act on it.
  public var code: Code
  /// What happened, in one sentence without the file's name: the caller knows it, and escapes it.
  public var message: String
  /// What to do about it; `nil` where nothing helps.
  public var hint: String?

  /// Creates an error; `message` names no command-line option.
  public init(_ code: Code, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// The codes, shared by all errors about a file.
  public typealias Code = MediaErrorCode
}

extension ProbeError: CustomStringConvertible {
  /// The message, without the hint.
  public var description: String { message }
}
