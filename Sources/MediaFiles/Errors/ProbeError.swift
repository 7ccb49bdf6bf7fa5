/// Why a file could not be probed: a code for machines, a sentence and a way out for people.
public struct ProbeError: Error, Sendable, Hashable {
  public var code: Code
  /// What happened, in one sentence without the file's name: the caller knows it, and escapes it.
  public var message: String
  /// What to do about it; `nil` where nothing helps.
  public var hint: String?

  public init(_ code: Code, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// A stable camelCase code.
  ///
  /// New codes may come; none changes its meaning.
  public struct Code: Hashable, Sendable, RawRepresentable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The content is not media that is read here (text, a playlist, an unknown container).
    public static let notMedia = Code(rawValue: "notMedia")
    /// Recognised as media, but so damaged that nothing can be said of it.
    public static let damaged = Code(rawValue: "damaged")
    /// One of the limits was exceeded; the message names it.
    public static let limitExceeded = Code(rawValue: "limitExceeded")
    /// The samples are encrypted and the request needs them in the clear.
    public static let encrypted = Code(rawValue: "encrypted")
    /// Standard input cannot be read this way (a moov at the end, for instance).
    public static let needsSeeking = Code(rawValue: "needsSeeking")
    public static let inputMissing = Code(rawValue: "inputMissing")
    /// A directory, pipe, socket or device where a file is needed.
    public static let notRegularFile = Code(rawValue: "notRegularFile")
    /// An address of the network, or a file URL: only local paths are opened.
    public static let onlyLocalPaths = Code(rawValue: "onlyLocalPaths")
    public static let permissionDenied = Code(rawValue: "permissionDenied")
    public static let readFailed = Code(rawValue: "readFailed")
    /// The input stopped sending.
    public static let stalled = Code(rawValue: "stalled")
    public static let timedOut = Code(rawValue: "timedOut")
    public static let cancelled = Code(rawValue: "cancelled")
    public static let outOfMemory = Code(rawValue: "outOfMemory")
    /// FFmpeg's libraries are not installed or too old.
    public static let engineMissing = Code(rawValue: "engineMissing")
    /// A broken promise of our own.
    public static let internalError = Code(rawValue: "internalError")
  }
}

extension ProbeError: CustomStringConvertible {
  public var description: String { message }
}
