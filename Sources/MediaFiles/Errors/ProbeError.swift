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

  /// A stable camelCase code.
  ///
  /// New codes may come; none changes its meaning.
  public struct Code: Hashable, Sendable, RawRepresentable {
    /// The code as written in JSON, such as `notMedia`.
    public let rawValue: String
    /// Creates a code from its camelCase spelling, which is not checked.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The content is no media that trim reads: text, a playlist, an unknown container.
    public static let notMedia = Code(rawValue: "notMedia")
    /// Recognised as media, but so damaged that nothing can be told of it.
    public static let damaged = Code(rawValue: "damaged")
    /// One of the limits was exceeded; the message names it.
    public static let limitExceeded = Code(rawValue: "limitExceeded")
    /// The samples are encrypted and the request needs them in the clear.
    public static let encrypted = Code(rawValue: "encrypted")
    /// The input cannot be read from a pipe, such as an MP4 whose `moov` box comes last.
    public static let needsSeeking = Code(rawValue: "needsSeeking")
    /// There is no file of that name.
    public static let inputMissing = Code(rawValue: "inputMissing")
    /// A directory, pipe, socket or device where a file is needed.
    public static let notRegularFile = Code(rawValue: "notRegularFile")
    /// An address of the network, or a file URL: only local paths are opened.
    public static let onlyLocalPaths = Code(rawValue: "onlyLocalPaths")
    /// The system does not allow reading the file.
    public static let permissionDenied = Code(rawValue: "permissionDenied")
    /// The system reported an error while the input was opened or read.
    public static let readFailed = Code(rawValue: "readFailed")
    /// The input stopped sending.
    public static let stalled = Code(rawValue: "stalled")
    /// The probe took longer than its limit.
    public static let timedOut = Code(rawValue: "timedOut")
    /// The caller cancelled the probe.
    public static let cancelled = Code(rawValue: "cancelled")
    /// An allocation failed, or would have exceeded the limit.
    public static let outOfMemory = Code(rawValue: "outOfMemory")
    /// FFmpeg's libraries are not installed or too old.
    public static let engineMissing = Code(rawValue: "engineMissing")
    /// A broken promise of trim's own; worth a report.
    public static let internalError = Code(rawValue: "internalError")
  }
}

extension ProbeError: CustomStringConvertible {
  /// The message alone, without the hint.
  public var description: String { message }
}
