/// Why a file could not be probed: a code for machines, a sentence and a way out for people.
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

  /// Those of every error about a file.
  public typealias Code = MediaErrorCode
}

extension ProbeError: CustomStringConvertible {
  /// The message alone, without the hint.
  public var description: String { message }
}
